"""The kiosk: a full-screen view for unattended displays."""

import fake_readings
import pytest
from Harness.api import request
from Harness.cases import sampled
from Harness.chromium import set_size
from Harness.waiting import wait_until

pytestmark = pytest.mark.slow

SIZES = [(800, 480), (480, 800), (1280, 800), (1920, 1080), (1080, 1920), (3840, 2160)]

OVERFLOW = """
const { innerWidth: width, innerHeight: height } = window;
return [...document.querySelectorAll("#hex, .channels div, header > *, #name, #title, #message, #doubt")].filter((element) => {
  if (!element.checkVisibility() || !element.textContent) return false;
  const range = document.createRange();
  range.selectNodeContents(element);
  const box = range.getBoundingClientRect();
  return box.left < 0 || box.top < 0 || box.right > width || box.bottom > height;
}).map((element) => element.id || element.textContent);
"""


@pytest.fixture(scope="module")
def server_without_camera(shared_servers):
    return shared_servers("/dev/video99")


@pytest.fixture
def restartable_server(start_server):
    return start_server()


@pytest.fixture
def kiosk(browse):
    """Opens the kiosk of a server."""

    def open_page(server, query="", before=""):
        page = browse(server, before)
        page.driver.get(f"{server.url}kiosk{query}")
        page.wait_until("document.getElementById('kiosk')")
        return page

    return open_page


def wait_for_color(page):
    page.wait_until("document.getElementById('kiosk').hasAttribute('data-color')")


def wait_for_another_color(page):
    fill = page.element("color").get_attribute("fill")
    page.wait_until(f"document.getElementById('color').getAttribute('fill') !== '{fill}'")


def wait_for_no_color(page):
    page.wait_until("!document.getElementById('kiosk').hasAttribute('data-color')")


@pytest.mark.parametrize(
    "query",
    ["?name&quality", "", *(f"?show={view}&name&quality" for view in ("picture", "overlay", "history"))],
)
def test_the_whole_kiosk_fits_on_the_screen(kiosk, server, query):
    page = kiosk(server, query)
    wait_for_color(page)
    for width, height in SIZES:
        set_size(page.driver, width, height)
        assert page.driver.execute_script(OVERFLOW) == [], (width, height)
        assert page.driver.execute_script(
            "return [document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]"
        ) == [True, True], (width, height)


def test_a_missing_camera_is_reported_in_large_letters(kiosk, server_without_camera):
    page = kiosk(server_without_camera)
    wait_for_no_color(page)
    assert page.element("title").text == "No camera"
    letters = "return parseFloat(getComputedStyle(document.getElementById('title')).fontSize)"
    for width, height in SIZES:
        set_size(page.driver, width, height)
        assert page.driver.execute_script(letters) >= min(width, height) / 12
        assert page.driver.execute_script(OVERFLOW) == [], (width, height)


def test_colour_and_picture_follow_the_camera_and_the_console_stays_silent(kiosk, server):
    page = kiosk(server, "?show=picture")
    wait_for_color(page)
    wait_for_another_color(page)
    page.wait_until(
        "document.getElementById('color').getAttribute('fill') === document.getElementById('hex').textContent"
    )
    page.wait_until("document.getElementById('picture').dataset.shown === '640x480'")
    # The whole picture is read, which needs no frame.
    assert not page.element("area").is_displayed()
    assert page.console() == []


def test_the_colour_disappears_when_the_server_goes_silent_or_stops_and_returns_with_it_without_reloading_the_page(
    kiosk, restartable_server
):
    page = kiosk(
        restartable_server,
        before="""
          window.answers = 0;
          const request = fetch;
          window.fetch = async (...all) => {
            const response = await request(...all);
            await response.clone().text();
            answers++;
            return response;
          };
        """,
    )
    wait_for_color(page)
    page.driver.execute_script("window.mark = 1")
    restartable_server.suspend()
    wait_for_no_color(page)
    restartable_server.resume()
    wait_for_color(page)
    restartable_server.stop()
    page.wait_until("document.getElementById('title').textContent === 'Connection lost'")
    assert page.element("kiosk").get_attribute("data-color") is None
    page.driver.execute_script("window.answers = 0")
    restartable_server.start()
    wait_for_color(page)
    page.wait_until("window.answers > 0")
    # The page has time for what it does with the answer.
    for _ in range(2):
        wait_for_another_color(page)
    assert page.driver.execute_script("return window.mark") == 1


