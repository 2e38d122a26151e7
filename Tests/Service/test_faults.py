"""Faults of an unattended year, and the time until readings are live again."""

import os
import pathlib
import signal
import subprocess
import time

import pytest
import service
from Harness.waiting import stretched

# Longer than WatchdogSec=. SWATCHCAM_ABSENCE=600 makes it ten minutes.
ABSENCE = float(os.environ.get("SWATCHCAM_ABSENCE", "35"))

WATCHDOG = 30
"""WatchdogSec= of the unit."""

ABORT = 3
"""TimeoutAbortSec= of the unit."""

PAUSE = 2
"""RestartSec= of the unit."""

START = 5
"""Seconds of an idle machine within which the program starts."""


def test_the_service_is_live_again_after_it_is_killed():
    pid = service.main_pid()
    began = time.monotonic()
    os.kill(pid, signal.SIGKILL)
    service.wait_until_recovered("kill -9", "restarted", began, but_not=pid)


def test_the_service_is_live_again_after_the_watchdog_ends_a_hang():
    """A stopped process does not react to SIGABRT either, so systemd sends SIGKILL."""
    pid, mark = service.main_pid(), service.mark()
    began = time.monotonic()
    os.kill(pid, signal.SIGSTOP)
    took = service.wait_until_recovered(
        "hang (SIGSTOP)", "the watchdog had it killed and restarted", began, but_not=pid
    )
    assert "Watchdog timeout" in service.lines_since(mark)
    assert took < WATCHDOG + ABORT + PAUSE + stretched(START)


@pytest.mark.release
def test_the_service_stays_up_while_the_camera_is_gone_for_long():
    """The watchdog is fed in the meantime, because a restart would not bring the camera back."""
    pid, restarts = service.main_pid(), service.restarts()
    service.unplug()
    service.wait_for_state("lost")
    # The absence itself is tested, so there is no event to wait for.
    time.sleep(ABSENCE)
    gone = service.reading("lost")
    began = time.monotonic()
    service.plug()
    service.wait_until_recovered(f"camera gone for {ABSENCE:.0f} s, plugged in again", "stayed up, read on", began)
    assert gone["hex"] is None
    assert (service.main_pid(), service.restarts()) == (pid, restarts)


