"""The lamps and the leaf of the test pattern, as a client sees them that follows every reading.

docs/test-pattern.md gives the places, colours, rates and shares.
"""

import json

import pytest
import websockets.sync.client
from Harness import api
from Harness.server import running
from Harness.waiting import PATIENCE, stretched, wait_until

LAMPS = ["On", "Off", "Blinking", "Glow", "Changing"]
GLOW = (70, 130, 240)
SHARES = {"Green": 0.75, "Rust": 0.25}
CONFIG = """
width = 320
height = 240
controls.lamp_drift = false

[[targets]]
name = "Green"
color = "rgb(84 140 58)"
tolerance = 8

[[targets]]
name = "Rust"
color = "rgb(172 92 40)"
tolerance = 8

[[probes]]
name = "Leaf"
region = [0.925, 0.475, 0.06, 0.16]
shape = "ellipse"
""" + "".join(
    f"""
[[probes]]
name = "{name}"
region = [{0.095 + 0.12 * number}, 0.9425, 0.03, 0.04]
shape = "ellipse"
light = true
"""
    for number, name in enumerate(LAMPS)
)
SECONDS = 12
"""The time that every frame is read, which has more than the 8 s that a rate is taken from."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("lamps"), config=CONFIG) as server:
        yield server


@pytest.fixture(scope="module")
def probes(server) -> dict[str, dict]:
    """The probes by name, after every frame was read for some time."""
    with websockets.sync.client.connect(f"ws://127.0.0.1:{server.port}/ws?probes=all") as client:

        def newest() -> dict:
            return json.loads(client.recv(timeout=stretched()))

        first = newest()["frame"]["sequence"]

        def is_judged(reading: dict) -> bool:
            # 15 frames a second. A busy machine may drop some, and a rate is known once they come regularly.
            light = {probe["name"]: probe["light"] for probe in reading["probes"]}["Blinking"]
            return reading["frame"]["sequence"] >= first + 15 * SECONDS and light["hz"] is not None

        reading = wait_until(newest, "no rate is known", timeout=2 * PATIENCE + SECONDS, holds=is_judged)
    return {probe["name"]: probe for probe in reading["probes"]}


@pytest.mark.parametrize(("name", "state"), [("On", "on"), ("Off", "off"), ("Glow", "on"), ("Changing", "on")])
def test_a_steady_lamp_is_on_or_off(probes, name, state):
    assert probes[name]["lightState"] == state


def test_the_blinking_lamp_blinks_once_a_second_and_is_on_for_half_of_it(server, probes):
    light = probes["Blinking"]["light"]
    assert probes["Blinking"]["lightState"] == "blinking"
    assert light["hz"] == pytest.approx(1, rel=0.05)
    short = {probe["name"]: probe for probe in api.get_json(f"{server.url}api/reading")["probes"]}
    assert short["Blinking"]["lightHz"] == pytest.approx(1, rel=0.05)
    assert light["duty"] == pytest.approx(0.5, abs=0.1)


def test_the_glow_of_an_overexposed_lamp_has_the_painted_colour(server, probes):
    painted = "#{:02X}{:02X}{:02X}".format(*GLOW)
    shown = probes["Glow"]["light"]["hex"]
    query = f"from={shown}&to={painted}".replace("#", "%23")
    difference = api.get_json(f"{server.url}api/difference?{query}")
    assert difference["deltaE00"] < 6


@pytest.mark.parametrize("name", SHARES)
def test_the_coverage_of_the_leaf_is_the_painted_share(probes, name):
    target = next(target for target in probes["Leaf"]["targets"] if target["name"] == name)
    assert target["coverage"] == pytest.approx(SHARES[name], abs=2 * target["coverageError"])
    assert target["coverageError"] < 0.06
