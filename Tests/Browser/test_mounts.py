"""The pages where a proxy mounts them: under a path of another site, and in a frame of Home Assistant."""

import subprocess

import pytest
from Harness import api, proxies
from Harness.chromium import chromium
from Harness.ingress import PREFIX, Ingress
from Harness.program import free_port
from Harness.traefik import Traefik
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
def driver():
    """A browser that trusts any certificate."""
    driver = chromium(arguments=["--ignore-certificate-errors"])
    yield driver
    driver.quit()


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

    def stop(self):
        self.process.terminate()
        self.process.wait(stretched())


@pytest.fixture(scope="module", params=["nginx", "Traefik", "Traefik behind HTTP/2"])
def mount(request, plain, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mount")
    if request.param == "nginx":
        mount = Mount(folder, plain)
        yield mount
    elif request.param == "Traefik":
        mount = Traefik(plain.port, proxies.tls(folder))
        yield mount
    else:
        mount = Traefik(plain.port)
        with proxies.proxied(proxies.nginx, folder, mount) as front:
            mount.url = f"https://127.0.0.1:{front.port}/swatch/"
            yield mount
    mount.stop()


@pytest.fixture(scope="module", params=["http", "https"])
def ingress(request, admitted, tmp_path_factory):
    ingress = Ingress(
        admitted.port, proxies.tls(tmp_path_factory.mktemp("ingress")) if request.param == "https" else None
    )
    yield ingress
    ingress.stop()


def log_in(driver, url):
    """Logs in anew, and so to the page at this address. Cookies of another port would count, too."""
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    driver.get(url)
    field = driver.find_element(By.ID, "token")
    field.send_keys(TOKEN)
    field.submit()
    wait_until(lambda: driver.current_url == url, lambda: f"it is {driver.current_url}")


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
    log_in(driver, mount.url + "kiosk")
    cookie = next(cookie for cookie in driver.get_cookies() if "swatchcam-" in cookie["name"])
    assert (cookie["path"], cookie["secure"]) == ("/swatch", mount.url.startswith("https"))
    visit(driver, mount.url)
    follow_links(driver, mount.url)
    answer = driver.execute_async_script(
        """const done = arguments[0];
        fetch("api/samples", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" })
          .then(async (response) => done([response.status, new URL(response.headers.get("Location"), response.url).href]));"""
    )
    assert answer[0] == 201 and answer[1].startswith(mount.url + "api/samples/")
    assert mount.strays == []
    driver.execute_script("document.querySelector('form[action$=logout]').requestSubmit()")
    wait_until(lambda: driver.find_elements(By.ID, "token"), lambda: f"it is {driver.current_url}")
    # The page loads itself again if the end of its WebSocket arrives before the answer.
    assert driver.current_url in (mount.url, mount.url + "login")


STREAM = """
const reader = (await fetch("stream.mjpg")).body.getReader();
let text = "";
while (text.split("X-Timestamp: ").length < 4) text += new TextDecoder("latin1").decode((await reader.read()).value);
await reader.cancel();
return text.split("Content-Type: image/jpeg").length - 1;
"""


def test_under_a_sub_path_a_stream_delivers_pictures(driver, mount):
    log_in(driver, mount.url)
    # Three parts have begun, and two pictures are whole.
    assert driver.execute_async_script(f"(async () => {{ {STREAM} }})().then(arguments[0])") >= 3


def test_the_path_of_a_traefik_without_its_slash_leads_to_the_dashboard(driver, plain, tmp_path):
    traefik = Traefik(plain.port, proxies.tls(tmp_path))
    log_in(driver, traefik.url)
    driver.get(traefik.url.rstrip("/"))
    assert driver.current_url == traefik.url
    traefik.stop()


def test_behind_the_ingress_no_token_is_needed_and_no_request_leaves_the_prefix(driver, ingress):
    visit(driver, ingress.url)
    follow_links(driver, ingress.url)
    status = driver.execute_async_script(
        """fetch("api/settings", { method: "PUT", headers: { "Content-Type": "application/json" }, body: '{"effect":"none"}' })
          .then(({ status }) => arguments[0](status));"""
    )
    assert status == 200
    assert ingress.strays == []


FILES = {
    "samples.csv": "export",
    "samples.json": "export",
    "samples.gpl": "export",
    "history.csv": "history-more",
}
"""The button of the menu that offers each file."""


def download(driver, folder):
    """Downloads each file by a click, and asserts that it arrives under its name; then opens the picture."""
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    wait_until(lambda: driver.find_element(By.ID, "dashboard").get_attribute("data-complete") is not None, "all panels")
    for name, menu in FILES.items():
        driver.find_element(By.ID, menu).click()
        driver.find_element(By.CSS_SELECTOR, f"[popover] a[href*='{name}']").click()
        file = folder / f"swatchcam-{name}"
        wait_until(lambda file=file: file.exists() and file.stat().st_size, lambda: f"{list(folder.iterdir())}")
    driver.find_element(By.ID, "about-tab").click()
    driver.find_element(By.CSS_SELECTOR, "a[href$='snapshot.jpg']").click()
    wait_until(lambda: driver.execute_script("return document.images[0]?.naturalWidth"), "the picture")
    assert driver.current_url.endswith("/snapshot.jpg")


def test_under_a_sub_path_files_arrive_under_their_names(driver, mount, tmp_path):
    log_in(driver, mount.url)
    download(driver, tmp_path)
    assert mount.strays == []


def test_behind_the_ingress_files_arrive_under_their_names(driver, ingress, tmp_path):
    driver.get(ingress.url)
    download(driver, tmp_path)
    assert ingress.strays == []


def test_the_dashboard_works_in_a_frame_of_home_assistant_on_a_phone(driver, ingress):
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    )
    driver.get(ingress.panel)
    driver.switch_to.frame(0)
    wait_until(lambda: driver.find_elements(By.ID, "dashboard"), "the page is in the frame")
    wait_until(lambda: driver.execute_script("return document.getElementById('live')?.dataset.shown"), "a picture")
    assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    driver.switch_to.default_content()
    assert driver.get_cookies() == []
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


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
    mount.stop()
