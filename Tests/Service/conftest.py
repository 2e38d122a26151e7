"""Swatchcam's unit under real systemd, in the lab that Tests/Service/run boots. Each test begins with live readings."""

import dataclasses
import os
import pathlib
import time

import pytest
import service


@dataclasses.dataclass
class Boot:
    """The state of the system when all services were up, before there was a camera or its driver."""

    active: str
    enabled: str
    interfaces: list
    state: str
    complaints: str
    restarts: int = 0
    late_camera: float = 0


@pytest.fixture(scope="session", autouse=True)
def boot():
    assert "SWATCHCAM_SERVICE" in os.environ, "these tests change the machine: run them by Tests/Service/run"
    boot = Boot(
        active=service.show("ActiveState"),
        enabled=service.show("UnitFileState"),
        interfaces=sorted(path.name for path in pathlib.Path("/sys/class/net").iterdir()),
        state=service.wait_until(lambda: service.request("/api/reading")[1], "no answer")["state"],
        complaints=service.run(
            *("journalctl", "--quiet", "--boot", "--no-pager", "--output", "cat", "--priority", "warning"),
            *("_PID=1", f"UNIT={service.UNIT}"),
        ).stdout,
    )
    began = time.monotonic()
    service.run("modprobe", "vivid", "n_devs=1", "node_types=0x1", "multiplanar=1")
    boot.late_camera = service.wait_until_recovered(
        "camera's driver comes after boot", "test pattern, then the camera", began
    )
    boot.restarts = service.restarts()
    return boot


@pytest.fixture(autouse=True)
def live(boot):
    """Waits until the service is live before each test; plugs the camera in again afterwards."""
    service.wait_until_live()
    yield
    service.plug()


def pytest_terminal_summary(terminalreporter):
    terminalreporter.section("seconds until live readings")
    for fault, what, took in service.recoveries:
        terminalreporter.write_line(f"{fault:48} {took:7.1f}   {what}")
