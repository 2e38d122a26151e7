"""What the service can do and cannot, as the kernel has it, not as the unit says it."""

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
"""Where the unit sees it, wherever these tests lie: home folders and /tmp are hidden from it."""


@pytest.fixture(scope="module")
def status():
    """/proc/PID/status of the service."""
    service.wait_until_live()
    text = pathlib.Path(f"/proc/{service.main_pid()}/status").read_text()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in text.splitlines())}


@pytest.fixture(scope="module")
def outcomes():
    """What a program other than Swatchcam sees and may do in the same unit (probe.py)."""
    disk = pathlib.Path("/dev/everyones-disk")
    os.mknod(disk, stat.S_IFBLK | 0o666, os.stat("/dev/vda").st_rdev)
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
    (service.STATE / "probe").unlink(missing_ok=True)
    return json.loads(printed.stdout.splitlines()[-1])


@pytest.mark.parametrize("which", ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"])
def test_it_has_no_capabilities(status, which):
    assert int(status[which], 16) == 0


def test_it_cannot_get_privileges(status):
    assert status["NoNewPrivs"] == "1"


def test_its_system_calls_are_filtered(status):
    assert status["Seccomp"] == "2"


def test_it_runs_as_a_user_of_its_own(status):
    assert {pwd.getpwuid(int(number)).pw_name for number in status["Uid"].split()} == {"swatchcam"}


def test_its_groups_are_its_own_and_video(status):
    assert sorted(grp.getgrgid(int(number)).gr_name for number in status["Groups"].split()) == ["swatchcam", "video"]


@pytest.mark.parametrize("what", ["camera", "null", "state", "tcp"])
def test_it_can_use(outcomes, what):
    assert outcomes[what] is True


def test_it_sees_the_names_that_udev_gives_cameras(outcomes):
    assert outcomes["names"] == ["platform-vivid.0-video-index0"]


@pytest.mark.parametrize(
    ("what", "error"),
    [
        ("etc", ["EROFS"]),
        ("run", ["EROFS"]),
        ("home", ["EACCES", "EPERM"]),
        # Whoever may use the file: the devices' control group.
        ("disk", ["EPERM"]),
        ("kmsg", ["EPERM", "EACCES", "ENOENT"]),
        ("packets", ["EAFNOSUPPORT"]),
        ("namespaces", ["EPERM"]),
    ],
)
def test_it_cannot_use(outcomes, what, error):
    assert outcomes[what] in error


def test_it_does_not_see_other_processes(outcomes):
    assert outcomes["others"] is False


def picture(path):
    with service.watching(path) as response:
        return response.read(4096)


def test_all_that_it_is_used_for_works_in_there():
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
    # Whatever the sandbox had refused would be told, at the latest by a library.
    said = service.entries(mark)
    assert not [line for line in said.splitlines() if "not permitted" in line or "errno" in line or "Failed" in line]


def test_a_library_that_may_not_do_something_does_not_fill_the_journal():
    """libdispatch, of its threads' niceness."""
    assert "Failed to set thread priority" not in service.journal()


def test_a_camera_that_the_unit_withholds_is_told_as_that():
    """And not with a group to join, which would change nothing."""
    service.systemctl("set-property", "--runtime", service.UNIT, "DeviceAllow=")
    try:
        service.unplug()
        service.plug()
        # Not the first sentence: for a moment a new node is root's alone.
        service.wait_until(
            lambda: "DeviceAllow=char-video4linux" in (service.request("/api/reading")[1]["message"] or ""),
            "it does not say what withholds the camera",
        )
    finally:
        service.systemctl("revert", service.UNIT)
        service.systemctl("restart", service.UNIT)


def test_a_group_that_cannot_be_told_is_not_named():
    """In a user namespace (PrivateUsers=) all groups but one's own look like nogroup."""
    service.unplug()
    rules = pathlib.Path("/run/udev/rules.d/99-test.rules")
    rules.parent.mkdir(parents=True, exist_ok=True)
    rules.write_text('SUBSYSTEM=="video4linux", GROUP="dialout"\n')
    try:
        service.run("udevadm", "control", "--reload")
        service.plug()
        service.run("udevadm", "settle")
        service.wait_for_state("denied")
        # Two seconds later it has tried again, now that udev has given the node to the other group.
        newest = service.messages(9)[-1]
    finally:
        rules.unlink()
        service.run("udevadm", "control", "--reload")
        service.run("udevadm", "trigger", "--settle", "--subsystem-match=video4linux")
    assert "nogroup" not in newest["message"]
    assert "ls -l /dev/video0" in newest["message"]
