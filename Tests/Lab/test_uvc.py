"""MJPG and a bad cable, on the kernel's own uvcvideo driver. Only in the lab."""

import io
import json
import os
import signal
import urllib.request

import program
import pytest
import uvc
from PIL import Image, ImageStat

pytestmark = pytest.mark.skipif("SWATCHCAM_LAB" not in os.environ, reason="plugs a camera in: only in the lab")

COLOR = (200, 100, 50)


@pytest.fixture
def picture(tmp_path):
    return uvc.picture(tmp_path / "picture.jpg", COLOR)


def reading(url):
    with urllib.request.urlopen(f"{url}/api/reading", timeout=program.patience()) as response:
        return json.load(response)


def dropped_during(url, count):
    """The number of frames that are dropped during this many readings, none of which has another colour."""
    start = reading(url)

    def is_over(now):
        assert now["hex"] in ("#{:02X}{:02X}{:02X}".format(*COLOR), None)
        return now["sequence"] >= start["sequence"] + count

    end = program.wait_until(lambda: reading(url), "there are too few readings", holds=is_over)
    return end["dropped"] - start["dropped"]


def test_a_jpeg_frame_is_read_in_its_colour(picture, tmp_path):
    with uvc.plugged_in(picture) as (_, node):
        result = program.run("read", "--json", "--config", program.config(tmp_path, node, format="MJPG"))
    assert result.returncode == 0, result.stderr
    said = json.loads(result.stdout)
    assert said["frame"]["format"] == "MJPG"
    assert [said["mean"][channel] for channel in "rgb"] == pytest.approx(COLOR, abs=1)


def test_a_cut_off_jpeg_frame_is_dropped_and_counted(picture, tmp_path):
    port = program.free_port()
    url = f"http://127.0.0.1:{port}"
    # At the camera's own rate every frame is decoded.
    with (
        uvc.plugged_in(picture) as (camera, node),
        program.serving(program.config(tmp_path, node, rate=15, port=port, format="MJPG"), port),
    ):
        dropped_before = dropped_during(url, 15)
        camera.send_signal(signal.SIGUSR2)
        assert dropped_during(url, 15) > dropped_before


@pytest.fixture
def noise():
    """A picture whose JPEG image has enough data to be damaged in the middle."""
    return Image.merge(
        "RGB", [Image.effect_noise((640, 480), 60).point(lambda value, c=c: value + c) for c in (40, 0, 20)]
    )


def with_stray_bytes(frame, marker):
    """The frame with a byte before its first marker of this kind."""
    position = frame.index(b"\xff" + marker, 4)
    return frame[:position] + b"\x5a" + frame[position:]


@pytest.mark.parametrize("marker", [b"\xd0", b"\xc4", b"\xda"], ids=["restart", "table", "scan"])
def test_a_frame_with_a_stray_byte_before_a_marker_is_read_in_its_colour(noise, tmp_path, marker):
    file = tmp_path / "frames"
    frame = uvc.jpeg(noise, restart_marker_rows=1)
    file.write_bytes(with_stray_bytes(frame, marker))
    with uvc.plugged_in(file) as (_, node):
        result = program.run("read", "--json", "--config", program.config(tmp_path, node, format="MJPG"))
    assert result.returncode == 0, result.stderr
    mean = ImageStat.Stat(Image.open(io.BytesIO(frame)).convert("RGB")).mean
    assert [json.loads(result.stdout)["mean"][channel] for channel in "rgb"] == pytest.approx(mean, abs=1)


def test_a_frame_with_a_packet_that_arrived_twice_is_dropped_and_counted(picture, noise, tmp_path):
    port = program.free_port()
    url = f"http://127.0.0.1:{port}"
    frame = uvc.jpeg(noise)
    doubled = frame[: len(frame) // 2 + 1024] + frame[len(frame) // 2 :]
    with (
        uvc.plugged_in(picture) as (camera, node),
        program.serving(program.config(tmp_path, node, rate=15, port=port, format="MJPG"), port),
    ):
        dropped_during(url, 5)
        picture.write_bytes(picture.read_bytes() + doubled)
        camera.send_signal(signal.SIGHUP)
        dropped_during(url, 15)
        program.wait_until(lambda: damaged(url), "no frame is damaged", holds=lambda count: count > 2)


def damaged(url):
    """The number of frames that were found to be damaged."""
    with urllib.request.urlopen(f"{url}/api/cameras", timeout=program.patience()) as response:
        return {fault["kind"]: fault["frames"] for fault in json.load(response)["faults"]}.get("damaged", 0)


def test_a_camera_that_refuses_the_wanted_rate_is_read_at_its_own(picture, tmp_path):
    with uvc.plugged_in(picture, "--fps", "30", "--refused-fps", "15") as (_, node):
        result = program.run("read", "--json", "--config", program.config(tmp_path, node, format="MJPG"))
    assert result.returncode == 0, result.stderr
    said = json.loads(result.stdout)
    assert [said["mean"][channel] for channel in "rgb"] == pytest.approx(COLOR, abs=1)
    assert any("30 frames/s" in notice["message"] for notice in said["notices"])
