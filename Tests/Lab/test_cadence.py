"""Readings come at `readings.rate`, counted by a third-party WebSocket client, whatever the capture rate."""

import itertools
import json
import statistics
import time
from datetime import datetime

import program
import pytest
from websockets.sync.client import connect

RATE = 4


def record(port, seconds):
    """The messages of /ws that come in this many seconds after the first, each with its time of arrival."""
    messages = []
    with connect(f"ws://127.0.0.1:{port}/ws", compression=None) as socket:
        socket.recv(timeout=program.patience())
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                text = socket.recv(timeout=left)
            except TimeoutError:
                break
            messages.append((time.monotonic(), time.time(), json.loads(text)))
    return messages


def spread(values, unit="ms"):
    ordered = sorted(values)
    p99 = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    return (
        f"min {ordered[0]:.1f}  p50 {statistics.median(ordered):.1f}  p99 {p99:.1f}  max {ordered[-1]:.1f}"
        f"  sd {statistics.pstdev(ordered):.1f} {unit}"
    )


def report(fps, seconds, messages):
    intervals = [1000 * (later[0] - earlier[0]) for earlier, later in itertools.pairwise(messages)]
    print(f"\n{len(messages)} readings in {seconds} s at {fps} frames/s, {rate(messages):.2f} a second")
    print(f"  between two       {spread(intervals)}")
    live = [(at, reading) for _, at, reading in messages if reading["frame"]]
    if live:
        print(f"  age, when sent    {spread([reading['frame']['ageMs'] for _, reading in live])}")
        on_the_way = [1000 * (at - published(reading)) for at, reading in live]
        print(f"  sent to received  {spread(on_the_way)}")
        ages = [way + reading["frame"]["ageMs"] for way, (_, reading) in zip(on_the_way, live)]
        print(f"  age, received     {spread(ages)}")


def rate(messages):
    """Readings a second, by their own times."""
    first, last = (published(messages[index][2]) for index in (0, -1))
    return (len(messages) - 1) / (last - first)


def published(reading):
    """`time` as seconds since 1970."""
    return datetime.fromisoformat(reading["time"]).timestamp()


# At 2 frames/s there are fewer frames than readings; the readings still come at their rate.
@pytest.mark.parametrize("fps", [2, 5, 15, 25])
def test_readings_keep_their_rate(camera, tmp_path, request, fps):
    seconds = request.config.getoption("--seconds")
    camera.show("red")
    port = program.free_port()
    path = program.config(tmp_path, camera.node, rate=RATE, port=port, format="YUYV", width=320, height=180, fps=fps)
    with program.serving(path, port):
        messages = record(port, seconds)
    report(fps, seconds, messages)
    assert abs(len(messages) - RATE * seconds) <= 1
    # A reading comes with the first frame of its tick, so the first and the last may each be late by a frame period.
    assert rate(messages) == pytest.approx(RATE, rel=0.01 + 1 / (fps * seconds))
    sequences = [reading["sequence"] for _, _, reading in messages]
    assert sequences == list(range(sequences[0], sequences[0] + len(sequences))), "a reading was left out or repeated"
