"""Notifications to systemd, and their absence when the program hangs. The tests hold systemd's end of the socket."""

import os
import re
import socket

import pytest
from Harness.server import Server, ServerEndedError
from Harness.waiting import stretched, wait_until


class Manager:
    """systemd, as far as a service talks to it."""

    def __init__(self, path):
        self.path = str(path)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path.replace("@", "\0") if self.path.startswith("@") else self.path)

    def next(self, timeout=None):
        self.socket.settimeout(timeout or stretched())
        return self.socket.recv(4096).decode()

    def wait_for(self, message):
        """Waits for a message that begins like this."""
        wait_until(self.next, f"systemd does not receive {message}", holds=lambda text: text.startswith(message))

    def drain(self):
        self.socket.setblocking(False)
        try:
            while True:
                self.socket.recv(4096)
        except BlockingIOError:
            return


@pytest.fixture
def manager(request, tmp_path):
    is_abstract = getattr(request, "param", "path") == "abstract"
    manager = Manager(f"@swatchcam-test-{os.getpid()}-{tmp_path.name}" if is_abstract else tmp_path / "notify")
    yield manager
    manager.socket.close()


def start(start_server, manager, monkeypatch, watchdog=None, config=""):
    monkeypatch.setenv("NOTIFY_SOCKET", manager.path)
    if watchdog:
        monkeypatch.setenv("WATCHDOG_USEC", str(int(watchdog * 1e6)))
    return start_server(config)


@pytest.mark.parametrize("manager", ["path", "abstract"], indirect=True)
def test_systemd_is_notified_once_requests_are_answered(start_server, manager, monkeypatch):
    start(start_server, manager, monkeypatch)
    assert manager.next() == "READY=1"


def test_systemd_is_notified_of_the_state_of_the_camera(start_server, manager, monkeypatch):
    start(start_server, manager, monkeypatch)
    manager.wait_for("STATUS=Test pattern: Test pattern")


def test_the_watchdog_is_fed(start_server, manager, monkeypatch):
    start(start_server, manager, monkeypatch, watchdog=1)
    for _ in range(3):
        manager.wait_for("WATCHDOG=1")


def test_the_watchdog_is_fed_without_a_camera(start_server, manager, monkeypatch):
    """A restart would not bring the camera back."""
    server = start(start_server, manager, monkeypatch, watchdog=1)
    server.config.write_text('[camera]\ndevice = "/dev/video99"\n')
    manager.wait_for("STATUS=There is no camera at /dev/video99. ")
    for _ in range(3):
        manager.wait_for("WATCHDOG=1")


def test_the_watchdog_is_not_fed_while_the_program_hangs(start_server, manager, monkeypatch):
    server = start(start_server, manager, monkeypatch, watchdog=1)
    manager.wait_for("WATCHDOG=1")
    server.suspend()
    manager.drain()
    with pytest.raises(TimeoutError):
        manager.next(timeout=1)
    server.resume()
    manager.wait_for("WATCHDOG=1")


def test_systemd_is_notified_that_the_program_stops(start_server, manager, monkeypatch):
    server = start(start_server, manager, monkeypatch)
    server.stop()
    manager.wait_for("STOPPING=1")


def test_nothing_is_sent_to_a_notify_socket_whose_path_is_not_absolute(start_server, manager, monkeypatch):
    """By sd_notify(3), such a value means that there is no socket. Relative to the program's folder, there is one."""
    folder, name = os.path.split(manager.path)
    monkeypatch.setenv("NOTIFY_SOCKET", name)
    start_server(cwd=folder).stop()
    with pytest.raises(BlockingIOError):
        manager.socket.recv(1, socket.MSG_DONTWAIT)


def log_of(tmp_path, monkeypatch, journal):
    """The first two lines that the program logs to a socket that JOURNAL_STREAM names as the journal, or does not."""
    ours, its = socket.socketpair()
    status = os.fstat(its.fileno())
    monkeypatch.setenv("JOURNAL_STREAM", f"{status.st_dev}:{status.st_ino + (0 if journal else 1)}")
    server = Server(tmp_path, device="/dev/video99")
    with ours, its:
        server.start(stderr=its)
        ours.settimeout(stretched())
        text = ""
        while text.count("\n") < 2:
            text += ours.recv(4096).decode()
        server.stop()
    return text.splitlines()[:2]


def test_lines_for_the_journal_have_a_priority_and_no_time(tmp_path, monkeypatch):
    configuration, camera = log_of(tmp_path, monkeypatch, journal=True)
    assert configuration == f"<6>Configuration: {tmp_path}/config.toml."
    assert camera.startswith("<4>There is no camera at /dev/video99.")


def test_lines_for_anything_but_the_journal_have_a_time(tmp_path, monkeypatch):
    for line in log_of(tmp_path, monkeypatch, journal=False):
        assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S+ (info|warning) swatchcam: ", line)


def test_the_program_serves_when_it_may_open_64_files(start_server):
    server = start_server(prefix=["prlimit", "--nofile=64"])
    assert server.is_running


def test_the_program_refuses_to_start_when_it_may_open_fewer_than_64_files(start_server):
    with pytest.raises(
        ServerEndedError, match=r"(?s)ended with 69:.*may open 63 files at once, too few to serve browsers"
    ):
        start_server(prefix=["prlimit", "--nofile=63"])
