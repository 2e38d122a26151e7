"""axe-core finds nothing on any page, in any state: light, dark, and in forced colours."""

from pathlib import Path

import axe_playwright_python
import pytest
from Harness import api
from Harness.chromium import set_color_scheme, set_size
from other_pages import OTHER_PAGES

pytestmark = pytest.mark.slow

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()

RUN = """
const done = arguments[0];
axe.run().then(({ violations }) => done(violations.map(({ id, nodes }) =>
  `${id}: ${nodes.map(({ target, failureSummary }) => `${target} (${failureSummary})`).join("; ")}`)), (problem) => done([String(problem)]));
"""


def violations(driver) -> dict[str, list[str]]:
    found = {}
    driver.execute_script(AXE)
    for name in ("light", "dark", "forced"):
        set_color_scheme(driver, "light" if name == "forced" else name, are_forced=name == "forced")
        assert driver.execute_script("return matchMedia('(forced-colors: active)').matches") == (name == "forced")
        if problems := driver.execute_async_script(RUN):
            found[name] = problems
    set_color_scheme(driver, "light")
    return found


def test_axe_finds_nothing_on_the_dashboard_and_only_the_selected_tab_is_underlined_in_forced_colours(page):
    assert violations(page.driver) == {}
    set_color_scheme(page.driver, "light", are_forced=True)
    tabs, ground = page.driver.execute_script("""
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = "Canvas";
      return [
        [...document.querySelectorAll("[role=tab]")].map((tab) => [tab.ariaSelected, getComputedStyle(tab).borderBottomColor]),
        getComputedStyle(probe).color,
      ];
    """)
    assert len(tabs) > 5
    assert [color != ground for _, color in tabs] == [selected == "true" for selected, _ in tabs]


def test_axe_finds_nothing_while_noise_is_not_known_yet_in_any_tab(full_page):
    page = full_page(noise=None, settled=None)
    found = {}
    for tab in page.driver.find_elements("css selector", "[role=tab]"):
        tab.click()
        if problems := violations(page.driver):
            found[tab.text] = problems
    assert found == {}


# What opens each state of the dashboard, from the tab of samples with three samples, a note and a recording.
STATES = {
    "a held reading": "document.getElementById('hold').click();",
    "two samples compared": "for (const box of [...document.querySelectorAll('#sample-list input')].slice(0, 2)) box.click();",
    "a large history": "document.getElementById('expand').click();",
    "the overlay": "document.getElementById('overlay').click();",
    "the menu": "document.getElementById('more').click();",
    "the menu of the history": "document.getElementById('history-more').click();",
    "the menu of the samples": "document.getElementById('samples-more').click();",
    "the menu of exports": "document.getElementById('export').click();",
    "the menu of a sample": "document.querySelector('#sample-list button').click();",
    "the form of a note": "document.getElementById('write-note').click();",
    "the list of notes": "document.getElementById('list-marks').click();",
    "the reasons for doubt": "document.getElementById('reasons').click();",
    "the shortcuts": "document.getElementById('help').click();",
    "an offer to undo": "document.getElementById('reset-region').click();",
}


@pytest.fixture(scope="module")
def busy_server(shared_servers):
    server = shared_servers(config="[readings]\nrate = 10\nregion = [0.1, 0.3, 0.05, 0.05]\n")
    for name in ("Leaf", "Stone", "Sky"):
        api.request(f"{server.url}api/samples", "POST", {"name": name, "readings": 1})
    api.request(f"{server.url}api/marks", "POST", {"text": "Reagent added"})
    api.request(f"{server.url}api/recording", "POST", {"name": "Titration"})
    return server


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_in_any_state(browse, busy_server, width):
    found = {}
    for name, script in STATES.items():
        page = browse(busy_server)
        set_size(page.driver, width, 844)
        page.wait_until_complete()
        page.wait_until("document.querySelectorAll('#sample-list tr').length === 3")
        page.wait_until("!document.getElementById('recording').hidden")
        page.driver.execute_script(script)
        page.wait_for_readings(3)
        if problems := violations(page.driver):
            found[name] = problems
    assert found == {}


@OTHER_PAGES
def test_axe_finds_nothing_on_another_page(browse, server, path):
    page = browse(server)
    page.driver.get(server.url + path)
    assert violations(page.driver) == {}


def test_axe_finds_nothing_on_the_login_page_also_after_a_wrong_token(browse, start_server):
    page = browse(start_server(config='[web]\ntoken = "a-token-of-more-than-forty-letters-0123456789"\n'))
    assert violations(page.driver) == {}
    field = page.element("token")
    field.send_keys("wrong")
    field.submit()
    page.wait_until("document.querySelector('[aria-invalid=true]')")
    assert violations(page.driver) == {}


def test_axe_finds_nothing_without_a_camera_or_without_the_server(browse, start_server):
    server = start_server("/dev/video-none")
    page = browse(server)
    page.wait_for_state("no-camera")
    assert violations(page.driver) == {}
    api.request(f"{server.url}api/camera", "POST", {"id": "test-pattern"})
    page.wait_for_state("test-pattern")
    server.stop()
    page.wait_for_state("stale")
    assert violations(page.driver) == {}
