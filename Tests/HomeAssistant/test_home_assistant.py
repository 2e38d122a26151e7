"""What Home Assistant makes of Swatchcam's messages."""

import pytest
from conftest import STATE, TOPIC
from Harness.program import ROOT
from Harness.waiting import wait_until
from home_assistant import PATIENCE

VALUES = {
    "color": "#3FA7D6",
    "brightness": "58",
    "lightness": "64.1",
    "hue": "198.6",
    "cct": "unknown",
    "noise": "0.09",
    "quality": "good",
    "state": "live",
    "problem": "off",
    "verdict_oak_light": "pass",
    "difference_oak_light": "1.4",
    "concentration": "2.5",
    "concentration_a1": "1.25",
    "effect": "off",
    "camera": "HD Pro Webcam C920",
    "locked": "off",
    "rate": "4",
}
"""The entities of the device `Bench` that have a value, and their states."""

OTHERS = {"sample", "probe_a1", "state_a1"}
DISABLED = {"red", "green", "blue"}


def states_of(home) -> dict[str, str]:
    """The states of the device's entities, by the end of their ids."""
    states = home.states().items()
    return {entity.split(".bench_")[1]: state["state"] for entity, state in states if ".bench_" in entity}


def wait_for_values(home, expected, what) -> None:
    wait_until(lambda: states_of(home), what, timeout=PATIENCE, holds=lambda values: expected.items() <= values.items())


def test_the_device_appears_with_all_entities(home):
    (device,) = home.devices()
    assert (device["name"], device["model"], device["sw_version"]) == ("Bench", "Camera color meter", "0.9.0")
    assert device["configuration_url"] == "http://bench.local:8080/"
    assert set(home.entities()) == set(VALUES) | OTHERS | DISABLED
    assert {key for key, entity in home.entities().items() if entity["disabled_by"]} == DISABLED
    assert set(states_of(home)) == set(VALUES) | OTHERS


def test_the_log_has_no_complaint_about_the_device(home):
    assert home.complaints() == []


def test_values_follow(home, kiosk):
    wait_for_values(home, VALUES, "not all values are there")
    kiosk.say(hex="#112233", rgb=[17, 34, 51], cct=5200, quality="poor", problem=True, effect="zebra", rate=0.5)
    changed = {
        "color": "#112233",
        "cct": "5200",
        "quality": "poor",
        "problem": "on",
        "effect": "zebra",
        "rate": "0.5",
    }
    wait_for_values(home, changed, "the values do not follow")
    assert home.states()["sensor.bench_color"]["attributes"]["rgb_color"] == [17, 34, 51]


def test_the_entities_have_units_and_classes(home):
    attributes = {entity: state["attributes"] for entity, state in home.states().items()}
    # The class "temperature" is that of a room, and could be shown in another unit.
    assert "device_class" not in attributes["sensor.bench_cct"]
    assert attributes["sensor.bench_cct"]["unit_of_measurement"] == "K"
    assert attributes["sensor.bench_hue"]["state_class"] == "measurement_angle"
    assert attributes["sensor.bench_state"]["options"][:2] == ["live", "test-pattern"]
    assert attributes["select.bench_effect"]["options"] == ["off", "edges", "zebra"]
    assert attributes["number.bench_rate"]["max"] == 60
    for entity, is_extrapolated in (("sensor.bench_concentration", True), ("sensor.bench_concentration_a1", False)):
        assert attributes[entity]["unit_of_measurement"] == "mg/L"
        assert attributes[entity]["extrapolated"] is is_extrapolated
        assert (attributes[entity]["low"], attributes[entity]["high"]) == (2.4, 2.6)


def test_red_green_and_blue_are_there_once_they_are_enabled(home, kiosk):
    entity = home.entities()["green"]["entity_id"]
    home.ask("config/entity_registry/update", entity_id=entity, disabled_by=None)
    try:
        # Home Assistant waits half a minute before it loads the device again.
        wait_until(lambda: home.state(entity) is not None, "green is not there", timeout=60)
        kiosk.say()
        home.wait_for(entity, "167")
        kiosk.lose_color()
        home.wait_for(entity, "unavailable")
    finally:
        home.ask("config/entity_registry/update", entity_id=entity, disabled_by="user")


def test_without_a_color_only_what_says_so_and_what_can_change_it_is_available(home, kiosk):
    kiosk.lose_color()
    expected = dict.fromkeys(VALUES, "unavailable") | {
        "state": "lost",
        "problem": "on",
        "effect": "off",
        "camera": STATE["camera"],
        "rate": "4",
    }
    wait_for_values(home, expected, "the loss is not shown")
    kiosk.say()
    wait_for_values(home, VALUES, "the color is not back")


def test_the_device_is_unavailable_with_the_kiosk_and_comes_back(home, kiosk):
    kiosk.leave()
    wait_for_values(home, dict.fromkeys(VALUES, "unavailable"), "the device is still available")
    kiosk.announce()
    wait_for_values(home, VALUES, "the device is not back")


