"""The area of the picture that is read: by mouse, by touch and by keyboard, with a way back."""

import pytest
from Harness.api import get_json, request
from Harness.waiting import wait_until
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.slow

FULL = [0, 0, 1, 1]
MIDDLE = [0.25, 0.25, 0.5, 0.5]


def region(server):
    return get_json(f"{server.url}api/settings")["region"]


def wait_for(server, wanted, tolerance=0.0001):
    near = pytest.approx(wanted, abs=tolerance)
    wait_until(lambda: region(server), f"not the region {wanted}", holds=lambda found: found == near)


@pytest.fixture
def start_with(page, server):
    """Shows the page with this region. Afterwards the whole picture is read again."""

    def start(value=FULL):
        request(f"{server.url}api/settings", "PUT", {"region": value})
        page.wait_until("document.getElementById('live').dataset.shown")
        page.wait_until(f"document.getElementById('region').style.width === '{value[2] * 100:g}%'")
        return page

    yield start
    request(f"{server.url}api/settings", "PUT", {"region": FULL})


def drag(page, target, start, by):
    """Drags from a place by a distance, both in fractions of the picture; a place is relative to the centre of `target`."""
    size = page.element("view").size
    pixels = [round(value * size[side]) for value, side in zip((*start, *by), ("width", "height") * 2, strict=True)]
    actions = ActionChains(page.driver).move_to_element_with_offset(target, *pixels[:2]).click_and_hold()
    actions.move_by_offset(*pixels[2:]).release().perform()


def test_a_drag_draws_an_area_also_where_there_is_one(start_with, server):
    page = start_with()
    view = page.element("view")
    drag(page, view, (0, 0), (-0.25, -0.25))
    wait_for(server, [0.25, 0.25, 0.25, 0.25], 0.01)
    for place in [(0.3, 0.3), (-0.2, -0.2)]:
        drag(page, view, place, (0.1, 0.1))
        wait_for(server, [0.5 + place[0], 0.5 + place[1], 0.1, 0.1], 0.01)


def test_a_click_selects_a_spot_of_a_twentieth_of_the_width_although_the_mouse_slips(start_with, server):
    page = start_with()
    view = page.element("view")
    ActionChains(page.driver).move_to_element_with_offset(view, 0, 0).click().perform()
    # The picture is 640 x 480, and the spot is a square.
    wait_for(server, [0.475, 0.4667, 0.05, 0.0667], 0.005)
    middle = (round(0.2 * view.size["width"]), round(0.2 * view.size["height"]))
    actions = ActionChains(page.driver).move_to_element_with_offset(view, *middle).click_and_hold()
    actions.move_by_offset(4, 4).release().perform()
    wait_for(server, [0.675, 0.6667, 0.05, 0.0667], 0.02)


def test_a_handle_resizes_or_moves_the_area(start_with, server):
    page = start_with(MIDDLE)
    for edges, by, wanted in [
        ("n w", (-0.1, -0.1), [0.15, 0.15, 0.6, 0.6]),
        ("e", (0.1, 0), [0.15, 0.15, 0.7, 0.6]),
        ("all", (0.1, 0.05), [0.25, 0.2, 0.7, 0.6]),
    ]:
        drag(page, page.driver.find_element(By.CSS_SELECTOR, f"[data-edges='{edges}']"), (0, 0), by)
        wait_for(server, wanted, 0.01)


def test_a_drag_that_begins_farther_from_a_small_area_than_a_mouse_misses_draws_another_one(start_with, server):
    page = start_with([0.475, 0.4667, 0.05, 0.0667])
    frame = page.element("region").rect
    outside = (-frame["width"] / 2 - 16, -frame["height"] / 2 - 16)
    actions = ActionChains(page.driver).move_to_element_with_offset(page.element("region"), *map(round, outside))
    actions.click_and_hold().move_by_offset(-40, -30).move_by_offset(-40, -30).release().perform()
    view = page.element("view").rect
    drawn = wait_until(lambda: region(server), "the area stays", holds=lambda now: now[2:] != [0.05, 0.0667])
    assert drawn[2:] == pytest.approx([80 / view["width"], 60 / view["height"]], abs=0.01)


