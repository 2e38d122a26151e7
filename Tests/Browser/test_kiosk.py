"""The kiosk: a colour on a screen that nobody touches."""

import pytest
from chromium import set_size
from selenium.webdriver.support.ui import WebDriverWait
from swatchcam_server import DEADLINE

SIZES = [(800, 480), (480, 800), (1280, 800), (1920, 1080), (1080, 1920), (3840, 2160)]

OVERFLOW = """
const { innerWidth: width, innerHeight: height } = window;
return [...document.querySelectorAll("#hex, .rgb div, #title, #message, #pattern")].filter((element) => {
  if (!element.checkVisibility() || !element.textContent) return false;
  const range = document.createRange();
  range.selectNodeContents(element);
  const box = range.getBoundingClientRect();
  return box.left < 0 || box.top < 0 || box.right > width || box.bottom > height;
}).map((element) => element.id || element.textContent);
"""


@pytest.fixture
def kiosk(browse):
    """Opens the kiosk of a server."""

    def open_page(server, query="", before=""):
        page = browse(server, before)
        page.driver.get(f"{server.url}kiosk{query}")
        page.wait_until("document.getElementById('kiosk')")
        return page

    return open_page


def has_color(page):
    page.wait_until("document.getElementById('kiosk').hasAttribute('data-color')")


def without_color(page):
    page.wait_until("!document.getElementById('kiosk').hasAttribute('data-color')")


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("query", ["", "?show=picture"])
def test_all_of_it_is_on_the_screen(kiosk, server, width, height, query):
    page = kiosk(server, query)
    set_size(page.driver, width, height)
    has_color(page)
    assert page.driver.execute_script(OVERFLOW) == []
    assert page.driver.execute_script(
        "return [document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]"
    ) == [True, True]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_camera_that_is_missing_is_told_in_large_letters(kiosk, start_server, width, height):
    page = kiosk(start_server("/dev/video99"))
    set_size(page.driver, width, height)
    without_color(page)
    assert page.element("title").text == "No camera"
    size = page.driver.execute_script("return parseFloat(getComputedStyle(document.getElementById('title')).fontSize)")
    assert size >= min(width, height) / 12
    assert page.driver.execute_script(OVERFLOW) == []


def test_the_colour_changes_with_every_reading(kiosk, server):
    page = kiosk(server)
    has_color(page)
    fill = page.element("color").get_attribute("fill")
    page.wait_until(f"document.getElementById('color').getAttribute('fill') !== '{fill}'")
    page.wait_until(
        "document.getElementById('color').getAttribute('fill') === document.getElementById('hex').textContent"
    )


def test_the_picture_is_there_if_it_is_asked_for(kiosk, server):
    page = kiosk(server, "?show=picture")
    page.wait_until("document.getElementById('picture').naturalWidth > 0")
    page = kiosk(server)
    assert page.driver.execute_script("return document.getElementById('picture')") is None


def test_nothing_can_be_pointed_at_or_selected(kiosk, server):
    page = kiosk(server)
    style = "const { cursor, userSelect, overflow } = getComputedStyle(document.body); return [cursor, userSelect, overflow]"
    assert page.driver.execute_script(style) == ["none", "none", "hidden"]


def test_an_old_colour_is_never_shown_and_the_page_comes_back_by_itself(kiosk, server):
    page = kiosk(server)
    has_color(page)
    server.stop()
    without_color(page)
    assert page.element("title").text == "Connection lost"
    server.start()
    has_color(page)


def test_a_server_that_says_nothing_is_no_source_of_colours(kiosk, server):
    page = kiosk(server)
    has_color(page)
    server.suspend()
    without_color(page)
    server.resume()
    has_color(page)


def test_other_pages_are_loaded_when_the_server_comes_back_with_them(kiosk, server):
    page = kiosk(server)
    has_color(page)
    page.driver.execute_script(
        "document.getElementById('kiosk').dataset.resources = '/resources/v-old'; window.mark = 1"
    )
    server.stop()
    without_color(page)
    server.start()
    page.wait_until("window.mark === undefined")
    has_color(page)


def test_the_same_pages_are_not_loaded_again(kiosk, server):
    page = kiosk(
        server,
        before="window.asked = 0; const fetched = fetch; window.fetch = (...all) => { asked += 1; return fetched(...all); };",
    )
    has_color(page)
    page.driver.execute_script("window.mark = 1")
    server.stop()
    without_color(page)
    server.start()
    has_color(page)
    page.wait_until("window.asked > 0")
    assert page.driver.execute_script("return window.mark") == 1


def test_what_stands_on_the_screen_moves_now_and_then(kiosk, server):
    hurry = "const every = setInterval; window.setInterval = (job, time) => every(job, time === 60_000 ? 50 : time);"
    page = kiosk(server, before=hurry)
    places = set()

    def moved(driver):
        places.add(driver.execute_script("return document.getElementById('content').style.translate"))
        return len(places) > 3

    WebDriverWait(page.driver, DEADLINE, poll_frequency=0.05).until(moved)
    offsets = [int(part.removesuffix("px")) for place in places if place for part in place.split()]
    assert all(-8 <= offset <= 8 for offset in offsets)


def test_the_screen_is_kept_on(kiosk, server):
    lock = "Object.defineProperty(navigator, 'wakeLock', { value: { request: async (kind) => (window.kept = kind, new EventTarget()) } });"
    page = kiosk(server, before=lock)
    page.wait_until("window.kept === 'screen'")


def test_it_complains_of_nothing(kiosk, server):
    page = kiosk(server, "?show=picture")
    has_color(page)
    assert page.console() == []
