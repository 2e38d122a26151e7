"""What goes wrong in a year that nobody touches it, and how long until readings are live again."""

import os
import pathlib
import signal
import subprocess
import time

import pytest
import service

# Longer than the watchdog's patience. SWATCHCAM_ABSENCE=600 for the ten minutes of somebody's cleaning.
ABSENCE = float(os.environ.get("SWATCHCAM_ABSENCE", "35"))

WATCHDOG = 30
"""WatchdogSec= of the unit."""

ABORT = 3
"""TimeoutAbortSec= of the unit."""

PAUSE = 2
"""RestartSec= of the unit."""

# Taken for a program to start in the emulator, on a busy machine.
START = 30


def test_it_is_killed():
    pid = service.main_pid()
    began = time.monotonic()
    os.kill(pid, signal.SIGKILL)
    service.recovered("kill -9", "restarted", began, but_not=pid)


def test_it_crashes():
    pid = service.main_pid()
    began = time.monotonic()
    os.kill(pid, signal.SIGSEGV)
    service.recovered("segmentation fault", "restarted", began, but_not=pid)


def test_it_hangs():
    """A process that is stopped does not heed SIGABRT either."""
    pid, mark = service.main_pid(), service.mark()
    began = time.monotonic()
    os.kill(pid, signal.SIGSTOP)
    took = service.recovered("hang (SIGSTOP)", "the watchdog had it killed and restarted", began, but_not=pid)
    assert "Watchdog timeout" in service.entries(mark)
    assert took < WATCHDOG + ABORT + PAUSE + START


def test_the_camera_is_gone_for_long():
    """A restart would not bring it back: the watchdog is fed meanwhile."""
    pid, restarts = service.main_pid(), service.restarts()
    service.unplug()
    service.wait_for_state("lost")
    # The absence itself is what is tested, not something that ends it.
    time.sleep(ABSENCE)
    gone = service.reading("lost")
    began = time.monotonic()
    service.plug()
    service.recovered(f"camera gone for {ABSENCE:.0f} s, plugged in again", "stayed up, read on", began)
    assert gone["hex"] is None
    assert (service.main_pid(), service.restarts()) == (pid, restarts)


