"""Readings come at `readings.rate`, counted by a third-party WebSocket client, whatever the capture rate."""

import json
import time
from datetime import datetime

import program
import pytest
from websockets.sync.client import connect

RATE = 4


def record(port, seconds):
    """The readings that /ws sends in this many seconds after the first."""
    readings = []
    with connect(f"ws://127.0.0.1:{port}/ws", compression=None) as socket:
        socket.recv(timeout=program.patience())
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                text = socket.recv(timeout=left)
            except TimeoutError:
                break
            readings.append(json.loads(text))
    return readings


def rate(readings):
    """Readings a second, by their own times."""
    first, last = (published(readings[index]) for index in (0, -1))
    return (len(readings) - 1) / (last - first)


def published(reading):
    """`time` as seconds since 1970."""
    return datetime.fromisoformat(reading["time"]).timestamp()


# At 2 frames/s there are fewer frames than readings; the readings still come at their rate.
@pytest.mark.parametrize("fps", program.sampled((2, 5, 15, 25), {2, 15}))
def test_readings_keep_their_rate(camera, tmp_path, request, fps):
    seconds = request.config.getoption("--seconds")
    camera.show("red")
    port = program.free_port()
    path = program.config(tmp_path, camera.node, rate=RATE, port=port, format="YUYV", width=320, height=180, fps=fps)
    with program.serving(path, port):
        readings = record(port, seconds)
    print(f"\n{len(readings)} readings in {seconds} s at {fps} frames/s, {rate(readings):.2f} a second")
    assert abs(len(readings) - RATE * seconds) <= 1
    # A reading comes with the first frame of its tick, so the first and the last may each be late by a frame period.
    assert rate(readings) == pytest.approx(RATE, rel=0.01 + 1 / (fps * seconds))
    sequences = [reading["sequence"] for reading in readings]
    assert sequences == list(range(sequences[0], sequences[0] + len(sequences))), "a reading was left out or repeated"
