"""The page loads nothing from elsewhere, fits every screen and is useful without JavaScript."""

import json
import os
import re
import time
import urllib.parse
from pathlib import Path

import pytest
from Harness.api import request
from Harness.cases import sampled
from Harness.chromium import set_color_scheme, set_size
from Harness.relay import relaying

ROOT = Path(__file__).resolve().parents[2]

VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective + " " + event.blockedURI));
"""


@pytest.fixture(scope="module")
def servers(server, shared_servers):
    """Servers by device."""
    return {"test-pattern": server, "/dev/video-none": shared_servers("/dev/video-none")}


def test_the_dashboard_leaves_the_console_silent_keeps_to_its_policy_and_loads_nothing_from_elsewhere(browse, server):
    page = browse(server, before=VIOLATIONS)
    page.wait_for_readings(4)
    page.element("copy-hex").click()
    assert page.console() == []
    assert page.driver.execute_script("return window.violations") == []
    loaded = page.driver.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert len(loaded) >= 3
    assert [url for url in loaded if not url.startswith(server.url)] == []


def test_the_page_follows_the_preferred_color_scheme(page):
    background = "return getComputedStyle(document.body).backgroundColor"
    lightness = {}
    for scheme in ("light", "dark"):
        set_color_scheme(page.driver, scheme)
        lightness[scheme] = int(re.search(r"\d+", page.driver.execute_script(background)).group())
    assert lightness["light"] > 200 and lightness["dark"] < 60


OUTSIDE = """
return [...document.querySelectorAll("#readout :is(#hex, .channel, .plain, #notation-value, #name, .level, .notice-title, .notice-message)")]
  .filter((element) => element.checkVisibility())
  .filter((element) => {
    const part = element.closest(".head, .values").getBoundingClientRect();
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return left < part.left || right > part.right || top < part.top || bottom > part.bottom;
  }).map((element) => element.id || element.className.baseVal || element.className);
