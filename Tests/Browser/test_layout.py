"""The layout of the dashboard on screens of all sizes. test_geometry.py tests that everything on them is legible."""

import pytest
from Harness.api import request
from Harness.cases import sampled
from Harness.chromium import set_color_scheme, set_size


@pytest.mark.parametrize(
    ("width", "height"), sampled([(800, 480), (1280, 800), (1024, 768), (1920, 1080), (3840, 2160)], 2)
)
def test_the_picture_and_all_values_are_in_sight_without_scrolling(page, width, height):
    set_size(page.driver, width, height)
    bottoms = page.driver.execute_script(
        "return ['view', 'hex', 'r', 'notation-value', 'brightness'].map((id) => "
        "document.getElementById(id).getBoundingClientRect().bottom)"
    )
    assert max(bottoms) <= height


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844)])
def test_a_phone_shows_the_values_first_and_the_picture_below(page, width, height):
    set_size(page.driver, width, height)
    readout, view = page.driver.execute_script(
        "return ['readout', 'view'].map((id) => document.getElementById(id).getBoundingClientRect().toJSON())"
    )
    assert readout["top"] < view["top"] < height


@pytest.mark.parametrize(("width", "height"), [(320, 568), (1280, 800), (3840, 2160)])
def test_every_target_measures_24_pixels_at_least(full_page, width, height):
    """WCAG 2.2, 2.5.8. Check boxes had 15 pixels on a 4K screen."""
    page = full_page()
    set_size(page.driver, width, height)
    small = page.driver.execute_script("""
      return [...document.querySelectorAll("button, select, input, .panel a")].filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        return element.checkVisibility() && Math.min(width, height) < 24;
      }).map((element) => element.id || element.textContent);
    """)
    assert small == []


@pytest.mark.parametrize("width", [320, 844, 1280])
def test_the_camera_list_keeps_room_for_a_name(full_page, width):
    page = full_page()
    set_size(page.driver, width, 800)
    page.wait_until("document.getElementById('camera-choice').checkVisibility()")
    assert page.element("camera-choice").size["width"] >= 100


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_ring_has_two_tones_so_that_it_is_seen_on_any_colour(page, scheme):
    set_color_scheme(page.driver, scheme)
    page.driver.execute_script("document.getElementById('hold').focus({ focusVisible: true })")
    style = page.driver.execute_script(
        "const { outlineColor, boxShadow } = getComputedStyle(document.activeElement); return [outlineColor, boxShadow]"
    )
    assert style[0] == "rgb(255, 255, 255)" and style[1].startswith("rgb(0, 0, 0)")


def test_nothing_moves_when_a_colour_is_held(page):
    boxes = (
        "return [...document.querySelectorAll('.hex, .channel, #view')].map((e) => e.getBoundingClientRect().toJSON())"
    )
    before = page.driver.execute_script(boxes)
    page.driver.execute_script("document.getElementById('hold').click()")
    assert page.driver.execute_script(boxes) == before


def test_no_style_needs_important(server):
    """Layers decide which style wins."""
    assert "!important" not in request(f"{server.url}resources/swatchcam.css").text
