"""The real program and a real browser.

    python3 -m venv .venv && .venv/bin/pip install -r Tests/requirements.txt
    .venv/bin/python -m pytest Tests/Browser                    # everything
    .venv/bin/python -m pytest -m 'not slow' Tests/Browser      # what `make test` runs

SWATCHCAM names the program, .build/release/swatchcam if it is not set. Chromium and its driver come from the system.
"""

import fake_history
import fake_readings
import pytest
from Harness import api
from Harness.chromium import chromium, set_color_scheme, set_size
from Harness.dashboard import Dashboard
from Harness.geometry import set_text_size
from Harness.server import Server, starting


@pytest.fixture(scope="session")
def driver():
    driver = chromium()
    yield driver
    driver.quit()


@pytest.fixture
def start_server(tmp_path):
    """Starts a server on a device; all are stopped after the test."""
    with starting(tmp_path) as start:
        yield start


@pytest.fixture(scope="module")
def shared_servers(tmp_path_factory):
    """Starts a server that runs until the end of the module."""
    with starting(tmp_path_factory.mktemp("shared")) as start:
        yield start


@pytest.fixture(scope="module")
def server(shared_servers):
    """A server of the test pattern, with more readings than usual so that tests wait less. Tests leave it as it was."""
    return shared_servers(config="[readings]\nrate = 10\n")


def forget(server: Server) -> None:
    """Deletes all that clients have kept on the server: samples, settings with targets and probes, what was measured."""
    for kind in ("settings", "counts", "absorbance", "calibration", "recording"):
        api.request(f"{server.url}api/{kind}", "DELETE")
    for sample in api.get_json(f"{server.url}api/samples")["samples"]:
        api.request(f"{server.url}api/samples/{sample['id']}", "DELETE")


@pytest.fixture(scope="module")
def keeping_server(shared_servers):
    return shared_servers(config="[readings]\nrate = 20\n")


@pytest.fixture
def own_server(keeping_server):
    """A server that keeps nothing of another test. It is one for all tests of the module, because its start takes long."""
    forget(keeping_server)
    return keeping_server


@pytest.fixture
def browse(driver):
    """Opens a server's page in a clean browser, and leaves it after the test."""
    scripts = []

    def open_page(server: Server, before: str = "") -> Dashboard:
        """`before` is JavaScript that runs before the page's own."""
        set_size(driver, 1280, 800)
        set_text_size(driver, 100)
        set_color_scheme(driver, "light")
        driver.get_log("browser")
        # Forgets what another test chose on this page.
        driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": server.url.rstrip("/"), "storageTypes": "all"})
        if before:
            added = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": before})
            scripts.append(added["identifier"])
        driver.get(server.url)
        return Dashboard(driver)

    yield open_page
    for script in scripts:
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
    driver.get("about:blank")


@pytest.fixture
def page(browse, server):
    """The dashboard of the test pattern, once it has received readings over the WebSocket."""
    page = browse(server)
    page.wait_for_readings(2)
    return page


@pytest.fixture
def full_page(browse, server):
    """Opens the dashboard with as much to show as there can be; `changes` alter its readings."""

    def open_page(**changes):
        page = browse(server, before=fake_readings.script(**changes) + fake_history.responses())
        page.wait_for_readings(2)
        page.wait_until("document.fonts.status === 'loaded'")
        return page

    return open_page
