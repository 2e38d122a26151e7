"""Fixtures: vivid's devices. Without one these tests are skipped, but in the lab that is a failure."""

import os

import pytest
import vivid


def pytest_addoption(parser):
    parser.addoption(
        "--seconds", type=int, default=20, help="how long test_cadence.py records at each rate (default 20)"
    )


@pytest.fixture(scope="session")
def devices():
    """By API: {"single-planar": Vivid, "multi-planar": Vivid}, those that this kernel has."""
    found = {"multi-planar" if device.multiplanar else "single-planar": device for device in vivid.find()}
    for device in found.values():
        device.plain()
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


@pytest.fixture
def camera(device_of):
    """The device that most tests use."""
    return device_of("single-planar")