def test_every_handle_measures_24_pixels_at_least(start_with):
    page = start_with(MIDDLE)
    sizes = page.driver.execute_script(
        "return [...document.querySelectorAll('.handle')].map((handle) => [handle.offsetWidth, handle.offsetHeight])"
    )
    assert len(sizes) == 9 and min(min(size) for size in sizes) >= 24


def test_no_handle_of_a_spot_covers_the_spot_or_another_handle_and_their_marks_touch_its_frame(start_with):
    page = start_with([0.475, 0.4667, 0.05, 0.0667])
    boxes = page.driver.execute_script("""
      return [document.getElementById("region"), ...document.querySelectorAll(".handle")]
        .filter((element) => element.checkVisibility())
        .map((element) => element.getBoundingClientRect().toJSON());
    """)
    assert len(boxes) == 5
    for index, one in enumerate(boxes):
        for other in boxes[index + 1 :]:
            wide = min(one["right"], other["right"]) - max(one["left"], other["left"])
            high = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
            # A handle overlaps the corner that it belongs to a little.
            assert wide <= 3 or high <= 3
    gaps = page.driver.execute_script("""
      const frame = document.getElementById("region").getBoundingClientRect();
      return [...document.querySelectorAll(".handle")].filter((handle) => handle.checkVisibility()).flatMap((handle) => {
        const box = handle.getBoundingClientRect();
        const mark = getComputedStyle(handle, "::after");
        const [left, right] = [box.left + parseFloat(mark.left), box.right - parseFloat(mark.right)];
        const [top, bottom] = [box.top + parseFloat(mark.top), box.bottom - parseFloat(mark.bottom)];
        return [Math.max(frame.left - right, left - frame.right), Math.max(frame.top - bottom, top - frame.bottom)];
      });
    """)
    assert len(gaps) == 8 and max(gaps) <= 0


def test_a_click_sets_a_spot_unless_it_is_on_a_handle_at_the_area(start_with, server):
    spot = [0.475, 0.4667, 0.05, 0.0667]
    page = start_with(spot)
    frame = page.element("region").rect
    for beyond, handle, wanted in [(4, "s e", spot), (16, None, [0.525, 0.5334, 0.05, 0.0667])]:
        half = (frame["width"] / 2 + beyond, frame["height"] / 2 + beyond)
        target = page.driver.execute_script(
            "return document.elementFromPoint(...arguments).dataset.edges",
            *(
                frame[axis] + frame[side] / 2 + by
                for axis, side, by in zip("xy", ("width", "height"), half, strict=True)
            ),
        )
        assert target == handle
        ActionChains(page.driver).move_to_element_with_offset(page.element("region"), *half).click().perform()
        page.wait_for_readings(2)
        wait_for(server, wanted, 0.01)


def test_a_change_can_be_undone_from_the_message_about_it(start_with, server):
    page = start_with(MIDDLE)
    drag(page, page.element("view"), (-0.3, -0.3), (0.1, 0.1))
    wait_for(server, [0.2, 0.2, 0.1, 0.1], 0.01)
    assert page.snapshot()["toast"] == "The area was changed"
    page.element("undo").click()
    wait_for(server, MIDDLE)
    assert not page.element("undo").is_displayed()


def test_a_click_on_the_picture_while_a_reading_is_held_says_that_the_area_is_fixed(start_with, server):
    page = start_with(MIDDLE)
    page.element("hold").click()
    page.wait_until("document.getElementById('region-hint').textContent.includes('fixed')")
    drag(page, page.element("view"), (0.1, 0.1), (0, 0))
    page.wait_until("document.getElementById('toast').textContent === 'The area is fixed until you continue'")
    assert region(server) == MIDDLE


