"""The dashboard in a frame of another site, which `web.frame_ancestors` lists."""

import contextlib

import pytest
from Harness import proxies
from Harness.chromium import chromium
from Harness.mounting import Mounting, Request, response
from Harness.waiting import wait_until
from selenium.webdriver.common.by import By

pytestmark = pytest.mark.slow

TOKEN = "test-token-of-forty-letters-and-a-few-more"


class OtherSite(Mounting):
    """A site at localhost, which a browser takes for another one than 127.0.0.1. Its page is a frame of `framed`."""

    prefix = ""
    framed = ""

    @property
    def address(self) -> str:
        return f"{self.scheme}://localhost:{self.port}"

    def answer(self, request: Request) -> str | None:
        return response(f'<iframe src="{self.framed}" style="width: 100%; height: 95vh"></iframe>')


@contextlib.contextmanager
def framing(start_server, folder, has_tls: bool):
    """The other site with a frame of a dashboard that requires a token, both with TLS or both without."""
    other = OtherSite(0, proxies.tls(folder) if has_tls else None)
    server = start_server(
        config=f'[readings]\nrate = 10\n[web]\ntoken = "{TOKEN}"\ntrusted_proxies = ["127.0.0.1"]\n'
        f'frame_ancestors = ["{other.address}"]\n'
    )
    with contextlib.ExitStack() as stack:
        stack.callback(other.stop)
        other.framed = server.url
        if has_tls:
            site = stack.enter_context(proxies.proxied(proxies.nginx, folder, server))
            other.framed = f"https://127.0.0.1:{site.port}/"
        yield other


@pytest.fixture(scope="module")
def driver():
    """A browser that trusts any certificate, and keeps cookies of frames only if they are partitioned."""
    driver = chromium(arguments=["--ignore-certificate-errors", "--test-third-party-cookie-phaseout"])
    yield driver
    driver.quit()


def log_in(driver, other):
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    driver.get(other.address)
    driver.switch_to.frame(0)
    wait_until(lambda: driver.find_elements(By.ID, "token"), "the login page is in the frame")
    field = driver.find_element(By.ID, "token")
    field.send_keys(TOKEN)
    field.submit()


def test_with_tls_the_frame_of_a_listed_site_keeps_the_login(driver, start_server, tmp_path):
    with framing(start_server, tmp_path, has_tls=True) as other:
        log_in(driver, other)
        wait_until(lambda: driver.find_elements(By.ID, "dashboard"), "the dashboard is in the frame")
        wait_until(lambda: driver.execute_script("return document.getElementById('live')?.dataset.shown"), "a picture")
        [cookie] = driver.execute_cdp_cmd("Storage.getCookies", {})["cookies"]
        assert cookie["name"].startswith("__Secure-swatchcam-")
        assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "None")
        assert cookie["partitionKey"]["topLevelSite"] == "https://localhost"
        driver.switch_to.default_content()
        driver.get("about:blank")


def test_without_tls_the_login_page_in_a_frame_says_why_it_cannot_be_kept(driver, start_server, tmp_path):
    with framing(start_server, tmp_path, has_tls=False) as other:
        log_in(driver, other)
        wait_until(lambda: driver.find_elements(By.ID, "problem"), "the login page names a problem")
        problem = driver.find_element(By.ID, "problem").text
        assert (
            "In a frame of another site, it keeps them only with HTTPS: open this page in a tab of its own." in problem
        )
        driver.switch_to.default_content()
        driver.get("about:blank")