"""


@pytest.mark.parametrize("device", ["test-pattern", "/dev/video-none"])
def test_the_page_fits_every_screen_and_its_text_fits_the_readout(servers, browse, device):
    page = browse(servers[device])
    page.wait_for_readings(1)
    for width, height in ((320, 568), (390, 844), (844, 390), (768, 1024), (1280, 800), (3840, 2160)):
        set_size(page.driver, width, height)
        assert page.driver.execute_script("return document.documentElement.scrollWidth") <= width
        assert page.driver.execute_script(OUTSIDE) == [], (width, height)


def test_the_hex_value_is_large_enough_to_read_across_a_room(page):
    """It grows with the screen, so that the last row of a class can read it."""
    for width, height, least in ((390, 844, 44), (1280, 800, 50), (1920, 1080, 76), (3840, 2160, 150)):
        set_size(page.driver, width, height)
        size = page.driver.execute_script("return getComputedStyle(document.getElementById('hex')).fontSize")
        assert float(size.removesuffix("px")) >= least, (width, height)


def test_nothing_moves_when_digits_change(page):
    # Before the noise is known, a reason for doubt may come or go.
    page.wait_until("document.getElementById('noise').textContent !== '–'")
    first, *others = page.wait_for_readings(20)
    for reading in others:
        assert reading["boxes"] == first["boxes"]


def embedded_reading(html):
    return json.loads(
        re.search(r'<script type="application/json" id="reading">(.*?)</script>', html, re.DOTALL).group(1)
    )


def width_of(driver, selector):
    """The width of an element, found without JavaScript."""
    root = driver.execute_cdp_cmd("DOM.getDocument", {})["root"]["nodeId"]
    node = driver.execute_cdp_cmd("DOM.querySelector", {"nodeId": root, "selector": selector})
    return driver.execute_cdp_cmd("DOM.getBoxModel", node)["model"]["width"]


@pytest.mark.parametrize("width", sampled([390, 1280]))
def test_the_page_shows_a_reading_without_javascript(driver, server, width):
    set_size(driver, width, 800)
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        driver.get(server.url)
        document = driver.execute_cdp_cmd("DOMSnapshot.captureSnapshot", {"computedStyles": []})
        html = driver.page_source
        notation_width = width_of(driver, "#notation-value")
        picture_width = width_of(driver, ".still-picture")
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    # Text that has been laid out can be seen.
    layout = document["documents"][0]["layout"]
    seen = " ".join(document["strings"][index] for index in layout["text"] if index >= 0)
    hex_color = re.search(r"#[0-9A-F]{6}", seen)
    assert hex_color and f'fill="{hex_color.group()}"' in html
    assert "Test pattern" in seen and "JavaScript is off" in seen and "Not live" in seen
    reading = embedded_reading(html)
    assert reading["hex"] == hex_color.group()
    assert reading["color"]["css"]["oklch"] in seen and reading["color"]["name"]["plain"] in seen
    # All of its figures.
    assert notation_width > 200
    # A readable time, and a picture. One that was not loaded would be as wide as the words in its place.
    assert re.search(r"This reading was taken at +\d\d:\d\d:\d\d *\. It does not update", seen)
    assert picture_width >= 300


# Records when the first reading came over the connection, and how many sockets had been opened by then.
WATCH_FIRST_READING = """
window.sockets = 0;
window.live = null;
window.WebSocket = class extends WebSocket {
  constructor(url, ...rest) {
    super(url, ...rest);
    window.sockets++;
    if (String(url).endsWith("/ws")) this.addEventListener("message", () => {
      window.live ??= { time: performance.now(), sockets: window.sockets };
    });
  }
};
"""
REQUESTS_UNTIL_LIVE = """
return performance.getEntriesByType("resource").filter(({ startTime }) => startTime <= live.time).map(({ name }) => name);
"""


def test_until_it_is_live_the_dashboard_needs_at_most_twelve_requests_and_only_the_first_scripts(browse, server):
    page = browse(server, before=WATCH_FIRST_READING)
    page.wait_for_readings(1)
    assert page.driver.execute_script("return live.sockets") == 1
    requests = page.driver.execute_script(REQUESTS_UNTIL_LIVE)
    assert len({"the page", "its socket", *requests}) <= 12
    scripts = {url.rpartition("/")[2] for url in requests if url.endswith(".js")}
    assert scripts == {"appearance.js", "dashboard.js", "chunk.js"}


def test_the_dashboard_needs_at_most_twelve_requests_in_all(browse, server):
    with relaying(server) as relay:
        page = browse(relay)
        page.wait_until("document.getElementById('live').dataset.shown")
        page.wait_for_readings(4)
        paths = relay.paths[:]
    assert {"/", "/ws", "/ws/picture?view=live"} <= set(paths)
    assert len(paths) <= 12, paths


def test_a_script_in_a_folder_of_resources_replaces_the_one_of_the_same_name(browse, start_server, tmp_path):
    name = "dashboard/readout/held-color.js"
    script = (ROOT / "Resources" / name).read_text()
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text(f'{script}\ndocument.body.dataset.hold = "mine";\n')
    page = browse(start_server(config=f'[web]\nresources = "{tmp_path}"\n'))
    page.wait_until("document.getElementById('live').dataset.shown")
    page.wait_for_readings(4)
    assert page.driver.execute_script("return document.body.dataset.hold") == "mine"
    assert page.console() == []


@pytest.mark.slow
def test_a_script_that_could_not_be_loaded_is_requested_again(browse, server):
    driver = browse(server).driver
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*deferred.js"]})
    try:
        driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        page = browse(server, before="addEventListener('error', () => { window.hasFailed = true; })")
        page.wait_until("window.hasFailed")
    finally:
        driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    page.wait_until_complete()


def test_a_reading_costs_one_layout_and_pictures_none(page):
    page.wait_until("document.getElementById('live').dataset.shown")
    page.driver.execute_cdp_cmd("Performance.enable", {})

    def layouts():
        metrics = page.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "LayoutCount")

    def sequence():
        return int(page.element("dashboard").get_attribute("data-sequence"))

    first, before, began = sequence(), layouts(), time.monotonic()
    page.wait_for_readings(20)
    count, elapsed = layouts() - before, time.monotonic() - began
    # Starting to observe, or a notice, may cost a few more; so may timers, the more the longer it takes.
    assert count <= sequence() - first + 1 + 3 * max(2, elapsed)


def test_a_reading_that_is_old_when_the_page_has_loaded_is_not_shown_as_current(browse, server):
    page = browse(
        server,
        before="""
          window.WebSocket = class { close() {} };
          const { now } = performance;
          performance.now = () => now.call(performance) + 60_000;
        """,
    )
    shown = page.wait_for_state("stale")
    assert not shown["hasColor"] and not shown["readoutShown"] and shown["fill"] == "none"


def test_the_kiosk_says_without_javascript_that_its_colour_is_not_live(driver, server):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        for path in ("kiosk", "kiosk?show=overlay", "kiosk?show=history"):
            driver.get(f"{server.url}{path}")
            document = driver.execute_cdp_cmd("DOMSnapshot.captureSnapshot", {"computedStyles": []})
            layout = document["documents"][0]["layout"]
            seen = " ".join(document["strings"][index] for index in layout["text"] if index >= 0)
            assert "Not live: JavaScript is off" in seen, path
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        driver.get("about:blank")


def test_without_a_camera_no_rate_is_shown(servers, browse):
    page = browse(servers["/dev/video-none"])
    page.wait_for_state("no-camera")
    page.wait_for_readings(2)
    page.element("about-tab").click()
    assert [page.element(name).text for name in ("capture-rate", "reading-rate")] == ["–", "–"]


def test_settings_that_are_remembered_are_listed_and_can_be_forgotten(browse, start_server):
    server = start_server()
    page = browse(server)
    page.wait_for_readings(2)
    page.element("effect-tab").click()
    assert not page.element("remembered").is_displayed()
    request(f"{server.url}api/settings", "PUT", {"effect": "edges", "region": [0.25, 0.25, 0.5, 0.5]})
    page.wait_until("document.getElementById('remembered').checkVisibility()")
    # 24 hours, as everywhere on the page.
    assert re.search(r"\b\d\d:\d\d$", page.element("remembered-since").text)
    lines = page.element("remembered-lines").text
    assert 'effect = "edges"' in lines and "region = [0.25, 0.25, 0.5, 0.5]" in lines
    page.element("forget").click()
    page.wait_until("!document.getElementById('remembered').checkVisibility()")
    page.wait_until("document.getElementById('effect').value === 'none'")


def test_a_changed_setting_that_will_be_lost_has_a_warning_until_it_is_forgotten(browse, start_server, tmp_path):
    env = os.environ | {"STATE_DIRECTORY": str(tmp_path)}
    start_server(env=env)
    server = start_server(env=env)
    page = browse(server)
    page.wait_for_readings(2)
    page.element("effect-tab").click()
    assert page.element("remembered-problem").text == ""
    request(f"{server.url}api/settings", "PUT", {"effect": "edges"})
    page.wait_until("document.getElementById('remembered-problem').textContent.includes('in use by another Swatchcam')")
    page.element("forget").click()
    page.wait_until("document.getElementById('remembered-problem').textContent === ''")


@pytest.mark.skipif(any(Path("/dev").glob("video*")), reason="this machine has a camera")
def test_a_missing_camera_is_explained_above_the_test_pattern(browse, start_server):
    page = browse(start_server("auto"))
    page.wait_until("document.getElementById('notices').textContent.includes('No camera was found')")


@pytest.mark.parametrize("path", ["", "kiosk", "test", "test/red"])
def test_every_page_links_the_manifest(server, path):
    link = re.search(r'<link rel="manifest" href="([^"]*)"', request(f"{server.url}{path}").text)
    assert request(urllib.parse.urljoin(f"{server.url}{path}", link.group(1))).json["name"] == "Swatchcam"
