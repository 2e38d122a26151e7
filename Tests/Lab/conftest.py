"""Fixtures: vivid's devices. Without a device the tests are skipped; in the lab they fail."""

import itertools
import os
import subprocess
import sys

import program
import pytest
import vivid


def pytest_addoption(parser):
    parser.addoption(
        "--seconds", type=int, default=10, help="how long test_cadence.py records at each rate (default 10)"
    )


@pytest.fixture(scope="session")
def devices():
    """The devices of this kernel by API: {"single-planar": Vivid, "multi-planar": Vivid}."""
    found = {"multi-planar" if device.multiplanar else "single-planar": device for device in vivid.find()}
    for device in found.values():
        device.reset_picture()
    return found


@pytest.fixture(scope="session")
def device_of(devices):
    def of(api):
        if api in devices:
            return devices[api]
        if "SWATCHCAM_LAB" in os.environ:
            pytest.fail(f"the lab should have a {api} vivid device")
        pytest.skip(f"this kernel has no {api} vivid device (modprobe vivid)")

    return of


@pytest.fixture(scope="session", autouse=True)
def no_memory_of_other_runs(tmp_path_factory):
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(autouse=True)
def no_memory(monkeypatch, tmp_path):
    """Forgets the camera that an earlier test chose."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(scope="session")
def camera(device_of):
    """The device that most tests use."""
    return device_of("single-planar")


@pytest.fixture(scope="session")
def vivid_server(tmp_path_factory):
    """The program on vivid, in this kernel or in the lab: its URL, and a function that gives the camera a pattern."""
    port = program.free_port()
    directory = tmp_path_factory.mktemp("shared")
    numbers = itertools.count()

    def show(pattern):
        # In one step: while the file is rewritten, the guest could read "bluered" of "blue" and "red".
        written = directory / "pattern.new"
        written.write_text(f"{next(numbers)} {pattern}")
        written.replace(directory / "pattern")

    command = [sys.executable, program.ROOT / "Tests/Lab/serve_vivid.py", directory, str(port)]
    if all(device.multiplanar for device in vivid.find()):
        guest = ["--vivid", "n_devs=2 node_types=0x1,0x1 multiplanar=1,2", "--port-map", f"{port}:{port}"]
        guest += ["--rw", directory, "--env", "SWATCHCAM", "--cpus", "1", "--timeout", "3600"]
        command = [program.ROOT / "Tests/Lab/lab", *guest, "--", *command]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, cwd=program.ROOT) as server:
        try:
            url = f"http://127.0.0.1:{port}"
            program.wait_for_state("live", url, server, timeout=1200)
            yield url, show
        finally:
            (directory / "stop").touch()
            assert server.wait(program.patience()) == 0
