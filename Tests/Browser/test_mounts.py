"""The pages where a proxy mounts them: under a path of another site, and in a frame of Home Assistant."""

import subprocess

import pytest
from Harness import api
from Harness.ingress import PREFIX, Ingress
from Harness.program import free_port
from Harness.waiting import stretched, wait_until
from selenium.webdriver.common.by import By

pytestmark = pytest.mark.slow

TOKEN = "test-token-of-forty-letters-and-a-few-more"
PAGES = {
    "": "dashboard",
    "absorbance": "absorbance",
    "calibrate": "calibration",
    "kiosk": "kiosk",
    "kiosk?show=overlay": "kiosk",
    "measuring": None,
    "test": "comparison",
    "test/red": None,
    "no/such/page": None,
}


@pytest.fixture(scope="module")
def plain(shared_servers):
    return shared_servers(config=f'[readings]\nrate = 10\n[web]\ntoken = "{TOKEN}"\ntrusted_proxies = ["127.0.0.1"]\n')


@pytest.fixture(scope="module")
def admitted(shared_servers):
    """A server whose proxy has admitted the user, as the Supervisor of Home Assistant has."""
    return shared_servers(config=f'[readings]\nrate = 10\n[web]\ntoken = "{TOKEN}"\ningress = ["127.0.0.1"]\n')


