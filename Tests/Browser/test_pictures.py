"""The live picture, the region on it, the effect beside it, and the sparkles."""

import json
import urllib.request

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

LIVE = "document.getElementById('live')"
PROCESSED = "document.getElementById('processed')"


def settings(server):
    with urllib.request.urlopen(f"{server.url}api/settings") as response:
        return json.load(response)


def change(server, **values):
    body = json.dumps(values).encode()
    request = urllib.request.Request(
        f"{server.url}api/settings", body, {"Content-Type": "application/json"}, method="PUT"
    )
    urllib.request.urlopen(request).close()


@pytest.fixture
def pictures(page):
    """The dashboard, once the live picture is there."""
    page.wait_until(f"{LIVE}.naturalWidth === 640")
    return page


def hide(page, is_hidden):
    page.driver.execute_script(
        """
        Object.defineProperty(document, "visibilityState", { value: arguments[0], configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
        """,
        "hidden" if is_hidden else "visible",
    )


def test_the_live_picture_is_shown_and_the_console_is_silent(pictures):
    assert pictures.element("live").is_displayed()
    assert pictures.console() == []


def test_the_colour_lies_over_the_picture_on_its_own_ground(pictures):
    box = pictures.driver.execute_script(
        "return ['.stage', '.view', '.swatch']"
        ".map((selector) => document.querySelector(selector).getBoundingClientRect().toJSON())"
    )
    stage, view, swatch = box
    assert view["width"] / view["height"] == pytest.approx(640 / 480, abs=0.01)
    assert swatch["bottom"] <= stage["bottom"] + 1 and swatch["right"] <= stage["right"] + 1
    assert pictures.element("hex").is_displayed()


def test_a_hidden_page_and_one_that_turned_pictures_off_ask_for_none(pictures):
    hide(pictures, True)
    pictures.wait_until(f"!{LIVE}.hasAttribute('src')")
    hide(pictures, False)
    pictures.wait_until(f"{LIVE}.hasAttribute('src')")
    pictures.element("show-pictures").click()
    pictures.wait_until(f"!{LIVE}.hasAttribute('src')")
    assert not pictures.element("live").is_displayed()


def test_the_choice_is_remembered(pictures, server):
    pictures.element("show-pictures").click()
    pictures.driver.get(server.url)
    assert not pictures.element("show-pictures").is_selected()
    pictures.element("show-pictures").click()
    pictures.wait_until(f"{LIVE}.naturalWidth === 640")


def test_a_page_that_may_remember_nothing_works_all_the_same(browse, server):
    page = browse(server, "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });")
    page.wait_until(f"{LIVE}.naturalWidth === 640")
    page.element("show-pictures").click()
    page.wait_until(f"!{LIVE}.hasAttribute('src')")


def test_an_effect_is_chosen_for_everybody_and_shown_beside(pictures, server):
    assert not pictures.element("processed").is_displayed()
    Select(pictures.element("effect")).select_by_visible_text("Invert")
    pictures.wait_until(f"{PROCESSED}.naturalWidth === 640")
    assert settings(server)["effect"] == "invert"
    Select(pictures.element("effect")).select_by_value("none")
    pictures.wait_until(f"!{PROCESSED}.hasAttribute('src')")


def test_the_page_follows_what_another_page_chose(pictures, server):
    change(server, effect="edges", region=[0.25, 0.25, 0.5, 0.5])
    pictures.wait_until("document.getElementById('effect').value === 'edges'")
    pictures.wait_until("document.getElementById('region').style.width === '50%'")
    assert pictures.element("reset-region").is_displayed()


@pytest.mark.parametrize(
    ("keys", "region"),
    [
        ([Keys.ARROW_RIGHT], [0.26, 0.25, 0.5, 0.5]),
        ([Keys.ARROW_UP, Keys.ARROW_UP], [0.25, 0.23, 0.5, 0.5]),
        ([Keys.SHIFT, Keys.ARROW_LEFT], [0.25, 0.25, 0.49, 0.5]),
        ([Keys.SHIFT, Keys.ARROW_DOWN], [0.25, 0.25, 0.5, 0.51]),
        ([Keys.HOME], [0, 0, 1, 1]),
        ([Keys.ESCAPE], [0, 0, 1, 1]),
    ],
)
def test_the_region_follows_the_keyboard(pictures, server, keys, region):
    change(server, region=[0.25, 0.25, 0.5, 0.5])
    pictures.wait_until("document.getElementById('region').style.width === '50%'")
    pictures.element("region").send_keys(*keys)
    pictures.wait_for(lambda _: settings(server)["region"] == pytest.approx(region), f"region {region}")


def test_the_region_is_drawn_moved_and_resized_with_the_mouse(pictures, server):
    view = pictures.element("view")
    width, height = view.size["width"], view.size["height"]

    def drag(target, x, y, dx, dy):
        actions = ActionChains(pictures.driver).move_to_element_with_offset(target, x, y).click_and_hold()
        actions.move_by_offset(round(dx * width), round(dy * height)).release().perform()

    def wait_for(region):
        near = pytest.approx(region, abs=0.01)
        pictures.wait_for(lambda _: settings(server)["region"] == near, f"region {region}")

    # From the middle up and left: offsets count from an element's centre.
    drag(view, 0, 0, -0.25, -0.25)
    wait_for([0.25, 0.25, 0.25, 0.25])
    drag(pictures.element("region"), 0, 0, 0.1, 0)
    wait_for([0.35, 0.25, 0.25, 0.25])
    drag(pictures.driver.find_element(By.CSS_SELECTOR, "[data-edges='n w']"), 0, 0, -0.1, -0.1)
    wait_for([0.25, 0.15, 0.35, 0.35])
    pictures.element("reset-region").click()
    wait_for([0, 0, 1, 1])


def test_the_colour_makes_way_for_the_region(pictures, server):
    def left():
        return pictures.driver.find_element(By.CSS_SELECTOR, ".swatch").location["x"]

    before = left()
    change(server, region=[0.1, 0.6, 0.2, 0.3])
    pictures.wait_for(lambda _: left() > before + 100, "the colour to make way")
    change(server, region=[0.7, 0.6, 0.2, 0.3])
    pictures.wait_for(lambda _: left() == before, "the colour to come back")


def test_what_the_server_refuses_is_told(pictures):
    pictures.driver.execute_script(
        "window.fetch = async () => new Response(JSON.stringify({ error: { message: 'No such thing' } }), "
        "{ status: 400 })"
    )
    Select(pictures.element("effect")).select_by_value("edges")
    pictures.wait_for(lambda page: page["toast"] == "No such thing", "the reason")


def test_there_are_as_many_sparkles_as_there_is_light(pictures):
    count = "Number(document.getElementById('sparkles').dataset.count)"
    assert not pictures.element("sparkles").is_displayed()
    pictures.element("show-sparkles").click()
    # The test pattern's colours are bright enough for dozens.
    pictures.wait_until(f"{count} > 20")
    brightness = float(pictures.snapshot()["meter"])
    pictures.wait_until(f"Math.abs({count} - 120 * {brightness}) < 40")
    pictures.element("show-sparkles").click()
    pictures.wait_until(f"{count} === 0")


def test_sparkles_stand_still_for_who_wants_less_motion(pictures):
    pictures.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    )
    frames = "window.requestAnimationFrame = () => { throw new Error('motion'); }"
    pictures.driver.execute_script(frames)
    pictures.element("show-sparkles").click()
    pictures.wait_until("Number(document.getElementById('sparkles').dataset.count) > 20")
    pictures.element("show-sparkles").click()
    pictures.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert pictures.console() == []
