"""While nobody watches, frames stay with the driver; a client that asks, joins or wants a picture gets a current frame.

At one and two frames a second, this requires waking the thread. The tests compare when a frame was captured by the
camera's own stamp: a reading's `time` less its frame's `ageMs`. vivid's stamps are right for the start of a frame, and
in the future for its end.
"""

import json
import random
import time
import urllib.request

import program
import pytest
from recorder import seconds
from websockets.sync.client import connect


@pytest.fixture(scope="module", params=program.sampled((1, 2), {1}), ids=lambda fps: f"{fps} frames/s")
def fps(request):
    return request.param


@pytest.fixture(scope="module")
def url(camera, tmp_path_factory, fps):
    """A server that nobody watches, on a camera with this many frames a second."""
    port = program.free_port()
    path = program.config(
        tmp_path_factory.mktemp("demand"), camera.node, port=port, format="YUYV", width=320, height=180, fps=fps
    )
    camera.set(timestamp_source=1)
    try:
        with program.serving(path, port):
            yield f"http://127.0.0.1:{port}"
    finally:
        camera.set(timestamp_source=0)


@pytest.fixture
def moments(fps):
    """A number of moments at which the newest reading is too old to be repeated, at random times between two frames."""
    chance = random.Random(fps)

    def moments(count):
        for _ in range(count):
            # The time without a request is what is tested.
            time.sleep(0.6 + chance.uniform(0, 3.2 / fps))
            yield time.time()

    return moments


def captured(reading):
    """When the frame of a reading was captured, in seconds since 1970."""
    return seconds(reading["time"]) - reading["frame"]["ageMs"] / 1000


def is_of_now(captured, asked, fps):
    """Whether fewer than two frames have come since, with half a frame of tolerance for an emulator."""
    return (asked - captured) * fps < 2.5


def test_a_request_for_a_reading_gets_a_current_frame(url, fps, moments):
    frames = []
    for asked in moments(10):
        reading = program.get(f"{url}/api/reading")
        assert is_of_now(captured(reading), asked, fps)
        frames.append((reading["sequence"], reading["frame"]["sequence"]))
    assert frames == sorted(set(frames)), "a frame was read twice"


def test_the_first_websocket_gets_a_current_frame(url, fps, moments):
    for asked in moments(4):
        with connect(f"{url.replace('http', 'ws')}/ws", compression=None) as socket:
            joined = time.time()
            reading = json.loads(socket.recv(timeout=program.patience()))
        assert is_of_now(captured(reading), asked, fps)
        # At the latest it is the next frame, with half a frame of tolerance for an emulator.
        assert (captured(reading) - joined) * fps < 1.5


def test_a_snapshot_shows_a_current_frame(url, fps, moments):
    for asked in moments(4):
        with urllib.request.urlopen(f"{url}/snapshot.jpg", timeout=program.patience()) as response:
            assert is_of_now(float(response.headers["X-Timestamp"]), asked, fps)