def test_a_button_selects_the_whole_picture_and_the_page_says_how_to_select_an_area(start_with, server):
    page = start_with(MIDDLE)
    page.element("reset-region").click()
    wait_for(server, FULL)
    page.wait_until("!document.getElementById('reset-region').checkVisibility()")
    hint = page.element("region-hint")
    assert hint.is_displayed() and hint.text == "Whole picture. Drag for another area, click for a spot."


def test_the_area_follows_the_keyboard(start_with, server):
    page = start_with(MIDDLE)
    for keys, wanted in [
        ([Keys.ARROW_RIGHT], [0.26, 0.25, 0.5, 0.5]),
        ([Keys.ARROW_UP, Keys.ARROW_UP], [0.26, 0.23, 0.5, 0.5]),
        ([Keys.SHIFT, Keys.ARROW_LEFT], [0.26, 0.23, 0.49, 0.5]),
        ([Keys.SHIFT, Keys.ARROW_DOWN], [0.26, 0.23, 0.49, 0.51]),
        ([Keys.HOME], FULL),
        # The whole picture cannot be moved.
        ([Keys.ARROW_RIGHT], [0.475, 0.4667, 0.05, 0.0667]),
        ([Keys.ARROW_RIGHT], [0.485, 0.4667, 0.05, 0.0667]),
        ([Keys.HOME], FULL),
        ([Keys.SHIFT, Keys.ARROW_LEFT], [0, 0, 0.99, 1]),
    ]:
        page.element("region").send_keys(*keys)
        wait_for(server, wanted)


def test_the_steps_of_a_key_grow_while_it_is_pressed(start_with, server):
    page = start_with()
    page.driver.execute_script("""
      const frame = document.getElementById("region");
      const press = () => frame.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", shiftKey: true, cancelable: true }));
      for (let count = 0; count < 15; count++) press();
    """)
    # Three presses each of 1, 2, 4, 8 and 8 per cent.
    wait_for(server, [0, 0, 0.31, 1])


# The time of a long press passes only when a test calls `pressLong`, so that a slow machine makes none of a tap.
LONG_PRESS = """
const [startTimer, endTimer] = [setTimeout, clearTimeout];
let press = null;
window.setTimeout = (job, delay, ...rest) => {
  if (delay !== 500) return startTimer(job, delay, ...rest);
  press = { job, timer: startTimer(() => {}, 0) };
  return press.timer;
};
window.clearTimeout = (timer) => {
  if (timer === press?.timer) press = null;
  endTimer(timer);
};
window.pressLong = () => {
  press?.job();
  press = null;
};
"""


class Fingers:
    """Fingers on the screen. Places are fractions of the width and height that the picture had at first."""

    def __init__(self, page):
        self.driver = page.driver
        self.box = self.driver.execute_script("return document.getElementById('view').getBoundingClientRect().toJSON()")

    def __call__(self, kind, *places):
        box = self.box
        points = [{"x": box["left"] + x * box["width"], "y": box["top"] + y * box["height"]} for x, y in places]
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def rest(self):
        """Lets the time of a long press pass, once the page has handled the touches."""
        self.driver.execute_async_script("""
          const done = arguments[0];
          requestAnimationFrame(() => requestAnimationFrame(() => done(pressLong())));
        """)


def swipe(page):
    """A finger on the picture moves up and to the left."""
    touch = Fingers(page)
    touch("touchStart", (0.4, 0.4))
    for place in (0.35, 0.3, 0.1):
        touch("touchMove", (place, place))
    touch("touchEnd")


def scroll_position(page):
    return page.driver.execute_script("return scrollY")


