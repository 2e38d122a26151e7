"""MJPG, a bad cable and an unplugged one, on the kernel's own uvcvideo driver. Only in the lab."""

import io
import json
import os
import signal
import urllib.request

import program
import pytest
import uvc
from PIL import Image

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


def test_a_cameras_own_jpeg_pictures_are_passed_on_unchanged(picture, tmp_path):
    port = program.free_port()
    url = f"http://127.0.0.1:{port}"
    with (
        uvc.plugged_in(picture) as (_, node),
        program.serving(program.config(tmp_path, node, port=port, format="MJPG"), port),
    ):
        assert snapshot(url) == picture.read_bytes()
        with urllib.request.urlopen(f"{url}/healthz", timeout=program.patience()) as response:
            pictures = json.load(response)["pictures"]
    # A snapshot skips pictures of frames that were captured before it was requested.
    assert pictures.pop("passedOn") >= 1
    assert pictures == {"encoded": 0, "viewers": 0}


def test_huffman_tables_that_a_camera_omits_are_added(picture, tmp_path):
    whole = picture.read_bytes()
    picture.write_bytes(without_huffman_tables(whole))
    port = program.free_port()
    url = f"http://127.0.0.1:{port}"
    with (
        uvc.plugged_in(picture) as (_, node),
        program.serving(program.config(tmp_path, node, port=port, format="MJPG"), port),
    ):
        completed = snapshot(url)
    assert completed != whole and b"\xff\xc4" in completed
    with Image.open(io.BytesIO(completed)) as one, Image.open(io.BytesIO(whole)) as other:
        assert one.tobytes() == other.tobytes()


def snapshot(url):
    with urllib.request.urlopen(f"{url}/snapshot.jpg", timeout=program.patience()) as response:
        return response.read()


def without_huffman_tables(whole):
    """The picture as many cameras send it. A segment is a marker and a length that includes itself."""
    kept, position = whole[:2], 2
    while whole[position + 1] != 0xDA:
        end = position + 2 + int.from_bytes(whole[position + 2 : position + 4])
        kept += b"" if whole[position + 1] == 0xC4 else whole[position:end]
        position = end
    return kept + whole[position:]


def test_a_camera_is_live_again_after_its_cable_was_unplugged(picture, tmp_path):
    port = program.free_port()
    url = f"http://127.0.0.1:{port}"
    with uvc.plugged_in(picture) as (camera, _):
        server = program.serving(program.config(tmp_path, "Lab camera", port=port, format="MJPG"), port)
        with server as process:
            camera.send_signal(signal.SIGUSR1)
            camera.wait()
            program.wait_for_state("lost", url, process)
            with uvc.plugged_in(picture):
                program.wait_for_state("live", url, process)
