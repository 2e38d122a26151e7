"""Nothing on a page is cut or covered, at any size, with large text, zoomed, and in any colours."""

import urllib.parse

import fake_readings
import fake_statistics
import pytest
from Harness import api
from Harness.cases import sampled
from Harness.chromium import set_size
from Harness.geometry import SIZES, legibility_problems, set_text_size
from other_pages import OTHER_PAGES

pytestmark = pytest.mark.slow

ZOOMED = [(320, 256)]
"""1280 by 1024 at 400 % (WCAG 2.2, 1.4.10)."""

COLORS = {
    "light": [{"name": "prefers-color-scheme", "value": "light"}],
    "dark": [{"name": "prefers-color-scheme", "value": "dark"}],
    "forced": [{"name": "forced-colors", "value": "active"}],
}


def set_colors(driver, colors: str) -> None:
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": COLORS[colors]})


def wait_until_laid_out(driver) -> None:
    """Waits until the page has been laid out for its current size."""
    driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));")


def problems_at_all_sizes(driver, text_size: int = 100, sizes=SIZES, ignored=()) -> dict[str, list[str]]:
    set_text_size(driver, text_size)
    found = {}
    for width, height in sizes:
        set_size(driver, width, height)
        wait_until_laid_out(driver)
        if problems := legibility_problems(driver, ignored):
            found[f"{width}x{height}"] = problems[:6]
    return found


@pytest.mark.parametrize("colors", sampled(list(COLORS)))
@pytest.mark.parametrize("text_size", sampled([100, 200, 150]))
def test_the_dashboard_is_legible_at_every_size(full_page, colors, text_size):
    page = full_page()
    set_colors(page.driver, colors)
    assert problems_at_all_sizes(page.driver, text_size) == {}


@pytest.mark.parametrize("colors", sampled(list(COLORS)))
def test_the_dashboard_is_legible_at_400_percent(full_page, colors):
    page = full_page()
    set_colors(page.driver, colors)
    assert problems_at_all_sizes(page.driver, sizes=ZOOMED) == {}


LONG_NAMES = ["Reference panel of the blue delivery van, second coat, after", "W" * 60, "Amber"]
"""Names as long as they may be, of words and without any."""


@pytest.fixture(scope="module")
def long_names(shared_servers):
    """A server of which everything that can be named has these names."""
    server = shared_servers(config="[readings]\nrate = 20\n")
    for index, name in enumerate(LONG_NAMES):
        address = urllib.parse.quote(name)
        api.request(f"{server.url}api/samples", "POST", {"readings": 1, "name": name})
        api.request(f"{server.url}api/targets/{address}", "PUT", {"color": "#C8102E"})
        api.request(f"{server.url}api/probes/{address}", "PUT", {"region": [0.1 + 0.1 * index, 0.1, 0.05, 0.05]})
    return server


def judged_by_long_numbers() -> dict:
    """The fields of a reading with targets whose numbers are as long as they may be."""
    differences = {"deltaE": 104.87, "low": 100.1, "high": 109.2, "deltaL": -100, "deltaC": -150.3, "deltaH": 128.4}
    more = {"counts": dict.fromkeys(("pass", "fail", "close"), 123456), "words": "much darker, much more vivid, redder"}
    target = (
        {"hex": "#C8102E", "tolerance": 12.25, "verdict": "fail", "held": "fail", "reason": None} | differences | more
    )
    return {
        "targets": [target | {"name": name} for name in LONG_NAMES],
        "match": None,
        "unique": None,
        "parts": {"none": 123456, "since": "2026-11-20T18:40:00.000Z"},
    }


@pytest.mark.parametrize("text_size", sampled([100, 200, 150]))
@pytest.mark.parametrize("tab", sampled(["targets", "samples", "probes"], 3))
def test_the_longest_names_and_numbers_are_legible_at_every_size(browse, long_names, tab, text_size):
    page = browse(long_names, before=fake_readings.script(**judged_by_long_numbers()))
    page.wait_for_readings(2)
    page.driver.execute_script(f"document.getElementById('{tab}-tab').click()")
    assert problems_at_all_sizes(page.driver, text_size) == {}
    if tab == "targets":
        page.driver.execute_script("document.querySelector('.target input').click()")
        page.wait_until("document.getElementById('judged').checkVisibility()")
        assert problems_at_all_sizes(page.driver, text_size) == {}


@pytest.mark.parametrize("tab", sampled(["samples", "effect", "about"]))
def test_every_tab_is_legible_at_every_size(full_page, tab):
    page = full_page()
    page.driver.execute_script(f"document.getElementById('{tab}-tab').click()")
    assert problems_at_all_sizes(page.driver) == {}


@pytest.fixture
def statistics(browse, server):
    """Opens the tab of statistics with the longest figures that it may have to show."""
    wide = fake_statistics.READING | {
        "statistics": fake_statistics.READING["statistics"] | {"pixels": 50_000, "regionPixels": 8_294_400},
        "totalDrift": {"deltaEPerMinute": 123.45, "standardError": 12.34},
    }
    page = browse(server, before=fake_readings.script(**wide) + fake_statistics.responses())
    page.wait_for_readings(2)
    page.element("statistics-tab").click()
    # The histogram is wait_until_laid_out only while it is in sight.
    page.driver.execute_script("document.getElementById('histogram').scrollIntoView()")
    page.wait_until("document.querySelector('#histogram path').getAttribute('d') !== ''")
    return page


