"""The loupe: the pixels under the pointer, magnified, while an area is drawn or a spot is set."""

import re

import pytest
from Harness.chromium import set_size
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.slow

ORANGE = (0.1, 0.32)
"""A point of the test pattern in the patch orange (docs/test-pattern.md), in fractions of the picture."""


@pytest.fixture
def own_page(browse, start_server):
    """The page of a server whose area no other test changes, with its picture."""
    page = browse(start_server(config="[readings]\nrate = 10\n"))
    page.wait_until_complete()
    page.wait_until("document.getElementById('live').dataset.shown")
    # The worker reports the size before the canvas has the first picture.
    page.wait_until("document.getElementById('live').width === 640")
    return page


def at(page, x, y):
    """A chain of actions that begins with the pointer at a point of the picture."""
    picture = page.element("live")
    box = picture.rect
    offset = round((x - 0.5) * box["width"]), round((y - 0.5) * box["height"])
    return ActionChains(page.driver).move_to_element_with_offset(picture, *offset)


def channels(hex_color):
    return [int(hex_color[at : at + 2], 16) for at in (1, 3, 5)]


def offset_of_loupe(page) -> float:
    """How far the middle of the loupe is right of that of the picture."""
    return page.driver.execute_script("""
      const middle = (id) => { const { left, right } = document.getElementById(id).getBoundingClientRect(); return (left + right) / 2; };
      return middle("loupe") - middle("view");
    """)


def test_it_shows_the_pixels_below_the_pointer_on_the_other_side_of_the_picture(own_page):
    at(own_page, *ORANGE).click_and_hold().perform()
    assert own_page.element("loupe").is_displayed()
    orange = own_page.element("loupe-hex").text
    # D67E2C in the test pattern, and the picture is a JPEG.
    assert channels(orange) == pytest.approx([0xD6, 0x7E, 0x2C], abs=16)
    assert own_page.element("loupe-color").get_attribute("fill") == orange
    middle = own_page.driver.execute_script("""
      const canvas = document.getElementById("loupe-canvas");
      const { data } = canvas.getContext("2d").getImageData(canvas.width / 2, canvas.height / 2, 1, 1);
      return [...data.slice(0, 3), canvas.clientWidth / canvas.width];
    """)
    assert middle[:3] == channels(orange)
    # Each pixel of the picture is seen as one of several.
    assert middle[3] > 4
    assert offset_of_loupe(own_page) > 0
    # The next patch is blue.
    at(own_page, 0.2, 0.32).perform()
    red, _, blue = channels(own_page.element("loupe-hex").text)
    assert own_page.element("loupe-hex").text != orange and blue > red
    at(own_page, 0.9, 0.2).perform()
    assert offset_of_loupe(own_page) < 0
    ActionChains(own_page.driver).release().perform()
    assert not own_page.element("loupe").is_displayed()


def test_it_shows_the_outline_of_the_area_that_is_drawn(own_page):
    at(own_page, 0.25, 0.25).click_and_hold().perform()
    at(own_page, 0.5, 0.75).perform()
    # The pointer is at the lower right corner of the area, and the loupe has the pixels around it: 20 of 640, and 16 of 480.
    left, top, right, bottom = own_page.driver.execute_script("""
      const lens = document.querySelector(".lens").getBoundingClientRect();
      const { left, top, right, bottom } = document.getElementById("loupe-area").getBoundingClientRect();
      return [(left - lens.left) / lens.width, (top - lens.top) / lens.height, (right - lens.left) / lens.width, (bottom - lens.top) / lens.height];
    """)
    assert [right, bottom] == pytest.approx([0.5, 0.5], abs=0.1)
    assert [right - left, bottom - top] == pytest.approx([0.25 * 640 / 20, 0.5 * 480 / 16], rel=0.03)
    ActionChains(own_page.driver).release().perform()


def test_the_page_says_how_large_the_area_is_that_is_drawn_and_how_to_keep_the_old_one(own_page):
    at(own_page, 0.25, 0.25).click_and_hold().perform()
    at(own_page, 0.5, 0.75).perform()
    words = re.fullmatch(
        r"(\d+) × (\d+) px\. Let go to read this area; Esc keeps the old one\.", own_page.element("region-hint").text
    )
    # A quarter of 640 and half of 480 pixels.
    assert [int(size) for size in words.groups()] == pytest.approx([160, 240], abs=3)
    ActionChains(own_page.driver).send_keys(Keys.ESCAPE).perform()
    assert own_page.element("region-hint").text == "Whole picture. Drag for another area, click for a spot."
    ActionChains(own_page.driver).release().perform()


def test_it_covers_less_than_half_of_a_small_picture(own_page):
    set_size(own_page.driver, 800, 480)
    at(own_page, 0.1, 0.2).click_and_hold().perform()
    share = "document.getElementById('loupe').offsetWidth / document.getElementById('view').offsetWidth"
    assert own_page.driver.execute_script(f"return {share}") < 0.5
    ActionChains(own_page.driver).release().perform()


def test_it_does_not_appear_while_the_area_is_moved_or_fixed_by_a_held_colour(own_page):
    at(own_page, 0.5, 0.5).click_and_hold().move_by_offset(160, 160).release().perform()
    own_page.wait_until("!document.getElementById('region').hasAttribute('data-full')")
    handle = own_page.driver.find_element("css selector", ".handle[data-edges=all]")
    ActionChains(own_page.driver).click_and_hold(handle).perform()
    assert not own_page.element("loupe").is_displayed()
    ActionChains(own_page.driver).release().perform()
    own_page.element("hold").click()
    at(own_page, *ORANGE).click_and_hold().perform()
    assert not own_page.element("loupe").is_displayed()
    ActionChains(own_page.driver).release().perform()
