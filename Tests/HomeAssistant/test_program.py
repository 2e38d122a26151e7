"""The program itself, with Home Assistant."""

import pytest
from Harness import api
from Harness.server import running
from Harness.waiting import wait_until
from home_assistant import PATIENCE


@pytest.fixture(scope="module")
def press(home, broker, tmp_path_factory):
    """A Swatchcam with a test pattern, called Press."""
    mqtt = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\ncontrol = true\ninterval = 1\n'
    with running(tmp_path_factory.mktemp("press"), config=f'[web]\ntitle = "Press"\n{mqtt}') as server:
        yield server


def edit(server, old, new):
    server.config.write_text(server.config.read_text().replace(old, new))


def devices(home) -> list[str]:
    return [device["name"] for device in home.devices()]


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


def test_the_color_is_that_of_the_reading(home, press):
    press_region = {"region": [0.07, 0.27, 0.06, 0.1]}
    api.request(f"{press.url}api/settings", "PUT", press_region)

    def is_close(states) -> bool:
        """The lamp of the test pattern changes slowly."""
        shown = states["color"].removeprefix("#")
        rgb = press.reading()["rgb"]
        return all(abs(int(shown[2 * i : 2 * i + 2], 16) - rgb[channel]) < 12 for i, channel in enumerate("rgb"))

    wait_for(home, "the color is another", is_close)


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


def test_a_new_title_is_shown(home, press):
    edit(press, 'title = "Press"', 'title = "Press 2"')
    wait_until(
        lambda: devices(home), "the title is not shown", timeout=PATIENCE, holds=lambda names: "Press 2" in names
    )


def test_commands_disappear_when_they_are_no_longer_accepted(home, press):
    edit(press, "control = true", "control = false")
    wait_for(home, "the commands are still there", lambda states: "effect" not in states and "color" in states)


def test_a_stop_makes_the_device_unavailable(home, press):
    press.stop()
    wait_for(home, "the device is available", lambda states: set(states.values()) == {"unavailable"})
    press.start()
    wait_for(home, "the device is not back", lambda states: states["color"].startswith("#"))


def test_without_discovery_the_device_is_removed(home, press):
    edit(press, "control = false", "control = false\ndiscovery = false")
    wait_until(
        lambda: devices(home), "the device is still there", timeout=PATIENCE, holds=lambda names: "Press 2" not in names
    )
    assert press_states(home) == {}