def test_the_service_waits_while_another_program_has_the_camera():
    """The sandbox hides which program that is, so the message says how to find it."""
    service.systemctl("stop", service.UNIT)
    with subprocess.Popen(["v4l2-ctl", "--stream-mmap"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as holder:
        # v4l2-ctl writes a character for each frame, so it streams once there is one.
        assert holder.stderr.read(1)
        service.systemctl("start", service.UNIT)
        message = service.wait_for_state("busy")["message"]
        began = time.monotonic()
        holder.kill()
    service.wait_until_recovered("camera held by another program, then released", "waited, read on", began)
    assert "sudo fuser -v /dev/video0" in message


@pytest.fixture
def small_disk():
    """A file system of 64 KiB for the service's state; the path of a file that fills it."""
    service.systemctl("stop", service.UNIT)
    service.run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(service.STATE))
    service.systemctl("start", service.UNIT)
    service.wait_until_live()
    yield service.STATE / "full"
    service.systemctl("stop", service.UNIT)
    service.run("umount", str(service.STATE))
    service.systemctl("start", service.UNIT)


def fill(path):
    """Fills the file system, in the end with single bytes so that no room is left."""
    with path.open("wb", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            try:
                while file.write(bytes(size)):
                    pass
            except OSError:
                continue


def test_the_service_continues_reading_when_the_disk_of_its_state_is_full(small_disk):
    """A camera can still be chosen, but the log says that it is not remembered. With free space, it is remembered."""
    memory = service.STATE / "camera.json"
    fill(small_disk)
    mark, pid = service.mark(), service.main_pid()
    assert service.request("/api/camera", "POST", {"id": "/dev/video0"})[0] == 200
    service.wait_until(
        lambda: "will not be remembered for the next start" in service.lines_since(mark),
        "the full disk is not reported",
    )
    assert not memory.exists()
    began = time.monotonic()
    service.wait_until_recovered("disk of its state full", "camera chosen, but not remembered; read on", began)
    small_disk.unlink()
    assert service.request("/api/camera", "POST", {"id": "/dev/video0"})[0] == 200
    service.wait_until(memory.exists, "the camera is not remembered")
    assert service.main_pid() == pid


@pytest.fixture
def full_root():
    """A full root file system, which has everything else: programs, logs, temporary files."""
    path = pathlib.Path("/full")
    fill(path)
    yield path
    path.unlink()


@pytest.mark.release
def test_the_service_restarts_after_a_kill_while_the_root_file_system_is_full(full_root):
    assert os.statvfs("/").f_bavail == 0
    pid = service.main_pid()
    began = time.monotonic()
    os.kill(pid, signal.SIGKILL)
    service.wait_until_recovered("root file system full, and kill -9", "restarted", began, but_not=pid)
    assert service.request("/healthz")[0] == 200


@pytest.fixture
def full_journal():
    """A journal that has no room for another line."""
    folder = "/var/log/journal"
    service.run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder)
    machine = pathlib.Path(folder, pathlib.Path("/etc/machine-id").read_text().strip())
    machine.mkdir()
    service.systemctl("restart", "systemd-journald")
    service.run("journalctl", "--flush")
    fill(machine / "full")
    yield
    (machine / "full").unlink()
    service.systemctl("restart", "systemd-journald")
    service.run("umount", "--lazy", folder)
    service.systemctl("restart", "systemd-journald")
    service.run("journalctl", "--flush")


@pytest.mark.release
def test_the_service_continues_reading_when_the_journal_is_full(full_journal):
    """Log lines are lost, and nothing else."""
    pid = service.main_pid()
    for _ in range(5):
        service.systemctl("reload", service.UNIT)
    assert [message["state"] for message in service.messages(8)] == ["live"] * 8
    assert service.main_pid() == pid


@pytest.fixture
def clock():
    """A function that moves the time of day by a number of seconds; afterwards it is right again."""
    offset = time.time() - time.monotonic()
    yield lambda seconds: time.clock_settime(time.CLOCK_REALTIME, time.time() + seconds)
    time.clock_settime(time.CLOCK_REALTIME, time.monotonic() + offset)


@pytest.mark.parametrize(
    ("days", "name"), [pytest.param(365, "a year on", marks=pytest.mark.release), (-1, "a day back")]
)
def test_the_service_continues_reading_when_the_clock_jumps(clock, days, name):
    restarts, fed = service.restarts(), service.watchdog_time()
    began = time.monotonic()
    clock(days * 86400)
    service.wait_until_recovered(f"clock jumps {name}", "read on", began)
    since = time.monotonic()
    service.messages(21)
    rate = 20 / (time.monotonic() - since)
    service.wait_until(lambda: service.watchdog_time() > fed, "the watchdog is no longer fed")
    print(f"\n  {rate:.2f} readings/s after the clock jumped {name}")
    # There is neither a pause nor a year of readings at once. The tolerance is for the stalls of an emulator.
    assert 2 < rate < 8
    assert service.restarts() == restarts


def test_the_service_restarts_when_its_memory_is_used_up():
    """The kernel kills a process in the unit, systemd stops the rest (OOMPolicy=stop), and the unit restarts."""
    pid, mark = service.main_pid(), service.mark()
    group = pathlib.Path("/sys/fs/cgroup" + service.show("ControlGroup")) / "cgroup.procs"
    hog = ["python3", "-c", f"open({str(group)!r}, 'w').write('0'); bytearray(b'1') * (1 << 29)"]
    assert subprocess.run(hog, check=False, timeout=stretched(60)).returncode == -signal.SIGKILL
    began = time.monotonic()
    service.wait_until_recovered("more memory than MemoryMax", "killed by the kernel, restarted", began, but_not=pid)
    assert "oom-kill" in service.lines_since(mark)


@pytest.mark.release
def test_the_service_is_live_as_soon_as_there_is_enough_memory():
    """systemd restarts the service until there is enough."""
    restarts = service.restarts()
    service.systemctl("set-property", "--runtime", service.UNIT, "MemoryMax=2M")
    try:
        service.wait_until(lambda: service.restarts() >= restarts + 1, "systemd does not try again")
    finally:
        began = time.monotonic()
        service.systemctl("revert", service.UNIT)
    service.wait_until_recovered("MemoryMax=2M, then lifted", "killed by the kernel, restarted", began)
    assert "(swatchcam)" in service.run("journalctl", "--dmesg", "--grep", "Memory cgroup out of memory: Killed").stdout


@pytest.fixture
def broken_configuration():
    """A configuration with a mistake; the text without it."""
    good = service.CONFIG.read_text()
    service.CONFIG.write_text("nonsense = 1\n" + good)
    yield good
    service.CONFIG.write_text(good)


def test_the_service_is_live_as_soon_as_a_broken_configuration_is_corrected(broken_configuration):
    """The start fails immediately, naming the mistake. systemd repeats it with pauses until that is corrected."""
    mark = service.mark()
    assert service.systemctl("restart", service.UNIT, check=False).returncode != 0
    before, since = service.restarts(), time.monotonic()
    service.wait_until(lambda: service.restarts() >= before + 2, "systemd does not try again")
    took = time.monotonic() - since
    began = time.monotonic()
    service.CONFIG.write_text(broken_configuration)
    service.wait_until_recovered("configuration broken, then mended", "tried every few seconds", began)
    said = service.lines_since(mark)
    assert "/etc/swatchcam/config.toml:1:1: nonsense: unknown key" in said
    assert "status=78/CONFIG" in said
    # There is at least one whole pause between two attempts.
    assert took > PAUSE
