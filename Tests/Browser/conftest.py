"""The real program and a real browser for every test.

    python3 -m venv .venv && .venv/bin/pip install -r Tests/requirements.txt
    .venv/bin/pytest Tests/Browser

SWATCHCAM names the program, .build/release/swatchcam if it is not set. Chromium and its driver come from the system.
"""

import pytest
from chromium import chromium, set_color_scheme, set_size
from dashboard import Dashboard
from swatchcam_server import Server, starting


@pytest.fixture(scope="session")
def driver():
    driver = chromium()
    yield driver
    driver.quit()


@pytest.fixture
def start_program(tmp_path):
    """Starts a server on a device, as Server.start does; all are stopped after the test."""
    with starting(tmp_path) as start:
        yield start


@pytest.fixture
def start_server(start_program):
    """Starts a server on a device."""
    return start_program


@pytest.fixture
def server(start_server):
    return start_server()


@pytest.fixture
def browse(driver):
    """Opens a server's page in a clean browser, and leaves it before the server stops."""
    scripts = []

    def open_page(server: Server, before: str = "") -> Dashboard:
        """`before` is JavaScript that runs before the page's own."""
        set_size(driver, 1280, 800)
        set_color_scheme(driver, "light")
        driver.get_log("browser")
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
    """The dashboard of the test pattern, once it has got its first readings over the WebSocket."""
    page = browse(server)
    page.wait_for_readings(2)
    return page
