"""The camera's controls on the page, while a person edits them, another program sets them, or the camera is slow."""

import pytest
from control_panel import BITMASK, FAKE_CAMERA, NUMBER, SLIDER, STRING, Panel
from selenium.webdriver.common.keys import Keys

# A field, its control, the text that a person appends, the value that another program sets meanwhile, and how the
# field shows that value.
EDITS = pytest.mark.parametrize(
    "field, name, typed, value, shown",
    [
        pytest.param(NUMBER, "brightness", "5", 77, "77", id="number"),
        pytest.param(BITMASK, "bitmask", "F", 32, "0x20", id="bitmask", marks=pytest.mark.slow),
        pytest.param(STRING, "string", "d", "xyz", "xyz", id="string", marks=pytest.mark.slow),
    ],
)


@pytest.fixture
def panel(browse, server):
    page = browse(server, f"{{{FAKE_CAMERA}}}")
    page.wait_until("!document.getElementById('camera-controls').hidden")
    page.element("controls-tab").click()
    page.wait_until("document.querySelectorAll('.control').length === camera.controls.length")
    return Panel(page)


def test_the_tab_says_that_the_test_pattern_has_no_controls(page):
    page.element("controls-tab").click()
    sentence = "The test pattern has no controls. Those of a camera appear here while it is live."
    page.wait_until(f"document.getElementById('no-controls').textContent === '{sentence}'")
    assert page.element("no-controls").is_displayed()


def test_without_a_camera_the_tab_says_when_there_will_be_controls(browse, start_server):
    page = browse(start_server("/dev/video-none"))
    page.wait_until_complete()
    page.element("controls-tab").click()
    assert page.element("no-controls").text == "The camera's controls appear here while it is live."


@EDITS
def test_typed_text_stays_while_another_program_changes_the_control(panel, field, name, typed, value, shown):
    expected = panel.value(field) + typed
    panel.field(field).send_keys(Keys.END, typed)
    panel.change(name, value=value)
    assert panel.value(field) == expected


@EDITS
def test_escape_discards_typed_text(panel, field, name, typed, value, shown):
    panel.field(field).send_keys(Keys.END, typed)
    panel.change(name, value=value)
    panel.field(field).send_keys(Keys.ESCAPE)
    assert panel.value(field) == shown


def test_discarded_text_is_not_set_when_the_field_is_left(panel):
    panel.field(STRING).send_keys(Keys.END, "d", Keys.ESCAPE, Keys.TAB)
    panel.field(BITMASK).send_keys(Keys.END, "F", Keys.ENTER)
    panel.page.wait_until("camera.valuesSet.length > 0")
    assert panel.values_set() == [0x1F]


@EDITS
def test_a_field_left_unchanged_shows_the_value_that_was_set_meanwhile(panel, field, name, typed, value, shown):
    panel.field(field).send_keys(Keys.END, typed, Keys.BACKSPACE)
    panel.change(name, value=value)
    panel.field(field).send_keys(Keys.TAB)
    assert panel.value(field) == shown


def test_text_that_is_not_a_number_stays_until_the_field_is_left(panel):
    panel.field(BITMASK).send_keys(Keys.END, "g", Keys.ENTER)
    panel.change("bitmask", value=32)
    assert panel.value(BITMASK) == "0x1g"
    panel.field(BITMASK).send_keys(Keys.TAB)
    assert panel.value(BITMASK) == "0x20"


def test_a_field_that_becomes_inactive_shows_the_cameras_value(panel):
    panel.field(STRING).send_keys(Keys.END, "d")
    panel.change("string", value="xyz", inactive=True)
    assert panel.value(STRING) == "xyz"


def test_a_value_that_the_camera_refuses_is_explained_and_reverted(panel):
    panel.field(NUMBER).send_keys(Keys.END, "00", Keys.ENTER)
    panel.page.wait_for(lambda page: page["toast"] == "brightness takes 0...255.", "the reason")
    panel.wait_for_value(NUMBER, "10")


def test_quick_steps_of_a_slider_add_up_while_the_camera_is_slow(panel):
    panel.delay_answers("PUT")
    panel.field(SLIDER).send_keys(Keys.RIGHT)
    panel.wait_for_unanswered()
    panel.field(SLIDER).send_keys(Keys.RIGHT)
    panel.answer()
    panel.wait_for_unanswered()
    panel.field(SLIDER).send_keys(Keys.RIGHT)
    panel.answer()
    panel.wait_for_unanswered()
    assert panel.values_set() == [11, 12, 13]


@EDITS
def test_a_field_follows_the_camera_again_once_its_value_is_set(panel, field, name, typed, value, shown):
    panel.field(field).send_keys(Keys.END, typed, Keys.ENTER)
    panel.page.wait_until("camera.valuesSet.length === 1")
    panel.change(name, value=value)
    panel.wait_for_value(field, shown)


def test_a_list_of_controls_that_arrives_late_does_not_replace_a_newer_one(panel):
    panel.delay_answers("GET")
    panel.run("camera.change('brightness', { value: 20 })")
    panel.wait_for_unanswered()
    panel.run("camera.change('brightness', { value: 30 })")
    panel.wait_for_unanswered(2)
    panel.answer(1)
    panel.wait_for_value(NUMBER, "30")
    panel.answer()
    assert panel.value(NUMBER) == "30"


@pytest.mark.parametrize("button", ["lock", "reset-controls"])
def test_a_late_answer_to_a_button_does_not_replace_a_newer_list(panel, button):
    panel.delay_answers("POST")
    panel.page.element(button).click()
    panel.wait_for_unanswered()
    panel.change("brightness", value=30)
    panel.wait_for_value(NUMBER, "30")
    panel.answer()
    assert panel.value(NUMBER) == "30"
