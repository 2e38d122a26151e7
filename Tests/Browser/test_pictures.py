"""The live picture, the region on it, the effect beside it, and the sparkles."""

import pytest
from Harness.api import ask, get_json
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

LIVE = "document.getElementById('live')"
PROCESSED = "document.getElementById('processed')"


def settings(server):
    return get_json(f"{server.url}api/settings")


def change(server, **values):
    assert ask(f"{server.url}api/settings", "PUT", values).status == 200


@pytest.fixture
def pictures(page, server):
    """The dashboard, once it shows the live picture. Afterwards the settings are the usual ones again."""
    page.wait_until(f"{LIVE}.naturalWidth === 640")
    yield page
    change(server, effect="none", region=[0, 0, 1, 1])


def hide(page, is_hidden):
    page.driver.execute_script(
        """
        Object.defineProperty(document, "visibilityState", { value: arguments[0], configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
        """,
        "hidden" if is_hidden else "visible",
    )


def test_the_live_picture_is_shown_and_the_console_stays_silent(pictures):
    assert pictures.element("live").is_displayed()
    assert pictures.console() == []


def test_the_swatch_lies_over_the_picture(pictures):
    box = pictures.driver.execute_script(
        "return ['.stage', '.view', '.swatch']"
        ".map((selector) => document.querySelector(selector).getBoundingClientRect().toJSON())"
    )
    stage, view, swatch = box
    assert view["width"] / view["height"] == pytest.approx(640 / 480, abs=0.01)
    assert swatch["bottom"] <= stage["bottom"] + 1 and swatch["right"] <= stage["right"] + 1
    assert pictures.element("hex").is_displayed()


def test_a_hidden_page_and_one_with_pictures_turned_off_request_no_pictures(pictures):
    hide(pictures, True)
    pictures.wait_until(f"!{LIVE}.hasAttribute('src')")
    hide(pictures, False)
    pictures.wait_until(f"{LIVE}.hasAttribute('src')")
    pictures.element("show-pictures").click()
    pictures.wait_until(f"!{LIVE}.hasAttribute('src')")
    assert not pictures.element("live").is_displayed()


def test_the_choice_to_hide_pictures_is_remembered(pictures, server):
    pictures.element("show-pictures").click()
    pictures.driver.get(server.url)
    assert not pictures.element("show-pictures").is_selected()
    pictures.element("show-pictures").click()
    pictures.wait_until(f"{LIVE}.naturalWidth === 640")


def test_the_page_works_without_local_storage(browse, server):
    page = browse(server, "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });")
    page.wait_until(f"{LIVE}.naturalWidth === 640")
    page.element("show-pictures").click()
    page.wait_until(f"!{LIVE}.hasAttribute('src')")


def test_a_chosen_effect_applies_to_everybody_and_is_shown_beside_the_picture(pictures, server):
    assert not pictures.element("processed").is_displayed()
    Select(pictures.element("effect")).select_by_visible_text("Invert")
    pictures.wait_until(f"{PROCESSED}.naturalWidth === 640")
    assert settings(server)["effect"] == "invert"
    Select(pictures.element("effect")).select_by_value("none")
    pictures.wait_until(f"!{PROCESSED}.hasAttribute('src')")


def test_the_page_follows_settings_that_another_page_changes(pictures, server):
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

    # From the middle up and left; offsets are relative to the centre of an element.
    drag(view, 0, 0, -0.25, -0.25)
    wait_for([0.25, 0.25, 0.25, 0.25])
    drag(pictures.element("region"), 0, 0, 0.1, 0)
    wait_for([0.35, 0.25, 0.25, 0.25])
    drag(pictures.driver.find_element(By.CSS_SELECTOR, "[data-edges='n w']"), 0, 0, -0.1, -0.1)
    wait_for([0.25, 0.15, 0.35, 0.35])
    pictures.element("reset-region").click()
    wait_for([0, 0, 1, 1])


def test_the_swatch_moves_out_of_the_regions_way(pictures, server):
    def left():
        return pictures.driver.find_element(By.CSS_SELECTOR, ".swatch").location["x"]

    before = left()
    change(server, region=[0.1, 0.6, 0.2, 0.3])
    pictures.wait_for(lambda _: left() > before + 100, "the colour beside the region")
    change(server, region=[0.7, 0.6, 0.2, 0.3])
    pictures.wait_for(lambda _: left() == before, "the colour in its place again")


def test_a_refusal_by_the_server_is_explained(pictures):
    pictures.driver.execute_script(
        "window.fetch = async () => new Response(JSON.stringify({ error: { message: 'No such thing' } }), "
        "{ status: 400 })"
    )
    Select(pictures.element("effect")).select_by_value("edges")
    pictures.wait_for(lambda page: page["toast"] == "No such thing", "the reason")


def test_the_number_of_sparkles_follows_the_brightness(pictures):
    count = "Number(document.getElementById('sparkles').dataset.count)"
    assert not pictures.element("sparkles").is_displayed()
    pictures.element("show-sparkles").click()
    # The test pattern is bright enough for dozens.
    pictures.wait_until(f"{count} > 20")
    brightness = float(pictures.snapshot()["meter"])
    pictures.wait_until(f"Math.abs({count} - 120 * {brightness}) < 40")
    pictures.element("show-sparkles").click()
    pictures.wait_until(f"{count} === 0")


def test_sparkles_stand_still_when_reduced_motion_is_preferred(pictures):
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