def test_the_kiosk_reloads_when_the_server_returns_with_other_pages(kiosk, restartable_server):
    page = kiosk(restartable_server)
    wait_for_color(page)
    page.driver.execute_script(
        "document.getElementById('kiosk').dataset.resources = '/resources/v-old'; window.mark = 1"
    )
    restartable_server.stop()
    wait_for_no_color(page)
    restartable_server.start()
    page.wait_until("window.mark === undefined")
    wait_for_color(page)


def test_the_kiosk_keeps_the_screen_on_moves_its_content_to_spare_it_and_has_no_pointer_and_no_selection(kiosk, server):
    hurry = "const every = setInterval; window.setInterval = (job, time) => every(job, time === 60_000 ? 50 : time);"
    lock = "Object.defineProperty(navigator, 'wakeLock', { value: { request: async (kind) => (window.kept = kind, new EventTarget()) } });"
    page = kiosk(server, before=hurry + lock)
    page.wait_until("window.kept === 'screen'")
    style = "const { cursor, userSelect, overflow } = getComputedStyle(document.body); return [cursor, userSelect, overflow]"
    assert page.driver.execute_script(style) == ["none", "none", "hidden"]
    places = set()

    def seen():
        places.add(page.driver.execute_script("return document.getElementById('content').style.translate"))
        return places

    wait_until(seen, "the content does not move", holds=lambda places: len(places) > 3)
    offsets = [int(part.removesuffix("px")) for place in places if place for part in place.split()]
    assert all(-8 <= offset <= 8 for offset in offsets)


EXPIRY = """
const expiry = document.getAnimations().filter((animation) => animation.animationName === "expire");
for (const animation of expiry) animation.currentTime = arguments[0];
return [...document.body.children].filter((element) => element.checkVisibility({ visibilityProperty: true })).length;
"""


@pytest.fixture
def without_script(driver):
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/kiosk.js"]})
    yield
    driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})


@pytest.mark.usefixtures("without_script")
def test_a_colour_whose_script_never_loads_is_hidden_after_ten_seconds(kiosk, server):
    page = kiosk(server)
    assert page.driver.execute_script(EXPIRY, 9_999) > 0
    assert page.driver.execute_script(EXPIRY, 10_000) == 0


def test_a_colour_is_not_hidden_once_the_script_has_loaded(kiosk, server):
    page = kiosk(server)
    page.wait_until("'script' in document.getElementById('kiosk').dataset")
    assert page.driver.execute_script(EXPIRY, 10_000) > 0


AREA = "[readings]\nregion = [0.1, 0.2, 0.1, 0.1]\n"


@pytest.fixture(scope="module")
def titled_server(shared_servers):
    """A server that reads a small area near the picture's left edge, and whose pages have a title."""
    return shared_servers(config=f'{AREA}[web]\ntitle = "Caps, line 3"\n')


def test_the_picture_covers_no_figure_with_the_name_and_the_grade(kiosk, titled_server):
    page = kiosk(titled_server, "?show=picture&name&quality")
    wait_for_color(page)
    page.wait_until("document.getElementById('picture').dataset.shown")
    for width, height in [*SIZES, (390, 844)]:
        set_size(page.driver, width, height)
        page.wait_for_drawing()
        assert page.driver.execute_script(OVERFLOW) == [], (width, height)
        bottom, top = page.driver.execute_script(
            "return [document.querySelector('.channels').getBoundingClientRect().bottom, document.getElementById('screen').getBoundingClientRect().top]"
        )
        assert bottom <= top, (width, height)


