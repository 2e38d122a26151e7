"""Lights that are on, off or blinking, as cameras of several frame rates see them."""

import contextlib
import json
import threading

import numpy as np
import pytest
import websockets.sync.client
from Harness.waiting import stretched, wait_until
from pictures import jpeg

WIDTH, HEIGHT = 160, 120
GLOW = (190, 60, 50)
CONFIG = """
width = 160
height = 120

[readings]
hold = 0.5

[[probes]]
name = "lamp"
region = [0.4, 0.35, 0.2, 0.3]
shape = "ellipse"
light = true
"""


def frame(is_on: bool, seed: int, room: int = 40) -> bytes:
    """A lamp of 20 pixels with an overexposed core, in a room with noise."""
    random = np.random.default_rng(seed)
    picture = np.full((HEIGHT, WIDTH, 3), room, float)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    distance = np.hypot(x - WIDTH / 2 + 0.5, y - HEIGHT / 2 + 0.5)
    if is_on:
        picture[distance < 10] = GLOW
        picture[distance < 4] = 255
    return jpeg((picture + random.normal(0, 2, picture.shape)).clip(0, 255).astype(np.uint8), quality=95, subsampling=0)


@contextlib.contextmanager
def watched(server):
    """The newest light of the probe and the rate of the camera, while a client follows the readings."""
    newest = {}
    with websockets.sync.client.connect(f"ws://127.0.0.1:{server.port}/ws?probes=all") as socket:

        def follow():
            with contextlib.suppress(websockets.exceptions.ConnectionClosed):
                for message in socket:
                    reading = json.loads(message)
                    newest.update(reading["probes"][0], captureRate=reading["rate"]["capture"])

        thread = threading.Thread(target=follow, daemon=True)
        thread.start()
        yield newest
        socket.close()
        thread.join(stretched(5))


def wait_for(probe: dict, word: str) -> dict:
    wait_until(lambda: probe.get("lightState"), f"the light is never {word}", holds=lambda found: found == word)
    return probe["light"]


@pytest.mark.parametrize(("rate", "period", "lit"), [(5, 5, 2), (15, 6, 3), (30, 30, 9), (30, 5, 2), (60, 15, 10)])
def test_blinking_has_its_rate_and_its_duty(play, serve, rate, period, lit):
    frames = [frame(index < lit, index) for index in range(period)]
    server = serve(play(frames, format=f"MJPG {WIDTH} {HEIGHT}", rate=rate), CONFIG)
    with watched(server) as probe:
        light = wait_for(probe, "blinking")
        assert light["on"] is True
        # On a busy machine, frames are played more slowly, and for a while the two rates are those of different times, or
        # there is no colour.
        wait_until(
            lambda: (probe["light"], probe["captureRate"] / period),
            "the rate of blinking, that of the frames and the duty do not agree",
            holds=lambda found: (
                found[0]
                and found[0]["hz"] == pytest.approx(found[1], rel=0.05)
                and found[0]["duty"] == pytest.approx(lit / period, abs=0.1)
            ),
        )


def test_a_lamp_that_was_off_and_on_is_told_and_its_colour_is_that_of_the_glow(play, serve):
    camera = play([frame(False, 1), frame(False, 2)], format=f"MJPG {WIDTH} {HEIGHT}")
    server = serve(camera, CONFIG)
    with watched(server) as probe:
        wait_for(probe, "off")
        camera.play([frame(True, 3), frame(True, 4)], format=f"MJPG {WIDTH} {HEIGHT}")
        light = wait_for(probe, "on")
        assert light["hz"] is None
        red, green, blue = bytes.fromhex(light["hex"][1:])
        # The light of the room is taken away from that of the glow.
        assert red == pytest.approx(187, abs=6)
        assert green < 60
        assert blue < 50
        camera.play([frame(False, 5), frame(False, 6)], format=f"MJPG {WIDTH} {HEIGHT}")
        assert wait_for(probe, "off")["hex"] is None


def test_surroundings_that_are_overexposed_outshine_a_light(play, serve):
    frames = [frame(True, seed, room=250) for seed in range(4)]
    server = serve(play(frames, format=f"MJPG {WIDTH} {HEIGHT}"), CONFIG)
    with watched(server) as probe:
        assert "shade the light" in wait_for(probe, "unknown")["reason"] or wait_until(
            lambda: probe["light"]["reason"], "no reason", holds=lambda reason: reason and "shade the light" in reason
        )
