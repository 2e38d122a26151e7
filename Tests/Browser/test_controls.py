"""The camera's controls on the page, while a person, another program and a slow camera are at them at once."""

import pytest
from control_panel import BITMASK, FAKE_CAMERA, NUMBER, SLIDER, STRING, Panel
from selenium.webdriver.common.keys import Keys

# A field, the control that it is of, what is typed after what it says, what another program sets meanwhile, and how
# the field says that.
EDITS = pytest.mark.parametrize(
    "field, name, typed, value, shown",
    [
        pytest.param(NUMBER, "brightness", "5", 77, "77", id="number"),
        pytest.param(BITMASK, "bitmask", "F", 32, "0x20", id="bitmask"),
        pytest.param(STRING, "string", "d", "xyz", "xyz", id="string"),
    ],
)


@pytest.fixture
def panel(browse, server):
    page = browse(server, f"{{{FAKE_CAMERA}}}")
    page.wait_until("!document.getElementById('controls').hidden")
    page.driver.find_element("css selector", "#controls summary").click()
    page.wait_until("document.querySelectorAll('.control').length === camera.controls.length")
    return Panel(page)


@EDITS
def test_what_is_typed_stays_while_the_control_changes_elsewhere(panel, field, name, typed, value, shown):
    expected = panel.value(field) + typed
    panel.field(field).send_keys(Keys.END, typed)
    panel.change(name, value=value)
    assert panel.value(field) == expected


@EDITS
def test_escape_gives_up_what_is_typed(panel, field, name, typed, value, shown):
    panel.field(field).send_keys(Keys.END, typed)
    panel.change(name, value=value)
    panel.field(field).send_keys(Keys.ESCAPE)
    assert panel.value(field) == shown


def test_what_was_given_up_is_not_set_when_the_field_is_left(panel):
    panel.field(STRING).send_keys(Keys.END, "d", Keys.ESCAPE, Keys.TAB)
    panel.field(BITMASK).send_keys(Keys.END, "F", Keys.ENTER)
    panel.page.wait_until("camera.taken.length > 0")
    assert panel.taken() == [0x1F]


@EDITS
def test_a_field_that_is_left_as_it_was_shows_what_changed_meanwhile(panel, field, name, typed, value, shown):
    panel.field(field).send_keys(Keys.END, typed, Keys.BACKSPACE)
    panel.change(name, value=value)
    panel.field(field).send_keys(Keys.TAB)
    assert panel.value(field) == shown


def test_what_is_no_number_waits_to_be_corrected_until_the_field_is_left(panel):
    panel.field(BITMASK).send_keys(Keys.END, "g", Keys.ENTER)
    panel.change("bitmask", value=32)
    assert panel.value(BITMASK) == "0x1g"
    panel.field(BITMASK).send_keys(Keys.TAB)
    assert panel.value(BITMASK) == "0x20"


def test_a_field_that_is_switched_off_shows_what_the_camera_says(panel):
    panel.field(STRING).send_keys(Keys.END, "d")
    panel.change("string", value="xyz", inactive=True)
    assert panel.value(STRING) == "xyz"


def test_what_the_camera_refuses_is_told_and_taken_back(panel):
    panel.field(NUMBER).send_keys(Keys.END, "00", Keys.ENTER)
    panel.page.wait_for(lambda page: page["toast"] == "brightness takes 0...255.", "the reason")
    panel.wait_for_value(NUMBER, "10")


def test_quick_steps_of_a_slider_count_while_the_camera_is_slow(panel):
    panel.keep_back("PUT")
    panel.field(SLIDER).send_keys(Keys.RIGHT)
    panel.wait_for_question()
    panel.field(SLIDER).send_keys(Keys.RIGHT)
    panel.answer()
    panel.wait_for_question()
    panel.field(SLIDER).send_keys(Keys.RIGHT)
    panel.answer()
    panel.wait_for_question()
    assert panel.taken() == [11, 12, 13]


@EDITS
def test_a_field_follows_the_camera_again_once_its_value_is_set(panel, field, name, typed, value, shown):
    panel.field(field).send_keys(Keys.END, typed, Keys.ENTER)
    panel.page.wait_until("camera.taken.length === 1")
    panel.change(name, value=value)
    panel.wait_for_value(field, shown)


def test_a_list_that_comes_late_does_not_replace_a_newer_one(panel):
    panel.keep_back("GET")
    panel.run("camera.change('brightness', { value: 20 })")
    panel.wait_for_question()
    panel.run("camera.change('brightness', { value: 30 })")
    panel.wait_for_question(2)
    panel.answer(1)
    panel.wait_for_value(NUMBER, "30")
    panel.answer()
    assert panel.value(NUMBER) == "30"


@pytest.mark.parametrize("button", ["lock", "reset-controls"])
def test_what_a_button_is_answered_late_does_not_replace_a_newer_list(panel, button):
    panel.keep_back("POST")
    panel.page.element(button).click()
    panel.wait_for_question()
    panel.change("brightness", value=30)
    panel.wait_for_value(NUMBER, "30")
    panel.answer()
    assert panel.value(NUMBER) == "30"