BOXES = """
const box = (id) => document.getElementById(id).getBoundingClientRect().toJSON();
return [box("area"), box("picture"), [innerWidth, innerHeight]];
"""


def test_the_area_that_is_read_has_a_frame_on_the_picture(kiosk, titled_server):
    page = kiosk(titled_server, "?show=picture")
    page.wait_until("document.getElementById('picture').dataset.shown")
    area, picture, _ = page.driver.execute_script(BOXES)
    assert area["left"] - picture["left"] == pytest.approx(0.1 * picture["width"], abs=1)
    assert area["top"] - picture["top"] == pytest.approx(0.2 * picture["height"], abs=1)
    assert area["width"] == pytest.approx(0.1 * picture["width"], abs=1)


def test_the_area_that_is_read_stays_in_sight_where_the_overlay_is_cut(kiosk, titled_server):
    page = kiosk(titled_server, "?show=overlay")
    page.wait_until("document.getElementById('picture').dataset.shown")
    for width, height in ((390, 844), (800, 480), (1920, 600)):
        set_size(page.driver, width, height)
        page.wait_for_drawing()
        area, _, [inner_width, inner_height] = page.driver.execute_script(BOXES)
        assert 0 <= area["left"] < area["right"] <= inner_width
        assert 0 <= area["top"] < area["bottom"] <= inner_height


def test_the_kiosk_shows_name_quality_and_title_on_request(kiosk, titled_server):
    page = kiosk(titled_server, "?name&quality")
    page.wait_until("['Good', 'Fair', 'Poor'].includes(document.getElementById('grade').textContent)")
    assert page.element("name").text != ""
    assert page.driver.find_element("tag name", "h1").text == "Caps, line 3"
    assert page.driver.title.endswith(" · Caps, line 3")


def test_the_kiosk_calls_nothing_good_before_its_noise_is_known(kiosk, server):
    good = {"grade": "good", "flags": []}
    page = kiosk(server, "?quality", fake_readings.script(quality=good, noise=None))
    wait_for_color(page)
    assert page.element("grade").text == "–"
    page.driver.execute_script("fake.noise = { deltaE: 0.2 }")
    page.wait_until("document.getElementById('grade').textContent === 'Good'")


@pytest.mark.parametrize(
    "query", sampled(["?name&quality", "?show=overlay&name&quality", "?show=picture&name&quality"])
)
def test_every_line_is_as_high_as_its_letters(kiosk, titled_server, query):
    page = kiosk(titled_server, query)
    set_size(page.driver, 1920, 1080)
    wait_for_color(page)
    shares = page.driver.execute_script("""
      return ["header", "#name", "#hex", ".channels"].map((selector) => {
        const line = document.querySelector(`.color ${selector}`);
        return line.getBoundingClientRect().height / parseFloat(getComputedStyle(line).fontSize);
      });
    """)
    assert min(shares) >= 1


def test_without_a_request_the_kiosk_shows_neither_name_nor_quality_and_its_figures_follow_their_names_without_a_gap(
    kiosk, server
):
    page = kiosk(server)
    wait_for_color(page)
    assert page.driver.find_elements("id", "name") == page.driver.find_elements("id", "quality") == []
    gaps = page.driver.execute_script("""
return [...document.querySelectorAll(".channels div")].map((row) => {
  const range = document.createRange();
  range.selectNodeContents(row.querySelector("dd"));
  const [name, value] = [row.querySelector("dt").getBoundingClientRect(), range.getClientRects()[0]];
  return (value.left - name.right) / parseFloat(getComputedStyle(row).fontSize);
});""")
    assert max(gaps) < 0.5


def test_a_wrong_request_for_the_name_is_refused(server):
    assert request(f"{server.url}kiosk?name=yes").status == 400
