"""Many viewers, and one that never reads, affect neither the capture nor the readings nor the memory."""

import contextlib
import socket
import threading
import time

import program
import pytest
from Harness.api import get_json as get
from Harness.process import processor_time, resident
from websockets.sync.client import connect

FPS = 15

READINGS = 32
"""The number of readings for which the viewers are watched: eight seconds."""


@contextlib.contextmanager
def serving_test_pattern(folder):
    """The URL and the process of the test pattern, on this machine itself: an emulated one is not a stopwatch."""
    port = program.free_port()
    path = program.config(folder, "test-pattern", port=port, fps=FPS)
    with program.serving(path, port, state="test-pattern") as process:
        yield f"http://127.0.0.1:{port}", process


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving_test_pattern(tmp_path_factory.mktemp("viewers")) as served:
        yield served


@pytest.fixture
def unwatched(tmp_path):
    """The URL of another server, of which one client wants readings and nobody pictures."""
    with serving_test_pattern(tmp_path) as (url, _), reading(url):
        yield url


class Viewer(threading.Thread):
    """Reads the stream and counts its parts."""

    def __init__(self, url, path="/stream.mjpg"):
        super().__init__(daemon=True)
        self.count = 0
        self.stop = threading.Event()
        host, port = url.removeprefix("http://").split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=program.patience())
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())

    def run(self):
        while not self.stop.is_set():
            try:
                data = self.socket.recv(1 << 16)
            except OSError:
                return  # closed, by the other thread
            if not data:
                return
            self.count += data.count(b"Content-Type: image/jpeg")

    def close(self):
        self.stop.set()
        self.socket.close()


@contextlib.contextmanager
def reading(url):
    """A client that wants readings, so that they are made."""
    with connect(f"ws{url.removeprefix('http')}/ws") as connection:
        threading.Thread(target=lambda: [None for _ in connection], daemon=True).start()
        yield


@pytest.fixture
def reader(server):
    with reading(server[0]):
        yield


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("count", program.sampled((1, 10, 50), {50}))
def test_viewers_do_not_slow_down_readings(server, unwatched, count):
    url, process = server
    program.wait_until(lambda: get(f"{url}/healthz")["pictures"]["viewers"] == 0, "somebody is watching")
    viewers = [Viewer(url) for _ in range(count)]
    # This one sends its request and never reads.
    stuck = Viewer(url)
    for viewer in viewers:
        viewer.start()
    try:
        program.wait_until(lambda: all(viewer.count > 5 for viewer in viewers), "a viewer sees nothing")
        before, began, used = resident(process.pid), time.monotonic(), processor_time(process.pid)
        start = get(f"{url}/api/reading"), get(f"{url}/healthz")["pictures"], [viewer.count for viewer in viewers]
        start_unwatched = get(f"{unwatched}/api/reading")
        last = start[0]["sequence"] + READINGS
        program.wait_until(lambda: get(f"{url}/api/reading")["sequence"] >= last, "there are too few readings")
        seconds, used = time.monotonic() - began, processor_time(process.pid) - used
        end = get(f"{url}/api/reading"), get(f"{url}/healthz")["pictures"], [viewer.count for viewer in viewers]
        end_unwatched = get(f"{unwatched}/api/reading")
    finally:
        for viewer in [*viewers, stuck]:
            viewer.close()
    captured = frames_between(start[0], end[0])
    readings = end[0]["sequence"] - start[0]["sequence"]
    encoded = end[1]["encoded"] - start[1]["encoded"]
    seen = [after - before for before, after in zip(start[2], end[2], strict=True)]
    print(f"\n{count} viewers and one that never reads, a second: {captured / seconds:.2f} frames captured, ", end="")
    print(f"{readings / seconds:.2f} readings, {encoded / seconds:.2f} encoded, ", end="")
    print(f"{min(seen) / seconds:.1f} to {max(seen) / seconds:.1f} seen, ", end="")
    print(f"{1000 * used / seconds:.0f} ms of CPU; {before:.1f} -> {resident(process.pid):.1f} MiB")
    # A frame is encoded once for all viewers, and the stuck one delays nobody.
    assert 0 < encoded <= captured + 2
    assert min(seen) > 0
    # On a busy machine, the other server has fewer frames and readings too.
    assert captured == pytest.approx(frames_between(start_unwatched, end_unwatched), rel=0.15)
    assert readings == pytest.approx(end_unwatched["sequence"] - start_unwatched["sequence"], rel=0.15)
    assert resident(process.pid) < before + 8


def frames_between(start, end):
    return end["frame"]["sequence"] - start["frame"]["sequence"]
