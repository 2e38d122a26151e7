"""The camera's controls on the page, while a person edits them, another program sets them, or the camera is slow."""

import pytest
from control_panel import BITMASK, FAKE_CAMERA, FLIP, NUMBER, SLIDER, STRING, Panel
from Harness import api
from Harness.cases import sampled
from Harness.waiting import wait_until
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


def test_the_tab_has_the_controls_of_the_painted_scene_and_no_lock(page, server):
    page.element("controls-tab").click()
    page.wait_until("document.querySelectorAll('.control').length === 2")
    assert not page.element("lock-section").is_displayed() and not page.element("lock-now").is_displayed()
    assert "there is nothing to lock" in page.element("no-controls").text
    page.driver.find_element("css selector", ".control [type=checkbox]").click()
    wait_until(lambda: api.get_json(f"{server.url}api/controls")["controls"][0]["value"] == 0, "the lamp drifts")
    page.element("reset-controls").click()
    wait_until(lambda: api.get_json(f"{server.url}api/controls")["controls"][0]["value"] == 1, "the lamp stays still")


def test_a_label_stays_in_its_place_when_its_button_to_reset_appears(panel):
    top = f"return document.querySelector({FLIP!r}).closest('.control').firstChild.getBoundingClientRect().top"
    before = panel.run(top)
    panel.change("flip", value=1)
    assert panel.field("[aria-label='Reset flip']").is_displayed()
    assert panel.run(top) == before


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


@pytest.mark.parametrize("button", sampled(["lock", "reset-controls"]))
def test_a_late_answer_to_a_button_does_not_replace_a_newer_list(panel, button):
    panel.delay_answers("POST")
    panel.page.element(button).click()
    panel.wait_for_unanswered()
    panel.change("brightness", value=30)
    panel.wait_for_value(NUMBER, "30")
    panel.answer()
    assert panel.value(NUMBER) == "30"


def test_the_exposure_is_set_or_stopped_and_its_outcome_shown(panel):
    button = panel.page.element("set-exposure")
    assert (button.is_displayed(), button.text) == (True, "Set exposure")
    button.click()
    panel.page.wait_until("document.getElementById('set-exposure').textContent === 'Stop'")
    panel.run(
        "camera.exposure = arguments[0]; camera.revision++; camera.tell()",
        {
            "phase": "set",
            "step": None,
            "level": 0.8012,
            "message": None,
            "values": [{"name": "exposure", "label": "Exposure", "value": 512}],
            "config": "[camera.controls]\nexposure = 512\n",
        },
    )
    panel.page.wait_until("document.getElementById('set-exposure').textContent === 'Set exposure'")
    assert panel.page.element("exposure-status").text == "Set. The brightest channel fills 80 % of the range."
    assert panel.page.element("exposure-list").text == "Exposure: 512"
    assert panel.page.element("exposure-lines").text == "[camera.controls]\nexposure = 512"
    panel.page.element("set-exposure").click()
    panel.page.wait_until("document.getElementById('set-exposure').textContent === 'Stop'")
    panel.page.element("set-exposure").click()
    panel.page.wait_until(
        "document.getElementById('exposure-status').textContent.startsWith('Not as wanted. It was cancelled.')"
    )
    # A camera may have no control of the exposure.
    panel.run("camera.exposure = null; camera.revision++; camera.tell()")
    panel.page.wait_until("document.getElementById('exposure').hidden")


def show_raw(panel, light, gains=(1, 1, 1), clipped=0):
    """Shows a reading of a sensor that is read raw, with the gains that it has already."""
    frame = {
        "colorimetry": "camera RGB, linear",
        "format": "RG12",
        "width": 64,
        "height": 48,
        "sequence": 1,
        "ageMs": 1,
    }
    changes = {
        "frame": frame | {"picture": {"width": 64, "height": 48}},
        "linear": dict(zip("rgb", light, strict=True)),
    }
    panel.run(
        "const [changes, clipped, config] = arguments;"
        "const { statistics } = JSON.parse(camera.reading);"
        "camera.changes = { ...changes, statistics: { ...statistics, clipped: { high: clipped, low: clipped } } };"
        "camera.answers['api/config'] = config;"
        "camera.tell()",
        changes,
        dict.fromkeys("rgb", clipped),
        {"path": None, "config": {"camera": {"white_gains": list(gains)}}},
    )
    panel.page.wait_until("!document.getElementById('white').hidden")


def test_this_is_white_shows_the_gains_that_make_the_region_of_a_raw_sensor_grey_or_why_there_are_none(panel):
    assert not panel.page.element("white").is_displayed()
    # These readings have gains already.
    show_raw(panel, (0.4, 0.6, 0.4), (2, 1, 1))
    panel.page.element("this-is-white").click()
    panel.page.wait_until("!document.getElementById('white-result').hidden")
    assert panel.page.element("white-line").text == "white_gains = [3, 1, 1.5]"
    show_raw(panel, (0.4, 0.4, 0.4), clipped=0.01)
    panel.page.element("this-is-white").click()
    panel.page.wait_for(lambda page: "clipped" in page["toast"], "the reason")
    assert not panel.page.element("white-result").is_displayed()


def test_under_libcamera_the_tab_says_why_there_are_no_controls_and_what_that_means(panel):
    camera = {"id": "csi", "name": "imx219", "device": "/dev/video0"}
    listed = camera | {"bus": "libcamera:0", "chosen": True, "driver": "libcamera", "problem": None}
    panel.run(
        "camera.answers['api/cameras'] = { cameras: [arguments[0]] };"
        "Object.assign(camera, { inUse: arguments[1], controls: [], exposure: null });"
        "camera.revision++; camera.tell()",
        listed,
        camera,
    )
    panel.page.wait_until("!document.getElementById('no-controls').hidden")
    assert "colours drift with the scene" in panel.page.element("no-controls").text
    assert not panel.page.element("camera-controls").is_displayed()
    assert not panel.page.element("lock-now").is_displayed()
