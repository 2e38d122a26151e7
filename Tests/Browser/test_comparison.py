"""Colours to show to a camera, and their differences from what it reads."""

import pytest
from Harness.cases import sampled
from Harness.chromium import set_size
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.slow

SIZES = [(320, 568), (390, 844), (740, 360), (800, 480), (1024, 768), (1366, 768), (1920, 1080), (3840, 2160)]


def test_a_solid_colour_fills_the_screen_and_links_back_to_the_dashboard(browse, server):
    driver = browse(server).driver
    driver.get(f"{server.url}test/3fa7d6")
    rect = driver.find_element(By.CSS_SELECTOR, "rect")
    assert rect.get_attribute("fill") == "#3FA7D6"
    assert rect.size == driver.execute_script("return { width: innerWidth, height: innerHeight }")
    driver.find_element(By.LINK_TEXT, "Swatchcam").click()
    assert driver.current_url == server.url


# The comparison. These scripts change the readings on their way to the page, and shorten the time for
# which it shows a colour, but not the time after which readings are too old.

CLOCK = """
const slow = setTimeout;
window.setTimeout = (f, ms, ...rest) => slow(f, ms === 2_500 || ms === 1_500 ? ms / 50 : ms, ...rest);
"""

CAMERA = """
// What a camera would read of the colour that the page shows.
window.camera = { state: "live", offset: 0, message: null };
const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "data");
Object.defineProperty(MessageEvent.prototype, "data", {
  get() {
    const data = get.call(this);
    if (typeof data !== "string" || !data.includes('"state"')) return data;
    const reading = JSON.parse(data);
    const fill = document.getElementById("shown").getAttribute("fill");
    const { state, offset, message } = window.camera;
    const code = (index) => Math.min(255, Math.max(0, parseInt(fill.slice(index, index + 2), 16) + offset));
    const mean = fill === "none" ? reading.mean : { r: code(1), g: code(3), b: code(5) };
    return JSON.stringify({ ...reading, state, message, mean: message ? null : mean });
  },
});
"""

HELD = """
// The first colour is shown until `held` is false.
window.held = true;
const ask = fetch;
window.fetch = async (address, how) => {
  while (window.held) await new Promise((resolve) => slow(resolve, 10));
  return ask(address, how);
};
"""

DIFFERENCES = """
// What the server answers, instead of the true difference.
window.delta = 4;
const askServer = fetch;
window.fetch = async (address, how) => {
  if (!String(address).startsWith("api/difference")) return askServer(address, how);
  while (window.held) await new Promise((resolve) => slow(resolve, 10));
  return Response.json({ deltaE00: delta, deltaE76: 9, parts: { lightness: -0.04, chroma: -2, hue: 1 },
    words: { lightness: "darker", chroma: "duller", hue: "yellower" } });
};
"""

WATCH = """
window.seen = [];
const progress = document.getElementById("progress");
new MutationObserver(() => window.seen.push(progress.textContent)).observe(progress, { childList: true });
"""


@pytest.fixture(scope="module")
def quick_server(shared_servers):
    return shared_servers(config="[readings]\nrate = 40\n")


@pytest.fixture
def comparison(browse):
    """Opens the test page of a server after these scripts, with colours that are shown for a short time."""

    def open_page(server, *scripts):
        page = browse(server, "\n".join([CLOCK, *scripts]))
        page.driver.get(f"{server.url}test")
        page.wait_until("document.getElementById('status').textContent !== 'Waiting for a reading.'")
        return page

    return open_page


def press(page, name):
    page.driver.execute_script("document.getElementById(arguments[0]).click()", name)


def status_after_run(page):
    page.wait_until("document.getElementById('show').hidden && document.getElementById('status').textContent")
    return page.element("status").text


def rows(page):
    cells = "[...document.querySelectorAll('#rows tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
    return page.driver.execute_script(f"return {cells}")


def test_the_test_pattern_is_compared_only_if_the_user_insists_and_the_result_is_called_meaningless(
    comparison, quick_server
):
    page = comparison(quick_server)
    assert page.element("warning").is_displayed()
    press(page, "start")
    assert not page.element("show").is_displayed()
    assert page.element("status").text == "Not compared: Swatchcam reads its test pattern, not a camera."
    assert page.driver.switch_to.active_element.get_attribute("id") == "anyway"
    press(page, "anyway")
    assert status_after_run(page).startswith(
        "The test pattern was compared, not a camera, so the result is meaningless. The mean"
    )


def test_sixteen_colours_that_a_camera_reads_as_shown_are_called_excellent(comparison, quick_server):
    page = comparison(quick_server, CAMERA, HELD)
    assert not page.element("warning").is_displayed()
    page.driver.execute_script(WATCH)
    press(page, "start")
    assert page.element("progress").is_displayed()
    page.driver.execute_script("window.held = false")
    text = status_after_run(page)
    seen = list(dict.fromkeys(page.driver.execute_script("return seen")))
    assert seen == [f"Colour {number} of 16" for number in range(1, 17)]
    assert text.startswith("Excellent: hardly any difference can be seen. The mean difference is 0.0, the greatest 0.0")
    assert "Above all" not in text
    assert len(rows(page)) == 16
    assert all(shown == read and difference == "0.0" for shown, read, difference, *_ in rows(page))


def test_the_numbers_are_those_of_the_server_with_one_request_a_colour(comparison, quick_server):
    page = comparison(quick_server, CAMERA)
    page.driver.execute_script("camera.offset = -40")
    press(page, "start")
    text = status_after_run(page)
    assert text.startswith("Poor: ")
    assert text.endswith("Above all, the colours read are darker.")
    # The difference of #808080 and #585858, by coloraide 8.13.1.
    assert [row[2] for row in rows(page) if row[0] == "#808080"] == ["15.4"]
    requests = page.driver.execute_script("return performance.getEntriesByType('resource').map(({ name }) => name)")
    assert len([one for one in requests if "api/difference?" in one]) == 16


