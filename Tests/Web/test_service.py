"""What the system does to the program: the watchdog of systemd, the journal, signals and the limit of open files."""

import os
import re
import signal
import socket
from pathlib import Path

import pytest
from Harness.server import Server, ServerEndedError
from Harness.waiting import stretched, wait_until


def test_the_watchdog_is_not_fed_while_the_program_hangs(start_server, tmp_path):
    """The test holds systemd's end of the socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(stretched())

        def wait_for_food():
            wait_until(lambda: manager.recv(4096), "the watchdog is not fed", holds=lambda text: text == b"WATCHDOG=1")

        environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "1000000"}
        server = start_server(env=os.environ | environment)
        wait_for_food()
        server.suspend()
        # The process stops at the signal, and leaves what it has sent.
        wait_until(lambda: is_stopped(server.pid), "the process is not stopped")
        manager.setblocking(False)
        with pytest.raises(BlockingIOError):
            while True:
                manager.recv(4096)
        manager.settimeout(1)
        with pytest.raises(TimeoutError):
            manager.recv(4096)
        manager.settimeout(stretched())
        server.resume()
        wait_for_food()


def is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "T"


def test_a_flood_of_sighups_is_logged_in_twenty_lines_at_most(start_server):
    server = start_server()
    for _ in range(5000):
        server.process.send_signal(signal.SIGHUP)
    # SIGTERM is handled in the same way as SIGHUP, and after it.
    server.stop()
    assert 1 <= server.logged().count("SIGHUP") <= 20


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