class Mount:
    """nginx with a Swatchcam under /swatch/, and 418 elsewhere, which the log shows."""

    def __init__(self, folder, server, passes_sockets=True):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/swatch/"
        self._log = folder / "access.log"
        folders = " ".join(
            f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        sockets = (
            "proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $upgrade;" if passes_sockets else ""
        )
        (folder / "nginx.conf").write_text(
            f"""daemon off; user root; pid {folder}/pid; error_log stderr; events {{}}
            http {{ log_format path "$status $request_uri"; access_log {self._log} path; {folders}
              map $http_upgrade $upgrade {{ default upgrade; "" ""; }}
              server {{ listen 127.0.0.1:{port};
                location /swatch/ {{
                  proxy_pass http://127.0.0.1:{server.port}/; proxy_http_version 1.1; proxy_buffering off;
                  proxy_set_header Host $http_host; {sockets} proxy_set_header X-Forwarded-For $remote_addr;
                  proxy_set_header X-Forwarded-Proto $scheme; }}
                location / {{ return 418; }} }} }}"""
        )
        self.process = subprocess.Popen(["nginx", "-p", folder, "-e", "stderr", "-c", folder / "nginx.conf"])
        wait_until(lambda: (folder / "pid").exists(), "nginx runs")

    @property
    def strays(self):
        return [
            line for line in self._log.read_text().splitlines() if line.startswith("418") and "favicon.ico" not in line
        ]


@pytest.fixture(scope="module")
def mount(plain, tmp_path_factory):
    mount = Mount(tmp_path_factory.mktemp("nginx"), plain)
    yield mount
    mount.process.terminate()
    mount.process.wait(stretched())


@pytest.fixture(scope="module")
def ingress(admitted):
    ingress = Ingress(admitted.port)
    yield ingress
    ingress.stop()


def visit(driver, url):
    """Opens every page, and waits until those with a script show what the server sends."""
    for path, mark in PAGES.items():
        driver.get(url + path)
        if mark:
            assert driver.find_elements(By.ID, mark), f"{path} is another page: {driver.title}"
    driver.get(url)
    wait_until(
        lambda: int(driver.find_element(By.ID, "dashboard").get_attribute("data-sequence") or 0) > 0, "a reading"
    )
    first = driver.find_element(By.ID, "dashboard").get_attribute("data-sequence")
    wait_until(
        lambda: driver.find_element(By.ID, "dashboard").get_attribute("data-sequence") != first,
        "a reading by WebSocket",
    )
    wait_until(lambda: driver.find_element(By.ID, "dashboard").get_attribute("data-complete") is not None, "all panels")
    wait_until(lambda: driver.execute_script("return document.getElementById('live')?.dataset.shown"), "a picture")


def follow_links(driver, url):
    """Opens every link of the dashboard, and asserts that none leads out of the prefix."""
    driver.get(url)
    for link in [link.get_attribute("href") for link in driver.find_elements(By.CSS_SELECTOR, "a[href]")]:
        assert link.startswith(url), link
    answers = driver.execute_async_script(
        """const done = arguments[0];
        const links = [...document.querySelectorAll("a[href], link[href]")].map(({ href }) => href).filter((href) => href.startsWith("http") && !href.includes("stream"));
        Promise.all(links.map(async (href) => [href, (await fetch(href)).status])).then(done);"""
    )
    # There is neither a palette nor a recording.
    wrong = [
        answer
        for answer in answers
        if answer[1] != 200 and not ("/palette." in answer[0] or "recording=1" in answer[0])
    ]
    assert len(answers) > 20 and wrong == []


def test_under_a_sub_path_a_person_logs_in_and_no_request_leaves_it(driver, mount):
    driver.get(mount.url + "kiosk")
    field = driver.find_element(By.ID, "token")
    field.send_keys(TOKEN)
    field.submit()
    wait_until(lambda: driver.current_url == mount.url + "kiosk", lambda: f"it is {driver.current_url}")
    cookie = next(cookie for cookie in driver.get_cookies() if cookie["name"].startswith("swatchcam-"))
    assert cookie["path"] == "/swatch"
    visit(driver, mount.url)
    follow_links(driver, mount.url)
    answer = driver.execute_async_script(
        """const done = arguments[0];
        fetch("api/samples", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" })
          .then(async (response) => done([response.status, new URL(response.headers.get("Location"), response.url).href]));"""
    )
    assert answer == [201, mount.url + "api/samples/1"]
    assert mount.strays == []
    driver.execute_script("document.querySelector('form[action$=logout]').requestSubmit()")
    wait_until(lambda: driver.current_url == mount.url + "login", lambda: f"it is {driver.current_url}")
    assert not any(cookie["name"].startswith("swatchcam-") for cookie in driver.get_cookies())


def test_behind_the_ingress_no_token_is_needed_and_no_request_leaves_the_prefix(driver, ingress):
    visit(driver, ingress.url)
    follow_links(driver, ingress.url)
    status = driver.execute_async_script(
        """fetch("api/settings", { method: "PUT", headers: { "Content-Type": "application/json" }, body: '{"effect":"none"}' })
          .then(({ status }) => arguments[0](status));"""
    )
    assert status == 200
    assert [stray for stray in ingress.strays if "favicon.ico" not in stray] == []


def test_the_dashboard_works_in_a_frame_of_home_assistant_on_a_phone(driver, admitted):
    ingress = Ingress(admitted.port)
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    )
    driver.get(ingress.panel)
    driver.switch_to.frame(0)
    wait_until(lambda: driver.find_elements(By.ID, "dashboard"), "the page is in the frame")
    wait_until(lambda: driver.execute_script("return document.getElementById('live')?.dataset.shown"), "a picture")
    assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    driver.switch_to.default_content()
    ingress.stop()


def test_others_than_the_ingress_need_the_token(plain):
    """The header of a proxy admits nobody: what counts is the address."""
    forged = {"X-Ingress-Path": PREFIX, "X-Remote-User-Id": "0123456789abcdef0123456789abcdef"}
    assert api.request(f"{plain.url}api/reading", fields=forged).status == 401


@pytest.mark.parametrize("path", ["", "kiosk"])
def test_a_proxy_that_keeps_back_websockets_is_named(driver, plain, tmp_path, path):
    mount = Mount(tmp_path, plain, passes_sockets=False)
    driver.get(mount.url + "login")
    field = driver.find_element(By.ID, "token")
    field.send_keys(TOKEN)
    field.submit()
    wait_until(lambda: driver.find_elements(By.ID, "dashboard"), "it is logged in")
    driver.get(mount.url + path)
    wait_until(
        lambda: "WebSocket refused" in driver.find_element(By.TAG_NAME, "body").text,
        lambda: driver.find_element(By.TAG_NAME, "body").text,
    )
    assert "must pass on WebSockets" in driver.find_element(By.TAG_NAME, "body").text
    mount.process.terminate()
    mount.process.wait(stretched())
