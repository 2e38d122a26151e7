"""The service's sandbox, as the kernel enforces it rather than as the unit states it."""

import grp
import json
import os
import pathlib
import pwd
import shutil
import stat

import pytest
import service

PROBE = pathlib.Path("/usr/local/lib/probe.py")
"""A place that the unit can see; home folders and /tmp are hidden from it."""


@pytest.fixture(scope="module")
def status():
    """/proc/PID/status of the service."""
    service.wait_until_live()
    text = pathlib.Path(f"/proc/{service.main_pid()}/status").read_text()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in text.splitlines())}


def number_of_a_disk():
    """The device number of the root file system's disk: a virtual disk on amd64, a loop device on arm64."""
    devices = [path for path in pathlib.Path("/sys/class/block").iterdir() if (path / "size").read_text() != "0\n"]
    major, minor = (devices[0] / "dev").read_text().split(":")
    return os.makedev(int(major), int(minor))


@pytest.fixture(scope="module")
def outcomes():
    """What another program, probe.py, sees and may do in a unit with the same sandbox."""
    disk = pathlib.Path("/dev/everyones-disk")
    os.mknod(disk, stat.S_IFBLK | 0o666, number_of_a_disk())
    disk.chmod(0o666)
    shutil.copy(pathlib.Path(__file__).with_name("probe.py"), PROBE)
    unit = []
    for line in pathlib.Path(service.show("FragmentPath")).read_text().splitlines():
        if not line.startswith(("Type=", "NotifyAccess=", "Exec", "Restart", "WatchdogSec=")):
            unit.append(line)
        if line == "[Service]":
            unit += ["Type=oneshot", f"ExecStart=/usr/bin/python3 {PROBE} {disk} {service.STATE}"]
    path = pathlib.Path("/run/systemd/system/probe.service")
    path.write_text("\n".join(unit))
    service.systemctl("daemon-reload")
    service.systemctl("start", path.name)
    printed = service.run("journalctl", "--quiet", "--unit", path.name, "--output", "cat", "--identifier", "python3")
    disk.unlink()
    for folder in (service.STATE, service.STATE / "history"):
        (folder / "probe").unlink(missing_ok=True)
    return json.loads(printed.stdout.splitlines()[-1])


@pytest.mark.parametrize("which", ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"])
def test_the_service_has_no_capabilities(status, which):
    assert int(status[which], 16) == 0


def test_the_service_cannot_gain_privileges(status):
    assert status["NoNewPrivs"] == "1"


def test_the_system_calls_of_the_service_are_filtered(status):
    assert status["Seccomp"] == "2"


def test_the_service_runs_as_its_own_user(status):
    assert {pwd.getpwuid(int(number)).pw_name for number in status["Uid"].split()} == {"swatchcam"}


def test_the_groups_of_the_service_are_its_own_and_video(status):
    assert sorted(grp.getgrgid(int(number)).gr_name for number in status["Groups"].split()) == ["swatchcam", "video"]


@pytest.mark.parametrize("what", ["camera", "null", "state", "history", "tcp"])
def test_the_sandbox_lets_the_service_use_what_it_needs(outcomes, what):
    assert outcomes[what] is True


def test_the_service_sees_udevs_names_of_cameras(outcomes):
    assert outcomes["names"] == ["platform-vivid.0-video-index0"]


@pytest.mark.parametrize(
    ("what", "error"),
    [
        ("etc", ["EROFS"]),
        ("run", ["EROFS"]),
        ("home", ["EACCES", "EPERM"]),
        # The control group of devices refuses it although everyone may use the file.
        ("disk", ["EPERM"]),
        ("kmsg", ["EPERM", "EACCES", "ENOENT"]),
        ("packets", ["EAFNOSUPPORT"]),
        ("namespaces", ["EPERM"]),
    ],
)
def test_the_sandbox_denies_the_service_what_it_does_not_need(outcomes, what, error):
    assert outcomes[what] in error


def test_the_service_does_not_see_other_processes(outcomes):
    assert outcomes["others"] is False


def picture(path):
    with service.watching(path) as response:
        return response.read(4096)


def test_everything_works_inside_the_sandbox():
    mark = service.mark()
    assert [message["state"] for message in service.messages(4)] == ["live"] * 4
    assert picture("/snapshot.jpg").startswith(b"\xff\xd8")
    assert service.request("/api/settings", "PUT", {"effect": "edges", "region": [0.25, 0.25, 0.5, 0.5]})[0] == 200
    assert picture("/snapshot.jpg?view=processed").startswith(b"\xff\xd8")
    assert b"\xff\xd8" in picture("/stream.mjpg?view=processed")
    assert service.request("/api/settings", "PUT", {"effect": "none", "region": [0, 0, 1, 1]})[0] == 200
    assert service.request("/api/controls/brightness", "PUT", {"value": 100})[0] == 200
    assert service.request("/api/controls/reset", "POST")[0] == 200
    assert service.request("/api/camera", "POST", {"id": "/dev/video0"})[0] == 200
    # Anything that the sandbox refused would be logged, at least by a library.
    said = service.lines_since(mark)
    assert not [line for line in said.splitlines() if "not permitted" in line or "errno" in line or "Failed" in line]


def test_the_history_is_recorded_in_the_folder_that_the_configuration_suggests():
    shipped = service.CONFIG.read_text()
    try:
        service.CONFIG.write_text(shipped.replace('#folder = "/var/lib', 'folder = "/var/lib', 1))
        lock = service.STATE / "history/.swatchcam.lock"
        service.wait_until(lock.exists, "the folder is not used")
        topics = [notice["topic"] for notice in service.request("/api/reading")[1]["notices"]]
        assert "history" not in topics
    finally:
        service.CONFIG.write_text(shipped)


def test_libdispatch_does_not_complain_in_the_journal():
    """libdispatch would log that it cannot change the niceness of its threads."""
    journal = service.journal()
    assert "Started " in journal, "the journal does not have the start of the service"
    assert "Failed to set thread priority" not in journal


def test_a_camera_that_the_unit_withholds_is_reported_as_such():
    """The message does not name a group to join, which would change nothing."""
    service.systemctl("set-property", "--runtime", service.UNIT, "DeviceAllow=")
    try:
        service.unplug()
        service.plug()
        # The first message may be another one: for a moment only root may open a new node.
        service.wait_until(
            lambda: "DeviceAllow=char-video4linux" in (service.request("/api/reading")[1]["message"] or ""),
            "the message does not say what withholds the camera",
        )
    finally:
        service.systemctl("revert", service.UNIT)
        service.systemctl("restart", service.UNIT)


@pytest.mark.release
def test_a_group_that_the_service_cannot_see_is_not_named():
    """In a user namespace (PrivateUsers=) all other groups look like nogroup."""

    def message_with_command():
        message = service.request("/api/reading")[1]["message"] or ""
        return message if "ls -l /dev/video0" in message else None

    service.unplug()
    rules = pathlib.Path("/run/udev/rules.d/99-test.rules")
    rules.parent.mkdir(parents=True, exist_ok=True)
    rules.write_text('SUBSYSTEM=="video4linux", GROUP="dialout"\n')
    try:
        service.run("udevadm", "control", "--reload")
        service.plug()
        service.run("udevadm", "settle")
        service.wait_for_state("denied")
        # The service tries again every two seconds, and by then udev has given the node to the other group.
        message = service.wait_until(message_with_command, "the message does not say how to find the group")
    finally:
        rules.unlink()
        service.run("udevadm", "control", "--reload")
        service.run("udevadm", "trigger", "--settle", "--subsystem-match=video4linux")
    assert "nogroup" not in message
