"""axe-core finds nothing on any page, in any state, light and dark."""

from pathlib import Path

import axe_playwright_python
import pytest
from Harness.chromium import set_color_scheme
from other_pages import OTHER_PAGES

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()

RUN = """
const done = arguments[0];
axe.run().then(({ violations }) => done(violations.map(({ id, nodes }) =>
  `${id}: ${nodes.map(({ target, failureSummary }) => `${target} (${failureSummary})`).join("; ")}`)), (problem) => done([String(problem)]));
"""


def violations(driver) -> dict[str, list[str]]:
    found = {}
    for scheme in ("light", "dark"):
        set_color_scheme(driver, scheme)
        driver.execute_script(AXE)
        if problems := driver.execute_async_script(RUN):
            found[scheme] = problems
    return found


def test_axe_finds_nothing_on_the_dashboard(browse, server):
    page = browse(server)
    page.wait_for_readings(2)
    assert violations(page.driver) == {}


def test_axe_finds_nothing_while_noise_is_not_known_yet(full_page):
    page = full_page(noise=None, settled=None)
    page.wait_for_readings(2)
    assert violations(page.driver) == {}


@pytest.mark.slow
def test_axe_finds_nothing_in_any_tab(browse, server):
    page = browse(server)
    page.wait_for_readings(2)
    found = {}
    for tab in page.driver.find_elements("css selector", "[role=tab]"):
        tab.click()
        if problems := violations(page.driver):
            found[tab.text] = problems
    assert found == {}


def test_axe_finds_nothing_on_a_held_reading(browse, server):
    page = browse(server)
    page.wait_for_readings(2)
    page.element("hold").click()
    page.wait_until("document.getElementById('dashboard').hasAttribute('data-held')")
    assert violations(page.driver) == {}


@OTHER_PAGES
def test_axe_finds_nothing_on_another_page(browse, server, path):
    page = browse(server)
    page.driver.get(server.url + path)
    assert violations(page.driver) == {}


def test_axe_finds_nothing_on_the_login_page(browse, start_server):
    page = browse(start_server(config='[web]\ntoken = "a-token-of-more-than-forty-letters-0123456789"\n'))
    assert violations(page.driver) == {}


def test_axe_finds_nothing_on_the_login_page_after_a_wrong_token(browse, start_server):
    page = browse(start_server(config='[web]\ntoken = "a-token-of-more-than-forty-letters-0123456789"\n'))
    field = page.element("token")
    field.send_keys("wrong")
    field.submit()
    page.wait_until("document.querySelector('[aria-invalid=true]')")
    assert violations(page.driver) == {}


def test_axe_finds_nothing_without_a_camera(browse, start_server):
    page = browse(start_server("/dev/video-none"))
    page.wait_for_state("no-camera")
    assert violations(page.driver) == {}


def test_axe_finds_nothing_on_a_page_that_lost_its_server(browse, start_server):
    server = start_server()
    page = browse(server)
    page.wait_for_readings(2)
    server.stop()
    page.wait_for_state("stale")
    assert violations(page.driver) == {}
