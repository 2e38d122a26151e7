"""The program itself, with Home Assistant."""

import os

import pytest
from Harness import api
from Harness.server import Server, running
from Harness.waiting import wait_until
from home_assistant import PATIENCE

PROBES = """
[[targets]]
name = "White"
color = "rgb(243 243 242)"
tolerance = 10

[[probes]]
name = "Lamp"
region = [0.08, 0.6, 0.04, 0.08]
light = true
targets = ["White"]

[[probes]]
name = "Wall"
region = [0.8, 0.4, 0.05, 0.05]
targets = []
"""
"""The white patch of the test pattern's chart, as a lamp, and a part of the wall."""

SCALE = (
    "".join(
        f'[[probes]]\nname = "card {value}"\nregion = [{0.06 + 0.07 * index}, 0.013, 0.06, 0.044]\n'
        for index, value in enumerate(range(4, 10))
    )
    + '[[probes]]\nname = "pad"\nregion = [0.515, 0.013, 0.06, 0.044]\n'
    + '[[scales]]\nname = "pH"\nprobe = "pad"\npoints = ['
    + ", ".join(f'{{ value = {value}, probe = "card {value}" }}' for value in range(4, 10))
    + "]\n"
)
"""The strip of the test pattern, of pH 6.8, and its card."""


@pytest.fixture(scope="module")
def press(home, broker, tmp_path_factory):
    """A Swatchcam with a test pattern, called Press."""
    mqtt = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\ncontrol = true\ninterval = 1\n'
    config = f'controls.lamp_drift = false\n[web]\ntitle = "Press"\n{mqtt}{PROBES}{SCALE}'
    with running(tmp_path_factory.mktemp("press"), config=config) as server:
        yield server


def press_states(home) -> dict[str, str]:
    states = home.states().items()
    return {entity.split(".press_")[1]: state["state"] for entity, state in states if ".press_" in entity}


def wait_for(home, what, holds):
    return wait_until(lambda: press_states(home), what, timeout=PATIENCE, holds=holds)


def test_the_program_is_discovered_with_its_color_and_state(home, press):
    states = wait_for(home, "there is no color", lambda states: states.get("color", "").startswith("#"))
    assert states["state"] == "test-pattern"
    assert states["camera"] == "Test pattern"
    assert states["effect"] == "off"
    assert states["locked"] in ("on", "off")


def test_a_probe_has_its_color_its_state_and_its_light(home, press):
    states = wait_for(home, "the state is not shown", lambda states: states.get("state_lamp") == "White")
    assert states["probe_lamp"].startswith("#")
    assert states["light_lamp"] in ("on", "off", "unknown")
    assert states["probe_wall"].startswith("#")
    assert "state_wall" not in states
    attributes = home.states()["binary_sensor.press_light_lamp"]["attributes"]
    assert attributes["device_class"] == "light"
    assert "level" in attributes


def test_a_scale_has_its_value_with_the_rest_as_attributes(home, press):
    states = wait_for(home, "there is no value", lambda states: states.get("scale_ph", "")[:1].isdigit())
    assert float(states["scale_ph"]) == pytest.approx(6.8, abs=0.05)
    attributes = home.states()["sensor.press_scale_ph"]["attributes"]
    assert 6.7 < attributes["low"] <= attributes["high"] < 6.9
    assert attributes["range"] == "within"


def test_commands_are_carried_out_and_the_answer_is_shown(home, press):
    home.act("select/select_option", "select.press_effect", option="zebra")
    wait_for(home, "the effect is not shown", lambda states: states["effect"] == "zebra")
    assert press.reading()["effect"] == "zebra"
    home.act("select/select_option", "select.press_effect", option="off")
    wait_for(home, "the effect is still shown", lambda states: states["effect"] == "off")
    assert press.reading()["effect"] == "none"
    home.act("number/set_value", "number.press_rate", value=2)
    wait_for(home, "the rate is not shown", lambda states: states["rate"] == "2")
    samples = f"{press.url}api/samples"
    before = len(api.get_json(samples)["samples"])
    home.act("button/press", "button.press_sample")
    wait_until(lambda: len(api.get_json(samples)["samples"]) == before + 1, "no sample was taken")


def test_a_stop_makes_the_device_unavailable(home, press):
    press.stop()
    wait_for(home, "the device is available", lambda states: set(states.values()) == {"unavailable"})
    press.start()
    wait_for(home, "the device is not back", lambda states: states["color"].startswith("#"))


CONTAINER = [
    *("unshare", "--uts", "--mount", "sh", "-c"),
    '[ ! -e /etc/machine-id ] || mount --bind /dev/null /etc/machine-id; hostname "$0" && exec "$@"',
]
"""Runs a command, after a name, on a machine with that name and without an id, as a new container is."""


def test_a_container_that_is_made_anew_with_its_data_stays_one_device(home, broker, tmp_path):
    mqtt = f'[readings]\nrate = 4\n[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\ninterval = 1\n'
    server = Server(tmp_path, config=mqtt)
    before = [device["id"] for device in home.devices()]
    entities = []
    for name in ("3f9c1b7a6d20", "b81e77d0c5f4", "60aa92e4b1d3"):
        server.start(prefix=[*CONTAINER, name], env=os.environ | {"STATE_DIRECTORY": str(tmp_path / "data")})
        try:
            [device] = wait_until(
                lambda: [device for device in home.devices() if device["id"] not in before],
                lambda name=name: f"there is not one device called {name}",
                timeout=PATIENCE,
                holds=lambda devices, name=name: [device["name"] for device in devices] == [name],
            )
            entries = home.ask("config/entity_registry/list")
            entities.append(
                {entry["entity_id"]: entry["unique_id"] for entry in entries if entry["device_id"] == device["id"]}
            )
            color = next(entity for entity, unique in entities[-1].items() if unique.endswith("_color"))
            wait_until(
                lambda color=color: home.state(color),
                f"{color} has no color",
                timeout=PATIENCE,
                holds=lambda state: (state or "").startswith("#"),
            )
        finally:
            server.stop()
    assert len(entities[0]) > 10
    assert entities[1] == entities[0] and entities[2] == entities[0]
