"""Many viewers, and one that never reads: neither the capture nor the readings nor the memory feel them."""

import json
import os
import pathlib
import socket
import threading
import time
import urllib.request

import program
import pytest
from websockets.sync.client import connect

FPS = 15


def get(url):
    with urllib.request.urlopen(url, timeout=program.PATIENCE) as response:
        return json.load(response)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The test pattern, on this machine itself: (URL, process). The emulated one is no stopwatch."""
    port = program.free_port()
    path = program.config(tmp_path_factory.mktemp("viewers"), "test-pattern", port=port, fps=FPS)
    with program.serving(path, port, state="test-pattern") as process:
        yield f"http://127.0.0.1:{port}", process


class Viewer(threading.Thread):
    """Reads the stream and counts its parts."""

    def __init__(self, url, path="/stream.mjpg"):
        super().__init__(daemon=True)
        self.count = 0
        self.stop = threading.Event()
        host, port = url.removeprefix("http://").split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=program.PATIENCE)
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


@pytest.fixture
def reader(server):
    """Somebody who wants readings, so that they are made."""
    with connect(f"ws{server[0].removeprefix('http')}/ws") as connection:
        threading.Thread(target=lambda: [None for _ in connection], daemon=True).start()
        yield


def memory(process):
    """Resident, in MiB."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def cpu(process):
    """Used so far, in seconds."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_nothing_is_encoded_while_nobody_watches(server):
    url, _ = server
    program.wait_until(lambda: get(f"{url}/healthz")["pictures"]["viewers"] == 0, "somebody is watching")
    before = get(f"{url}/healthz")["pictures"]
    first = get(f"{url}/api/reading")["frame"]["sequence"]
    program.wait_until(lambda: get(f"{url}/api/reading")["frame"]["sequence"] > first + 2 * FPS, "no frames")
    assert get(f"{url}/healthz")["pictures"] == before


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("count", [1, 10, 50])
def test_viewers_cost_readings_nothing(server, count):
    url, process = server
    program.wait_until(lambda: get(f"{url}/healthz")["pictures"]["viewers"] == 0, "somebody is watching")
    viewers = [Viewer(url) for _ in range(count)]
    # It asks, and reads nothing, ever.
    stuck = Viewer(url)
    for viewer in viewers:
        viewer.start()
    try:
        program.wait_until(lambda: all(viewer.count > 5 for viewer in viewers), "a viewer sees nothing")
        before, began, used = memory(process), time.monotonic(), cpu(process)
        start = get(f"{url}/api/reading"), get(f"{url}/healthz")["pictures"], [viewer.count for viewer in viewers]
        time.sleep(8)
        seconds, used = time.monotonic() - began, cpu(process) - used
        end = get(f"{url}/api/reading"), get(f"{url}/healthz")["pictures"], [viewer.count for viewer in viewers]
    finally:
        for viewer in [*viewers, stuck]:
            viewer.close()
    captured = end[0]["frame"]["sequence"] - start[0]["frame"]["sequence"]
    readings = end[0]["sequence"] - start[0]["sequence"]
    encoded = end[1]["encoded"] - start[1]["encoded"]
    seen = [after - before for before, after in zip(start[2], end[2], strict=True)]
    print(f"\n{count} viewers and one that never reads, a second: {captured / seconds:.2f} frames captured, ", end="")
    print(f"{readings / seconds:.2f} readings, {encoded / seconds:.2f} encoded, ", end="")
    print(f"{min(seen) / seconds:.1f} to {max(seen) / seconds:.1f} seen, ", end="")
    print(f"{1000 * used / seconds:.0f} ms of CPU; {before:.1f} -> {memory(process):.1f} MiB")
    # However many watch, a frame is encoded once; and the one that is stuck stops nobody.
    assert 0 < encoded <= captured + 2
    assert min(seen) > 0
    assert captured == pytest.approx(readings * FPS / 4, rel=0.15)
    assert memory(process) < before + 8


def test_a_viewer_may_ask_for_fewer_pictures(server):
    url, _ = server
    viewer = Viewer(url, "/stream.mjpg?fps=2")
    viewer.start()
    try:
        program.wait_until(lambda: viewer.count >= 2, "no picture")
        before, first = viewer.count, get(f"{url}/api/reading")["frame"]["sequence"]
        program.wait_until(lambda: viewer.count >= before + 6, "no picture")
        frames = get(f"{url}/api/reading")["frame"]["sequence"] - first
    finally:
        viewer.close()
    # Three seconds' worth of frames for six pictures.
    assert frames >= 2 * FPS