@pytest.fixture
def phone(start_with):
    page = start_with(MIDDLE)
    page.driver.execute_script(LONG_PRESS)
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    page.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    )
    page.driver.execute_script("document.getElementById('view').scrollIntoView({ block: 'center' })")
    yield page
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_a_swipe_on_the_picture_scrolls_the_page_and_keeps_the_area(phone, server):
    phone.driver.execute_script("""
      window.events = [];
      for (const name of ["pointercancel", "pointerup"]) addEventListener(name, () => events.push(name), true);
    """)
    touch = Fingers(phone)
    before = scroll_position(phone)
    touch("touchStart", (0.5, 0.8))
    for y in (0.7, 0.6, 0.5, 0.4, 0.3):
        touch("touchMove", (0.5, y))
    phone.wait_until(f"scrollY > {before + 50}")
    touch("touchEnd")
    # The browser takes a touch over when it scrolls.
    assert phone.driver.execute_script("return events") == ["pointercancel"]
    phone.wait_for_readings(4)
    assert region(server) == MIDDLE


def test_touch_selects_an_area_after_a_press_on_select_area(phone, server):
    phone.element("select-area").click()
    phone.driver.execute_script("document.getElementById('view').scrollIntoView({ block: 'center' })")
    before = scroll_position(phone)
    swipe(phone)
    wait_for(server, [0.1, 0.1, 0.3, 0.3], 0.02)
    assert scroll_position(phone) == before
    phone.element("select-area").click()
    assert phone.element("select-area").text == "Select area"


SELECTING = "document.getElementById('dashboard').hasAttribute('data-selecting')"


def test_a_finger_that_rests_on_the_picture_begins_to_select_an_area(phone, server):
    touch = Fingers(phone)
    touch("touchStart", (0.4, 0.4))
    touch.rest()
    phone.wait_until(SELECTING)
    assert phone.element("select-area").text == "Done"
    before = scroll_position(phone)
    for place in (0.35, 0.3, 0.1):
        touch("touchMove", (place, place))
    touch("touchEnd")
    wait_for(server, [0.1, 0.1, 0.3, 0.3], 0.02)
    assert scroll_position(phone) == before


def test_a_long_press_alone_reads_the_spot_below_the_finger(phone, server):
    touch = Fingers(phone)
    touch("touchStart", (0.4, 0.4))
    touch.rest()
    phone.wait_until(SELECTING)
    touch("touchEnd")
    wait_for(server, [0.375, 0.3667, 0.05, 0.0667], 0.02)


def test_a_tap_reads_the_spot_below_the_finger_and_can_be_undone(phone, server):
    touch = Fingers(phone)
    touch("touchStart", (0.4, 0.4))
    touch("touchEnd")
    wait_for(server, [0.375, 0.3667, 0.05, 0.0667], 0.02)
    phone.wait_until("document.getElementById('undo').checkVisibility()")
    phone.element("undo").click()
    wait_for(server, MIDDLE)


def test_a_tap_changes_nothing_while_a_reading_is_held(phone, server):
    phone.driver.execute_script("document.getElementById('hold').click()")
    touch = Fingers(phone)
    touch("touchStart", (0.4, 0.4))
    touch("touchEnd")
    phone.wait_until("document.getElementById('toast').textContent === 'The area is fixed until you continue'")
    assert region(server) == MIDDLE


def test_a_tap_a_swipe_or_a_pinch_is_not_a_long_press(phone):
    touch = Fingers(phone)
    touch("touchStart", (0.4, 0.4))
    touch("touchEnd")
    touch.rest()
    assert not phone.driver.execute_script(f"return {SELECTING}")
    for then in [("touchMove", (0.3, 0.3)), ("touchStart", (0.4, 0.4), (0.6, 0.6))]:
        touch("touchStart", (0.4, 0.4))
        touch(*then)
        touch.rest()
        assert not phone.driver.execute_script(f"return {SELECTING}")
        touch("touchEnd")


def test_a_pinch_on_the_picture_zooms_the_page(phone, server):
    touch = Fingers(phone)
    touch("touchStart", (0.45, 0.45))
    touch("touchStart", (0.45, 0.45), (0.55, 0.55))
    for distance in (0.1, 0.2, 0.3, 0.4):
        touch("touchMove", (0.5 - distance, 0.5), (0.5 + distance, 0.5))
    touch("touchEnd")
    phone.wait_until("visualViewport.scale > 1.5")
    assert region(server) == MIDDLE
