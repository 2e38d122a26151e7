"""Cameras that come and go while the program runs. Only in the lab, since elsewhere the camera may be in use."""

import os
import pathlib

import program
import pytest
import recorder

DRIVER = pathlib.Path("/sys/bus/platform/drivers/vivid")

pytestmark = pytest.mark.skipif("SWATCHCAM_LAB" not in os.environ, reason="takes the camera away: only in the lab")


class Plug:
    """Unplugs vivid's devices and plugs them in again."""

    def __init__(self, devices):
        self.devices = devices

    def pull(self):
        (DRIVER / "unbind").write_text("vivid.0")

    def push(self):
        if not (DRIVER / "vivid.0").exists():
            (DRIVER / "bind").write_text("vivid.0")
            for device in self.devices.values():
                device.reset_picture()


@pytest.fixture
def plug(devices):
    plug = Plug(devices)
    yield plug
    plug.push()


def test_auto_shows_the_test_pattern_until_a_camera_appears(plug, tmp_path):
    plug.pull()
    port = program.free_port()
    with program.serving(program.config(tmp_path, "auto", port=port), port, state="test-pattern") as server:
        plug.push()
        reading = program.wait_for_state("live", f"http://127.0.0.1:{port}", server)
        assert reading["camera"]["name"] == "vivid"


def test_a_camera_is_detected_when_the_system_has_no_inotify_instances_left(plug, tmp_path):
    limit = pathlib.Path("/proc/sys/fs/inotify/max_user_instances")
    before = limit.read_text()
    plug.pull()
    limit.write_text("0")
    port = program.free_port()
    try:
        with program.serving(program.config(tmp_path, "auto", port=port), port, state="test-pattern") as server:
            plug.push()
            program.wait_for_state("live", f"http://127.0.0.1:{port}", server)
    finally:
        limit.write_text(before)


@pytest.mark.parametrize("device", ["auto", "node"])
def test_an_unplugged_camera_is_lost_and_found_again(plug, camera, tmp_path, device):
    """The test pattern does not take its place, and there is no colour in the meantime."""
    device = camera.node if device == "node" else device
    port = program.free_port()
    with recorder.serving(program.config(tmp_path, device, port=port), port) as (_, record):
        mark = record.mark()
        plug.pull()
        lost = record.wait_for_state("lost", mark)
        assert (lost["hex"], lost["rgb"], lost["mean"]) == (None, None, None)
        mark = record.mark()
        plug.push()
        record.wait_for_state("live", mark)
        record.check_sequence()


@pytest.mark.release
def test_unplugging_many_times_leaks_no_descriptors_mappings_or_memory(plug, camera, tmp_path):
    port = program.free_port()
    with recorder.serving(program.config(tmp_path, camera.node, port=port), port) as (server, record):
        figures = {}
        times, looks = program.repetitions(100)
        for count in range(1, times + 1):
            mark = record.mark()
            plug.pull()
            lost = record.wait_for_state("lost", mark)
            (DRIVER / "bind").write_text("vivid.0")
            record.wait_for_state("live", record.readings.index(lost))
            if count in looks:
                figures[count] = program.footprint(server.pid)
        record.check_sequence()
    print(program.table(figures, "times unplugged"), end="")
    program.check_leaks(figures)
