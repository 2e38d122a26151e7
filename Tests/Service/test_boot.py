"""The start of the machine: nobody logs in, and the camera's driver is loaded last."""

import re

import service

# The greatest exposure that systemd may report: 10 means no sandbox, 0 a perfect one.
EXPOSURE = 2.0


def test_the_service_is_started_at_boot(boot):
    assert (boot.active, boot.enabled) == ("active", "enabled")


def test_the_service_runs_without_a_network(boot):
    assert boot.interfaces == ["lo"]


def test_the_service_shows_the_test_pattern_without_a_camera(boot):
    assert boot.state == "test-pattern"


def test_a_camera_whose_driver_is_loaded_later_is_read_without_a_restart(boot):
    """DeviceAllow= is evaluated with /proc/devices as it is when the service starts."""
    assert boot.restarts == 0


def test_systemd_logs_no_warning_about_the_unit(boot):
    assert boot.complaints == ""


def test_systemd_analyze_finds_no_mistake_in_the_unit():
    """Debian 12 has the oldest systemd that is supported. The package's tests check that the manual exists."""
    verify = service.run("systemd-analyze", "verify", "--man=no", service.UNIT, check=False)
    assert (verify.stdout + verify.stderr, verify.returncode) == ("", 0)


def test_the_exposure_of_the_sandbox_is_at_most_two():
    security = service.run("systemd-analyze", "security", "--no-pager", service.UNIT).stdout
    exposure = float(re.search(r"Overall exposure level .*: ([0-9.]+)", security)[1])
    print(f"\n  exposure {exposure}")
    assert exposure <= EXPOSURE


def test_the_watchdog_is_fed():
    fed = service.watchdog_time()
    service.wait_until(lambda: service.watchdog_time() > fed, "the watchdog is not fed")


def test_systemctl_start_returns_when_requests_are_answered():
    service.systemctl("stop", service.UNIT)
    service.systemctl("start", service.UNIT)
    # The status is 503 for a quarter of a second, until there is a reading.
    assert service.request("/healthz")[0] in (200, 503)


def test_systemctl_stop_succeeds_while_a_client_watches():
    with service.watching("/stream.mjpg") as stream:
        assert stream.read(1)
        service.systemctl("stop", service.UNIT)
    assert (service.show("Result"), service.show("ExecMainStatus")) == ("success", "0")
    service.systemctl("start", service.UNIT)


def test_systemctl_reload_makes_the_service_read_its_configuration_again():
    before, mark = service.main_pid(), service.mark()
    service.systemctl("reload", service.UNIT)
    service.wait_until(lambda: "SIGHUP" in service.lines_since(mark), "the service does not log the reload")
    assert service.main_pid() == before


def test_settings_that_a_client_changed_survive_a_restart_of_the_service():
    assert service.request("/api/settings", "PUT", {"effect": "edges"})[0] == 200
    try:
        service.systemctl("restart", service.UNIT)
        status, settings = service.request("/api/settings")
        assert (status, settings["effect"]) == (200, "edges")
        assert settings["remembered"]["lines"] == '[picture]\neffect = "edges"\n'
    finally:
        assert service.request("/api/settings", "DELETE")[1]["effect"] == "none"