def test_another_program_has_the_camera():
    """Which one it is the sandbox hides; how to find it is told."""
    service.systemctl("stop", service.UNIT)
    with subprocess.Popen(["v4l2-ctl", "--stream-mmap"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as holder:
        # It writes a character for each frame: with the first it streams.
        assert holder.stderr.read(1)
        service.systemctl("start", service.UNIT)
        message = service.wait_for_state("busy")["message"]
        began = time.monotonic()
        holder.kill()
    service.recovered("camera held by another program, then let go", "waited, read on", began)
    assert "sudo fuser -v /dev/video0" in message


@pytest.fixture
def small_disk():
    """The file system of its state, of 64 KiB; returned is a file that can fill it."""
    service.systemctl("stop", service.UNIT)
    service.run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(service.STATE))
    service.systemctl("start", service.UNIT)
    service.wait_until_live()
    yield service.STATE / "full"
    service.systemctl("stop", service.UNIT)
    service.run("umount", str(service.STATE))
    service.systemctl("start", service.UNIT)


def fill(path):
    """With a byte at a time in the end, so that no room is left."""
    with path.open("wb", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            try:
                while file.write(bytes(size)):
                    pass
            except OSError:
                continue


def test_the_disk_is_full(small_disk):
    """A camera can be chosen nevertheless; that it is not remembered is told. With room again it is remembered."""
    memory = service.STATE / "state.json"
    fill(small_disk)
    mark, pid = service.mark(), service.main_pid()
    assert service.request("/api/camera", "POST", {"id": "/dev/video0"})[0] == 200
    service.wait_until(lambda: "will not outlive this run" in service.entries(mark), "nothing is said of the disk")
    assert not memory.exists()
    began = time.monotonic()
    service.recovered("disk of its state full", "camera chosen, but not remembered; read on", began)
    small_disk.unlink()
    assert service.request("/api/camera", "POST", {"id": "/dev/video0"})[0] == 200
    service.wait_until(memory.exists, "it is not remembered")
    assert service.main_pid() == pid


@pytest.fixture
def full_root():
    """The file system of everything else: programs, logs, temporary files."""
    path = pathlib.Path("/full")
    fill(path)
    yield path
    path.unlink()


def test_the_root_file_system_is_full(full_root):
    """Killed there and then, it comes back."""
    assert os.statvfs("/").f_bavail == 0
    pid = service.main_pid()
    began = time.monotonic()
    os.kill(pid, signal.SIGKILL)
    service.recovered("root file system full, and kill -9", "restarted", began, but_not=pid)
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


def test_the_journal_is_full(full_journal):
    """What cannot be logged is lost, and nothing else."""
    pid = service.main_pid()
    for _ in range(5):
        service.systemctl("reload", service.UNIT)
    assert [message["state"] for message in service.messages(8)] == ["live"] * 8
    assert service.main_pid() == pid


@pytest.fixture
def clock():
    """Sets the time of day, by so many seconds; afterwards it is right again."""
    offset = time.time() - time.monotonic()
    yield lambda seconds: time.clock_settime(time.CLOCK_REALTIME, time.time() + seconds)
    time.clock_settime(time.CLOCK_REALTIME, time.monotonic() + offset)


@pytest.mark.parametrize(("days", "name"), [(365, "a year on"), (-1, "a day back")])
def test_the_clock_jumps(clock, days, name):
    restarts, fed = service.restarts(), service.fed()
    began = time.monotonic()
    clock(days * 86400)
    service.recovered(f"clock jumps {name}", "read on", began)
    since = time.monotonic()
    service.messages(21)
    rate = 20 / (time.monotonic() - since)
    service.wait_until(lambda: service.fed() > fed, "the watchdog is no longer fed")
    print(f"\n  {rate:.2f} readings/s after the clock jumped {name}")
    # Four, and an emulator's stalls: neither a pause nor a year's worth of readings at once.
    assert 2 < rate < 8
    assert service.restarts() == restarts


def test_memory_is_used_up_by_it():
    """By a child of its: the kernel kills that, systemd ends the rest (OOMPolicy=stop), and all starts anew."""
    pid, mark = service.main_pid(), service.mark()
    group = pathlib.Path("/sys/fs/cgroup" + service.show("ControlGroup")) / "cgroup.procs"
    hog = ["python3", "-c", f"open({str(group)!r}, 'w').write('0'); bytearray(b'1') * (1 << 29)"]
    assert subprocess.run(hog, check=False, timeout=service.PATIENCE).returncode == -signal.SIGKILL
    began = time.monotonic()
    service.recovered("more memory than MemoryMax", "killed by the kernel, restarted", began, but_not=pid)
    assert "oom-kill" in service.entries(mark)


def test_there_is_too_little_memory_for_it():
    """It is tried until there is enough."""
    restarts = service.restarts()
    service.systemctl("set-property", "--runtime", service.UNIT, "MemoryMax=2M")
    try:
        service.wait_until(lambda: service.restarts() >= restarts + 1, "it is not tried again")
    finally:
        began = time.monotonic()
        service.systemctl("revert", service.UNIT)
    service.recovered("MemoryMax=2M, then lifted", "killed by the kernel, restarted", began)
    assert "(swatchcam)" in service.run("journalctl", "--dmesg", "--grep", "Memory cgroup out of memory: Killed").stdout


@pytest.fixture
def broken_configuration():
    """Someone has left a mistake in it; what it should be is handed on."""
    good = service.CONFIG.read_text()
    service.CONFIG.write_text("nonsense = 1\n" + good)
    yield good
    service.CONFIG.write_text(good)


def test_the_configuration_is_broken(broken_configuration):
    """A start says so, and fails at once. It is tried again, with pauses, until the mistake is gone."""
    mark = service.mark()
    assert service.systemctl("restart", service.UNIT, check=False).returncode != 0
    before, since = service.restarts(), time.monotonic()
    service.wait_until(lambda: service.restarts() >= before + 2, "it is not tried again")
    took = time.monotonic() - since
    began = time.monotonic()
    service.CONFIG.write_text(broken_configuration)
    service.recovered("configuration broken, then mended", "tried every few seconds", began)
    said = service.entries(mark)
    assert "/etc/swatchcam/config.toml:1:1: nonsense: unknown key" in said
    assert "status=78/CONFIG" in said
    # Between the two tries lies a whole pause, at least.
    assert took > PAUSE