def test_the_verdict_names_the_greatest_part_of_the_differences(comparison, quick_server):
    page = comparison(quick_server, CAMERA, DIFFERENCES)
    press(page, "start")
    text = status_after_run(page)
    assert text.startswith("Fair: ") and text.endswith("Above all, the colours read are less colourful.")
    assert {tuple(row[2:]) for row in rows(page)} == {("4.0", "0.0", "−2.0", "+1.0")}


def test_the_verdict_follows_the_mean_difference(comparison, quick_server):
    page = comparison(quick_server, CAMERA, DIFFERENCES)
    words = {}
    for difference in (1, 1.1, 3.5, 3.6, 5, 5.1):
        page.driver.execute_script("window.delta = arguments[0]", difference)
        press(page, "start")
        words[difference] = status_after_run(page).partition(":")[0]
    assert words == {1: "Excellent", 1.1: "Good", 3.5: "Good", 3.6: "Fair", 5: "Fair", 5.1: "Poor"}


def test_a_camera_that_is_lost_or_replaced_by_a_test_pattern_ends_the_comparison_with_the_reason(
    comparison, quick_server
):
    page = comparison(quick_server, CAMERA, HELD)
    press(page, "start")
    page.driver.execute_script("camera.state = 'test-pattern'")
    assert status_after_run(page) == "Not compared: Swatchcam reads its test pattern, not a camera."
    page.driver.execute_script("camera.state = 'live'")
    page.wait_until("document.getElementById('warning').hidden")
    press(page, "start")
    page.driver.execute_script("Object.assign(camera, { state: 'lost', message: 'The camera was unplugged.' })")
    assert status_after_run(page) == "The camera was unplugged."


def test_without_a_camera_the_page_warns_until_there_is_one_and_the_comparison_says_why_it_does_not_start(
    comparison, quick_server
):
    page = comparison(
        quick_server, CAMERA.replace('state: "live", offset: 0, message: null', 'state: "busy", message: "In use."')
    )
    page.wait_until("!document.getElementById('no-color').hidden")
    assert page.element("no-color").text == "There is no colour to compare now. In use."
    press(page, "start")
    assert page.element("status").text == "In use."
    assert not page.element("show").is_displayed()
    page.driver.execute_script("Object.assign(camera, { state: 'live', message: null })")
    page.wait_until("document.getElementById('no-color').hidden")


def test_without_javascript_the_page_offers_single_colours_and_no_button(browse, quick_server):
    page = browse(quick_server)
    page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page.driver.get(f"{quick_server.url}test")
        assert not page.element("start").is_displayed()
        text = page.driver.find_element(By.CSS_SELECTOR, "noscript").text
        assert text.startswith("The comparison needs JavaScript, which is off.")
        page.driver.find_element(By.LINK_TEXT, "green").click()
        assert page.driver.current_url.endswith("/test/green")
    finally:
        page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_server_that_stops_ends_the_comparison(comparison, start_server):
    server = start_server()
    page = comparison(server, CAMERA, HELD)
    press(page, "start")
    server.stop()
    assert status_after_run(page) == "The connection to Swatchcam is lost."


def test_a_comparison_can_be_stopped_by_a_button_and_by_escape(comparison, quick_server):
    page = comparison(quick_server, CAMERA, HELD)
    for key in (Keys.ENTER, Keys.ESCAPE):
        press(page, "start")
        assert page.driver.switch_to.active_element.get_attribute("id") == "stop"
        page.driver.switch_to.active_element.send_keys(key)
        assert page.element("status").text == "Stopped."
        assert not page.element("show").is_displayed()
        assert page.driver.switch_to.active_element.get_attribute("id") == "start"


# A page that is too wide makes innerWidth greater on a phone.
OUTSIDE = """
const [width] = arguments;
return [...document.querySelectorAll("#comparison *")].filter((element) => {
  const box = element.getBoundingClientRect();
  return element.checkVisibility() && box.width > 0 && (box.left < 0 || box.right > width + 0.5);
}).map((element) => element.outerHTML.slice(0, 80));
"""

BAR = """
const [innerWidth, innerHeight] = arguments;
const box = document.querySelector(".comparison-run").getBoundingClientRect();
return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight && box.width > 0
  ? box.width * box.height / (innerWidth * innerHeight) : 1;
"""

VERDICT = """
const [innerHeight] = arguments;
const box = document.getElementById("status").getBoundingClientRect();
return box.top > -1 && box.bottom < innerHeight + 1;
"""


@pytest.mark.parametrize(("width", "height"), sampled(SIZES, 2))
def test_nothing_is_cut_on_any_screen(comparison, quick_server, width, height):
    page = comparison(quick_server, DIFFERENCES, "window.delta = 12.34;", "window.held = true;")
    set_size(page.driver, width, height)
    page.driver.execute_script("document.querySelector('details').open = true")
    assert page.element("warning").is_displayed()
    assert page.driver.execute_script(OUTSIDE, width) == []
    press(page, "anyway")
    # The bar is on the screen, and leaves nearly all of it to the colour.
    assert page.driver.execute_script(BAR, width, height) < 0.09
    page.driver.execute_script("window.held = false")
    status_after_run(page)
    assert len(rows(page)) == 16
    assert page.driver.execute_script(VERDICT, height)
    assert page.driver.execute_script(OUTSIDE, width) == []
    assert page.driver.execute_script("return document.documentElement.scrollWidth") <= width