@pytest.mark.parametrize("text_size", sampled([200, 100]))
def test_the_statistics_are_legible_at_every_size(statistics, text_size):
    assert problems_at_all_sizes(statistics.driver, text_size) == {}


@pytest.mark.parametrize("colors", sampled(list(COLORS)))
def test_the_statistics_are_legible_at_400_percent(statistics, colors):
    set_colors(statistics.driver, colors)
    assert problems_at_all_sizes(statistics.driver, sizes=ZOOMED) == {}


def test_two_pictures_are_legible_at_every_size(full_page):
    page = full_page(effect="invert")
    assert problems_at_all_sizes(page.driver) == {}


@pytest.mark.parametrize("effect", sampled(["invert", "none"]))
def test_the_overlay_is_not_cut_off_at_any_size(full_page, effect):
    page = full_page(effect=effect)
    page.driver.execute_script("document.getElementById('overlay').click()")
    page.wait_until("document.getElementById('dashboard').hasAttribute('data-overlay')")
    assert problems_at_all_sizes(page.driver, ignored=["covered"]) == {}


@pytest.mark.parametrize("text_size", sampled([200, 100]))
def test_a_page_without_a_colour_is_legible_at_every_size(full_page, text_size):
    nothing = {"state": "busy", "rgb": None, "hex": None, "brightness": None, "color": None}
    page = full_page(**nothing, message="Another program uses the camera: PID 4711 (a-video-conference). " * 3)
    page.wait_until("document.getElementById('notice-title').textContent === 'Camera in use'")
    assert problems_at_all_sizes(page.driver, text_size) == {}


@pytest.mark.parametrize("text_size", sampled([200, 100]))
@OTHER_PAGES
def test_another_page_is_legible_at_every_size(browse, server, path, text_size):
    page = browse(server)
    page.driver.get(server.url + path)
    if path.startswith("kiosk"):
        page.wait_until("document.getElementById('hex')?.textContent.startsWith('#')")
    if path == "elsewhere":
        # The path of a test's folder is longer than others, and has hyphens, at which it may break.
        page.driver.execute_script(
            "document.querySelector('pre').innerHTML = '/<wbr>etc/<wbr>swatchcam/<wbr>config.toml'"
        )
    assert problems_at_all_sizes(page.driver, text_size, SIZES + ZOOMED) == {}


@pytest.mark.parametrize("text_size", sampled([200, 100]))
def test_the_login_page_is_legible_at_every_size(browse, start_server, text_size):
    page = browse(start_server(config='[web]\ntoken = "a-token-of-more-than-forty-letters-0123456789"\n'))
    assert problems_at_all_sizes(page.driver, text_size, SIZES + ZOOMED) == {}


@pytest.mark.parametrize("text_size", sampled([200, 100]))
def test_a_page_without_a_camera_is_legible_at_every_size(browse, start_server, text_size):
    page = browse(start_server("/dev/video-none"))
    page.wait_for_state("no-camera")
    assert problems_at_all_sizes(page.driver, text_size, SIZES + ZOOMED) == {}


@pytest.mark.parametrize("text_size", sampled([200, 100]))
def test_a_page_that_lost_its_server_is_legible_at_every_size(browse, start_server, text_size):
    server = start_server()
    page = browse(server)
    page.wait_for_readings(2)
    server.stop()
    page.wait_for_state("stale")
    assert problems_at_all_sizes(page.driver, text_size, SIZES + ZOOMED) == {}


@pytest.mark.parametrize("text_size", sampled([200, 100]))
def test_a_held_reading_is_legible_at_every_size(browse, server, text_size):
    page = browse(server)
    page.wait_for_readings(2)
    page.element("hold").click()
    page.wait_until("document.getElementById('dashboard').hasAttribute('data-held')")
    assert problems_at_all_sizes(page.driver, text_size, SIZES + ZOOMED) == {}


def test_nothing_moves_when_the_values_change(browse, server):
    """Neither when a number gains digits nor when a short name becomes a long one."""
    page = browse(server)
    # Before the noise is known, a reason for doubt may come or go.
    page.wait_until("document.getElementById('noise').textContent !== '–'")
    page.driver.execute_script("""
      const parse = JSON.parse;
      let turn = 0;
      JSON.parse = (text, ...more) => {
        const value = parse(text, ...more);
        if (!value?.rgb) return value;
        const light = turn++ % 2 === 0;
        Object.assign(value, light
          ? { rgb: { r: 255, g: 255, b: 255 }, hex: "#FFFFFF", brightness: 1, textColor: "#000000" }
          : { rgb: { r: 9, g: 9, b: 9 }, hex: "#090909", brightness: 0.03, textColor: "#FFFFFF" });
        if (value.color) {
          value.color.name = light
            ? { css: "lightgoldenrodyellow", deltaE: 12.3, plain: "very light greyish yellow" }
            : { css: "red", deltaE: 0, plain: "red" };
        }
        return value;
      };
    """)
    boxes = {tuple(reading["boxes"]) for reading in page.wait_for_readings(8)[2:]}
    assert len(boxes) == 1
