"""What systemd is told, and what it is not told when the program hangs: its end of the socket is here."""

import os
import re
import socket
import time

import pytest
from swatchcam_server import Server

PATIENCE = 20


class Manager:
    def __init__(self, path):
        self.path = str(path)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path.replace("@", "\0") if self.path.startswith("@") else self.path)

    def next(self, timeout=PATIENCE):
        self.socket.settimeout(timeout)
        return self.socket.recv(4096).decode()

    def wait_for(self, message):
        deadline = time.monotonic() + PATIENCE
        while (seen := self.next()) != message:
            assert time.monotonic() < deadline, f"{seen} came last, not {message}"

    def drain(self):
        self.socket.setblocking(False)
        try:
            while True:
                self.socket.recv(4096)
        except BlockingIOError:
            return


@pytest.fixture(params=["path", "abstract"])
def manager(request, tmp_path):
    manager = Manager(tmp_path / "notify" if request.param == "path" else f"@swatchcam-test-{tmp_path.name}")
    yield manager
    manager.socket.close()


def start(start_server, manager, monkeypatch, watchdog=None, config=""):
    monkeypatch.setenv("NOTIFY_SOCKET", manager.path)
    if watchdog:
        monkeypatch.setenv("WATCHDOG_USEC", str(int(watchdog * 1e6)))
    return start_server(config)


def test_it_is_told_when_requests_are_answered(start_server, manager, monkeypatch):
    start(start_server, manager, monkeypatch)
    assert manager.next() == "READY=1"


def test_it_is_told_what_is_seen(start_server, manager, monkeypatch):
    start(start_server, manager, monkeypatch)
    manager.wait_for("STATUS=Test pattern: Test pattern")


def test_its_watchdog_is_fed(start_server, manager, monkeypatch):
    start(start_server, manager, monkeypatch, watchdog=1)
    for _ in range(5):
        manager.wait_for("WATCHDOG=1")


def test_its_watchdog_is_fed_without_a_camera(start_server, manager, monkeypatch):
    """A restart would not bring the camera back."""
    server = start(start_server, manager, monkeypatch, watchdog=1)
    server.config.write_text('[camera]\ndevice = "/dev/video99"\n')
    manager.wait_for(
        "STATUS=There is no camera at /dev/video99; no other is connected. Plug it in, or correct camera.device; "
        "'swatchcam cameras' lists the cameras."
    )
    for _ in range(3):
        manager.wait_for("WATCHDOG=1")


def test_its_watchdog_is_not_fed_while_it_hangs(start_server, manager, monkeypatch):
    server = start(start_server, manager, monkeypatch, watchdog=3)
    manager.wait_for("WATCHDOG=1")
    server.suspend()
    manager.drain()
    with pytest.raises(TimeoutError):
        manager.next(timeout=3)
    server.resume()
    manager.wait_for("WATCHDOG=1")


def test_it_is_told_of_the_end(start_server, manager, monkeypatch):
    server = start(start_server, manager, monkeypatch)
    server.stop()
    manager.wait_for("STOPPING=1")


def test_without_it_nothing_is_told(start_server, manager):
    start_server()
    with pytest.raises(TimeoutError):
        manager.next(timeout=1)


def log_of(tmp_path, monkeypatch, journal):
    """What the program logs, to a socket that is, or is not, said to be the journal."""
    ours, its = socket.socketpair()
    status = os.fstat(its.fileno())
    monkeypatch.setenv("JOURNAL_STREAM", f"{status.st_dev}:{status.st_ino + (0 if journal else 1)}")
    server = Server(tmp_path, device="/dev/video99")
    with ours, its:
        server.start(stderr=its)
        ours.settimeout(PATIENCE)
        text = ""
        while text.count("\n") < 2:
            text += ours.recv(4096).decode()
        server.stop()
    return text.splitlines()[:2]


def test_the_journal_gets_priorities_and_no_time(tmp_path, monkeypatch):
    path, absence = log_of(tmp_path, monkeypatch, journal=True)
    assert path == f"<6>Configuration: {tmp_path}/config.toml."
    assert absence.startswith("<4>There is no camera at /dev/video99;")


def test_what_is_not_the_journal_gets_the_time(tmp_path, monkeypatch):
    for line in log_of(tmp_path, monkeypatch, journal=False):
        assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S+ (info|warning) swatchcam: ", line)


def test_it_serves_where_it_may_open_64_files(start_server):
    server = start_server(prefix=["prlimit", "--nofile=64"])
    assert server.process.poll() is None


def test_it_does_not_start_where_it_may_open_fewer_than_64_files(start_server):
    with pytest.raises(RuntimeError, match=r"(?s)ended with 69:.*may open 63 files at once, too few to serve browsers"):
        start_server(prefix=["prlimit", "--nofile=63"])
