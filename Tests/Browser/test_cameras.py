"""The choice of the camera in the page's header."""

import json

import pytest
from fake_readings import CAMERAS, SCRIPT
from selenium.webdriver.support.ui import Select

pytestmark = pytest.mark.slow

# Requests for another camera wait until `answer` is called.
SLOW_SERVER = """
window.chosen = [];
const fetchElse = window.fetch;
window.fetch = (path, options) => path !== "api/camera" ? fetchElse(path, options) : new Promise((resolve) => {
  chosen.push(JSON.parse(options.body).id);
  window.answer = () => resolve({ ok: true, status: 200, json: async () => ({ camera: null }) });
});
"""
TWO = {"cameras": CAMERAS, "camera": CAMERAS[0], "revisions": {"cameras": 7}}


def test_a_camera_that_is_chosen_while_another_choice_is_under_way_is_requested_after_it(browse, server):
    page = browse(server, SCRIPT % json.dumps(TWO) + SLOW_SERVER)
    page.wait_until("document.getElementById('camera-choice').options.length === 3")
    choice = Select(page.element("camera-choice"))
    choice.select_by_visible_text(CAMERAS[1]["name"])
    choice.select_by_visible_text("Test pattern")
    choice.select_by_visible_text(CAMERAS[0]["name"])
    page.wait_until("chosen.length > 0")
    assert page.driver.execute_script("return chosen") == ["two"]
    page.driver.execute_script("answer()")
    page.wait_until("chosen.length > 1")
    assert page.driver.execute_script("return chosen") == ["two", "one"]


def test_without_a_camera_the_test_pattern_can_be_chosen_and_what_needs_a_colour_says_why_it_does_nothing(
    browse, start_server
):
    page = browse(start_server("/dev/video-none"))
    page.wait_until("document.getElementById('camera-choice').checkVisibility()")
    choice = Select(page.element("camera-choice"))
    assert [option.text for option in choice.options] == ["Choose a camera", "Test pattern"]
    for button, reason in (
        ("hold", "There is no reading to hold"),
        ("sample", "There is no colour to take a sample of"),
    ):
        assert page.element(button).get_attribute("aria-disabled") == "true"
        page.element(button).click()
        page.wait_for(lambda shown, reason=reason: shown["toast"] == reason, "the reason")
    choice.select_by_visible_text("Test pattern")
    page.wait_until("document.getElementById('dashboard').dataset.state === 'test-pattern'")
    page.wait_until("!document.getElementById('camera-choice').checkVisibility()")
    for button in ("hold", "sample"):
        page.wait_until(f"document.getElementById('{button}').getAttribute('aria-disabled') === 'false'")