def test_a_lamp_with_the_blueprint_takes_the_color_of_the_camera_while_it_is_on(home, kiosk):
    home.act("light/turn_on", "light.lab_lamp")
    home.wait_for("input_text.lamp_rgb", "(63, 167, 214)")
    kiosk.say(hex="#FF8000", rgb=[255, 128, 0])
    home.wait_for("input_text.lamp_rgb", "(255, 128, 0)")
    kiosk.lose_color()
    home.wait_for("sensor.bench_state", "lost")
    assert home.state("input_text.lamp_rgb") == "(255, 128, 0)"
    kiosk.say(hex="#00FF00", rgb=[0, 255, 0])
    home.wait_for("input_text.lamp_rgb", "(0, 255, 0)")
    home.act("light/turn_off", "light.lab_lamp")
    kiosk.say(hex="#0000FF", rgb=[0, 0, 255])
    home.wait_for("sensor.bench_color", "#0000FF")
    assert (home.state("input_text.lamp_rgb"), home.state("light.lab_lamp")) == ("(0, 255, 0)", "off")


def test_the_card_of_the_guide_shows_the_color(home, kiosk):
    guide = (ROOT / "docs/home-assistant.md").read_text()
    content = guide.split("content: >-\n")[1].split("```")[0]
    assert "state_attr('sensor.bench_color', 'rgb_color')" in content
    shown = home.render(content)
    assert '<font color="#3FA7D6"' in shown and "63, 167, 214" in shown


def test_the_second_blueprint_tells_of_a_value_that_lasts(home, kiosk):
    kiosk.say(state="failed")
    kiosk.say()
    home.wait_for("sensor.bench_state", "live")
    kiosk.lose_color()
    home.wait_for("input_text.told", "Bench State: lost")
    kiosk.say()
    home.wait_for("sensor.bench_state", "live")
    assert home.state("input_text.told") == "Bench State: lost"


@pytest.mark.parametrize(
    ("service", "entity", "data", "payload"),
    [
        ("button/press", "button.bench_sample", {}, "PRESS"),
        ("select/select_option", "select.bench_effect", {"option": "zebra"}, "zebra"),
        ("select/select_option", "select.bench_effect", {"option": "off"}, "off"),
        ("select/select_option", "select.bench_camera", {"option": "Test pattern"}, "Test pattern"),
        ("number/set_value", "number.bench_rate", {"value": 2.5}, "2.5"),
        ("switch/turn_on", "switch.bench_locked", {}, "ON"),
        ("switch/turn_off", "switch.bench_locked", {}, "OFF"),
    ],
)
def test_a_command_arrives_and_the_answer_decides(home, kiosk, broker, service, entity, data, payload):
    before = home.state(entity)
    with broker.listening(f"{TOPIC}/set/#") as receive:
        home.act(service, entity, **data)
        assert receive() == f"{TOPIC}/set/{entity.split('_', 1)[1]} {payload}"
    if not entity.startswith("button"):
        assert home.state(entity) == before


def test_an_entity_that_is_gone_leaves_nothing(home, kiosk):
    kiosk.describe("retargeted")
    wait_until(lambda: "verdict_pine" in home.entities(), "the new target is not there")
    assert not {key for key in home.entities() if "oak" in key}
    assert "sensor.bench_verdict_oak_light" not in home.states()
    kiosk.describe("restored")
    wait_until(lambda: "verdict_oak_light" in home.entities(), "the old target is not back")
    assert "verdict_pine" not in home.entities()


def test_commands_are_gone_when_they_are_no_longer_accepted(home, kiosk):
    kiosk.describe("view")
    commands = {"camera", "effect", "locked", "rate", "sample"}
    wait_until(lambda: not commands & set(home.entities()), "the commands are still there")
    assert "color" in home.entities()
    # The same description again removes what is not there.
    kiosk.describe("view")
    kiosk.describe("full")
    wait_until(lambda: commands <= set(home.entities()), "the commands are not back")


def test_a_new_name_is_shown_and_the_ids_stay(home, kiosk):
    before = {key: entity["entity_id"] for key, entity in home.entities().items()}
    kiosk.describe("renamed")
    wait_until(lambda: home.devices()[0]["name"], "the new name is not shown", holds=lambda name: name == "Press")
    assert {key: entity["entity_id"] for key, entity in home.entities().items()} == before


def test_values_that_are_not_repeated_expire(home, kiosk):
    """Home Assistant's own time, which cannot be shortened: a minute."""
    kiosk.is_silent = True
    wait_until(
        lambda: states_of(home),
        "old values are still shown",
        timeout=90,
        holds=lambda values: (values["color"], values["state"]) == ("unavailable", "unavailable"),
    )
    # Commands are possible nevertheless.
    assert home.state("select.bench_effect") == "off"


def test_after_a_restart_of_home_assistant_the_next_state_is_enough(home, kiosk, broker):
    kiosk.is_silent = True
    with broker.listening("homeassistant/status") as receive:
        home.stop()
        assert receive() == "homeassistant/status offline"
        home.start()
        # Swatchcam then sends everything again.
        assert receive() == "homeassistant/status online"
    home.wait_for("sensor.bench_color", "unavailable")
    kiosk.say()
    wait_for_values(home, VALUES, "the values are not back")


def test_after_a_restart_of_the_broker_which_has_forgotten_all_the_device_comes_back(home, kiosk, broker):
    kiosk.is_silent = True
    broker.stop()
    home.wait_for("sensor.bench_color", "unavailable")
    broker.start()
    with broker.listening("homeassistant/status") as receive:
        # From then on, it receives everything: a message that removes a device is not kept for later.
        assert receive() == "homeassistant/status online"
    kiosk.announce()
    wait_for_values(home, VALUES, "the values are not back")


def test_removal_leaves_nothing(home, kiosk):
    kiosk.remove()
    wait_until(lambda: not home.devices(), "the device is still there")
    assert home.entities() == {}
    assert states_of(home) == {}
