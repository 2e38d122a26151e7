"""From the start of the machine: nobody logs in, the camera's driver is loaded when all else is up."""

import re

import service

# What the unit's sandbox may leave open, by systemd's own account: 10 is none, 0 all.
EXPOSURE = 2.0


def test_it_is_started_by_the_boot(boot):
    assert (boot.active, boot.enabled) == ("active", "enabled")


def test_it_needs_no_network(boot):
    assert boot.interfaces == ["lo"]


def test_without_a_camera_it_shows_the_test_pattern(boot):
    assert boot.state == "test-pattern"


def test_a_camera_whose_driver_comes_later_is_read_without_a_restart(boot):
    """DeviceAllow= means what /proc/devices lists when a service is started."""
    assert boot.restarts == 0


def test_systemd_has_nothing_to_complain_of(boot):
    assert boot.complaints == ""


def test_the_unit_has_no_mistakes():
    """In the oldest systemd that it is for. Whether the manual is there is the package's matter."""
    verify = service.run("systemd-analyze", "verify", "--man=no", service.UNIT, check=False)
    assert (verify.stdout + verify.stderr, verify.returncode) == ("", 0)


def test_what_it_leaves_open_is_little():
    security = service.run("systemd-analyze", "security", "--no-pager", service.UNIT).stdout
    exposure = float(re.search(r"Overall exposure level .*: ([0-9.]+)", security)[1])
    print(f"\n  exposure {exposure}")
    assert exposure <= EXPOSURE


def test_start_returns_when_requests_are_answered():
    service.systemctl("stop", service.UNIT)
    service.systemctl("start", service.UNIT)
    # 503 for a quarter of a second: there is no reading yet.
    assert service.request("/healthz")[0] in (200, 503)


def test_stop_ends_it_well_with_somebody_watching():
    with service.watching("/stream.mjpg") as stream:
        assert stream.read(1)
        service.systemctl("stop", service.UNIT)
    assert (service.show("Result"), service.show("ExecMainStatus")) == ("success", "0")
    service.systemctl("start", service.UNIT)


def test_reload_has_the_configuration_looked_at():
    before, mark = service.main_pid(), service.mark()
    service.systemctl("reload", service.UNIT)
    service.wait_until(lambda: "SIGHUP" in service.entries(mark), "it does not say that it has looked")
    assert service.main_pid() == before
