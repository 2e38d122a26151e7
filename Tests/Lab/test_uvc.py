"""MJPG, a bad cable and a pulled one, on the kernel's own uvcvideo driver. In the lab alone."""

import io
import json
import os
import signal
import time
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
    with urllib.request.urlopen(f"{url}/api/reading", timeout=5) as response:
        return json.load(response)


def test_mjpg_is_read_in_its_color(picture, tmp_path):
    with uvc.plugged_in(picture) as (_, node):
        result = program.run("read", "--json", "--config", program.config(tmp_path, node, format="MJPG"))
    assert result.returncode == 0, result.stderr
    said = json.loads(result.stdout)
    assert said["frame"]["format"] == "MJPG"
    assert [said["mean"][channel] for channel in "rgb"] == pytest.approx(COLOR, abs=1)


def test_a_frame_cut_short_is_dropped_and_never_shown(picture, tmp_path):
    port = program.free_port()
    url = f"http://127.0.0.1:{port}"
    # At the camera's own rate every frame is wanted, and so looked at.
    with (
        uvc.plugged_in(picture) as (camera, node),
        program.serving(program.config(tmp_path, node, rate=15, port=port, format="MJPG"), port),
    ):
        before = reading(url)["dropped"]
        camera.send_signal(signal.SIGUSR2)
        deadline = time.monotonic() + program.PATIENCE
        while (now := reading(url))["dropped"] == before:
            assert time.monotonic() < deadline, "no frame was dropped"
            assert now["hex"] in ("#{:02X}{:02X}{:02X}".format(*COLOR), None)


def test_a_cameras_own_pictures_go_on_as_they_are(picture, tmp_path):
    port = program.free_port()
    url = f"http://127.0.0.1:{port}"
    with (
        uvc.plugged_in(picture) as (_, node),
        program.serving(program.config(tmp_path, node, port=port, format="MJPG"), port),
    ):
        assert snapshot(url) == picture.read_bytes()
        with urllib.request.urlopen(f"{url}/healthz", timeout=5) as response:
            assert json.load(response)["pictures"] == {"encoded": 0, "passedOn": 1, "viewers": 0}


def test_huffman_tables_that_a_camera_leaves_out_are_put_in(picture, tmp_path):
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
    with urllib.request.urlopen(f"{url}/snapshot.jpg", timeout=5) as response:
        return response.read()


def without_huffman_tables(whole):
    """As many cameras send it. Segments are a marker and a length that counts itself."""
    kept, position = whole[:2], 2
    while whole[position + 1] != 0xDA:
        end = position + 2 + int.from_bytes(whole[position + 2 : position + 4])
        kept += b"" if whole[position + 1] == 0xC4 else whole[position:end]
        position = end
    return kept + whole[position:]


def test_a_cable_pulled_out_and_in_again(picture, tmp_path):
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
