"""Cameras that come and go on USB with udev's names, and how the program recognises them."""

import json
import os
import shutil
import subprocess
from contextlib import ExitStack

import program
import pytest
import recorder
import uvc

pytestmark = pytest.mark.skipif("SWATCHCAM_LAB" not in os.environ, reason="plugs cameras in: only in the lab")

UDEV = "/lib/systemd/systemd-udevd"
NAME = "usb-Swatchcam_Lab_camera_{}-video-index0"


@pytest.fixture(scope="module", autouse=True)
def udev():
    """Names in /dev/v4l, as on every desktop and every Raspberry Pi."""
    daemon = subprocess.Popen([UDEV], stdin=subprocess.DEVNULL)
    try:
        program.wait_until(
            lambda: subprocess.run(["udevadm", "control", "--ping"], check=False).returncode == 0,
            "udev does not answer",
        )
        yield
    finally:
        daemon.terminate()
        daemon.wait()
        shutil.rmtree("/dev/v4l", ignore_errors=True)


@pytest.fixture
def picture(tmp_path):
    return uvc.picture(tmp_path / "picture.jpg", (200, 100, 50))


@pytest.fixture
def plug(picture):
    """Plugs cameras in and returns their nodes; those left at the end are pulled out."""
    with ExitStack() as stack:

        def plug(serial="0001", port=0):
            camera = stack.enter_context(uvc.plugged_in(picture, serial=serial, port=port))
            subprocess.run(["udevadm", "settle"], check=True)
            return camera

        yield plug


def pull(camera, node):
    camera.kill()
    camera.wait()
    program.wait_until(lambda: not os.path.exists(node), f"{node} is still there")


def cameras():
    result = program.run("cameras", "--json")
    assert result.returncode == 0
    return {camera["device"]: camera for camera in json.loads(result.stdout) if camera["driver"] == "uvcvideo"}


def serving(directory, port, device, format="MJPG"):
    return recorder.serving(program.config(directory, device, port=port, format=format), port)


def live_on(node):
    return lambda reading: reading["state"] == "live" and reading["camera"]["device"] == node


def test_a_camera_has_udevs_name_as_its_id_and_one_entry(plug):
    _, node = plug()
    assert {device: camera["id"] for device, camera in cameras().items()} == {node: NAME.format("0001")}


def test_two_cameras_with_one_serial_number_are_told_apart_by_their_port(plug, tmp_path):
    nodes = [plug(port=port)[1] for port in (0, 1)]
    found = cameras()
    ids = [found[node]["id"] for node in nodes]
    assert len(set(ids)) == 2 and all("vhci_hcd" in name for name in ids), ids
    # The name that they share selects neither: to which of them udev gives it is a matter of chance.
    result = program.run("read", "--config", program.config(tmp_path, NAME.format("0001")))
    assert result.returncode == 69
    assert "More than one camera" in result.stderr and all(name in result.stderr for name in ids)


def test_a_camera_that_returns_under_another_number_is_recognised(plug, tmp_path):
    port = program.free_port()
    camera, node = plug("0001", 0)
    with serving(tmp_path, port, NAME.format("0001")) as (_, record):
        mark = record.mark()
        pull(camera, node)
        record.wait_for_state("lost", mark)
        _, other = plug("0002", 1)
        mark = record.mark()
        _, back = plug("0001", 0)
        record.wait(live_on(back), mark)
        assert other != back
        # udev names the node after the kernel has made it.
        record.wait(lambda reading: (reading["camera"] or {}).get("id") == NAME.format("0001"), mark)
        record.check_sequence()


def test_a_chosen_camera_that_appears_late_replaces_the_stand_in(plug, tmp_path):
    """As at boot, when USB is slower than the program."""
    state = tmp_path / "state/swatchcam/camera.json"
    state.parent.mkdir(parents=True)
    state.write_text(json.dumps({"value": NAME.format("0001"), "version": 1}))
    port = program.free_port()
    with serving(tmp_path, port, "auto", format="auto") as (_, record):
        assert record.wait_for_state("live")["camera"]["id"] != NAME.format("0001")
        _, node = plug("0001", 0)
        record.wait(live_on(node))
        record.check_sequence()


def test_a_forbidden_camera_is_opened_as_soon_as_it_is_permitted(plug, tmp_path):
    """The message names the group. Then the node gets another mode, as udev would give it."""
    _, node = plug()
    owner = program.ROOT.stat()
    port = program.free_port()
    path = program.config(tmp_path, node, port=port, format="MJPG")
    for file in (tmp_path, path):
        os.chown(file, owner.st_uid, owner.st_gid)
    os.chown(node, 65534, os.stat(node).st_gid)
    prefix = ["setpriv", f"--reuid={owner.st_uid}", f"--regid={owner.st_gid}", "--clear-groups"]
    prefix += ["--inh-caps=-all", "--bounding-set=-all"]
    with recorder.serving(path, port, "denied", prefix) as (_, record):
        assert "sudo usermod -aG video $USER" in record.wait_for_state("denied")["message"]
        mark = record.mark()
        os.chmod(node, 0o666)
        record.wait_for_state("live", mark)
