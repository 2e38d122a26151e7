"""While nobody watches, frames rest with the driver: whoever asks, joins or wants a picture gets a frame of now.

At one and two frames a second that takes waking the thread. What is compared is when a frame was captured, by the
camera's own stamp: a reading's `time` less its frame's `ageMs`. vivid's stamps are true for the start of a frame; for its
end they lie in the future.
"""

import concurrent.futures
import json
import random
import time
import urllib.request

import program
import pytest
from recorder import seconds
from websockets.sync.client import connect


@pytest.fixture(scope="module", params=[1, 2], ids=["1 frame/s", "2 frames/s"])
def fps(request):
    return request.param


@pytest.fixture(scope="module")
def url(camera, tmp_path_factory, fps):
    """A server that nobody watches, on a camera of so many frames a second."""
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
    """Waits until the newest reading is too old to be told again, then for a random part of a rest; so many times."""
    chance = random.Random(fps)

    def moments(count):
        for _ in range(count):
            time.sleep(0.6 + chance.uniform(0, 3.2 / fps))
            yield time.time()

    return moments


def captured(reading):
    """When the frame of a reading was captured, in seconds since 1970."""
    return seconds(reading["time"]) - reading["frame"]["ageMs"] / 1000


def is_of_now(captured, asked, fps):
    """Whether less than two frames have come since it was captured; half a frame more, for an emulator."""
    return (asked - captured) * fps < 2.5


def test_a_caller_gets_a_frame_of_now(url, fps, moments):
    frames = []
    for asked in moments(10):
        reading = program.get(f"{url}/api/reading")
        assert is_of_now(captured(reading), asked, fps)
        frames.append((reading["sequence"], reading["frame"]["sequence"]))
    assert frames == sorted(set(frames)), "a frame was read twice"


def test_a_slow_camera_is_healthy(url, moments):
    for _ in moments(10):
        assert program.get(f"{url}/healthz")["status"] == "ok"


def test_one_frame_answers_all_who_ask_at_once(url, fps, moments):
    with concurrent.futures.ThreadPoolExecutor(20) as callers:
        for asked in moments(2):
            readings = list(callers.map(program.get, [f"{url}/api/reading"] * 20))
            assert all(is_of_now(captured(reading), asked, fps) for reading in readings)
            # Emulated, twenty may take so long to ask that another frame has come.
            count = len({reading["sequence"] for reading in readings})
            assert len({reading["frame"]["sequence"] for reading in readings}) == count


def test_the_first_who_watches_sees_a_frame_of_now(url, fps, moments):
    for asked in moments(4):
        with connect(f"{url.replace('http', 'ws')}/ws", compression=None) as socket:
            joined = time.time()
            reading = json.loads(socket.recv(timeout=program.PATIENCE))
        assert is_of_now(captured(reading), asked, fps)
        # The next frame at the latest: no more were left to gather. Half a frame more, for an emulator.
        assert (captured(reading) - joined) * fps < 1.5


def test_a_snapshot_is_of_now(url, fps, moments):
    for asked in moments(4):
        with urllib.request.urlopen(f"{url}/snapshot.jpg", timeout=program.PATIENCE) as response:
            assert is_of_now(float(response.headers["X-Timestamp"]), asked, fps)
