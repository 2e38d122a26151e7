"""MJPG and a bad cable, on the kernel's own uvcvideo driver. Only in the lab."""

import json
import os
import signal
import urllib.request

import program
import pytest
import uvc

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
