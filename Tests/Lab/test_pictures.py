"""The camera's pictures in the programs that people use: ffmpeg, OpenCV, an image library."""

import io
import subprocess

import cv2
import numpy as np
import program
import pytest
import vivid
from Harness.api import get_json, request
from PIL import Image

SIZE = (640, 360)


def snapshot(url, query=""):
    """The first picture that comes. The server waits 1.8 s for one, in which a busy machine may not encode any."""
    answer = program.wait_until(
        lambda: request(f"{url}/snapshot.jpg{query}"), "no picture", holds=lambda answer: answer.status != 503
    )
    assert answer.status == 200, answer
    return answer.body


def pixels(picture):
    return np.asarray(Image.open(io.BytesIO(picture))).astype(int)


def change(url, **settings):
    answer = request(f"{url}/api/settings", "PUT", settings)
    assert answer.status == 200, answer


@pytest.fixture
def camera_at(vivid_server):
    """A function that gives the camera a pattern, and returns the server's address once readings have its colour."""
    url, show = vivid_server

    def at(pattern, hex_):
        show(pattern)
        program.wait_until(lambda: get_json(f"{url}/api/reading")["hex"] == hex_, f"no {hex_}")
        return url

    yield at
    change(url, effect="none", region=[0, 0, 1, 1])


def red(camera_at):
    return camera_at("red", vivid.golden_hex("YUYV", "red"))


def bars(camera_at):
    """White, yellow, cyan, green, magenta, red, blue, black; the reading is of the first bar."""
    change(red(camera_at), region=[0.0, 0.2, 0.1, 0.5])
    return camera_at("bars", vivid.golden_hex("YUYV", "white"))


def assert_red(picture):
    """Asserts that every pixel is red, with a tolerance of some code values for JPEG. R, G and B are the last axis."""
    assert np.abs(picture.reshape(-1, 3) - np.array(vivid.GOLDEN["YUYV"]["red"])).max() <= 3


def test_a_snapshot_shows_what_the_camera_sees(camera_at):
    picture = Image.open(io.BytesIO(snapshot(red(camera_at))))
    assert (picture.format, picture.size) == ("JPEG", SIZE)
    assert_red(np.asarray(picture).astype(int))


def test_ffmpeg_decodes_the_stream_without_a_warning(vivid_server):
    # Noise, because ffmpeg warns that images of few bits have no end, whatever the encoder.
    url, show = vivid_server
    show("noise")
    program.wait_until(lambda: len(snapshot(url)) > 30_000, "no noise")
    command = ["ffmpeg", "-nostdin", "-v", "warning", "-f", "mpjpeg", "-i", f"{url}/stream.mjpg"]
    command += ["-frames:v", "12", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    result = subprocess.run(command, capture_output=True, check=True, timeout=program.patience())
    # Every decoder of MJPG causes this warning: ffmpeg's name for full-range YUV is deprecated.
    warnings = [line for line in result.stderr.decode().splitlines() if "deprecated pixel format" not in line]
    assert warnings == []
    assert len(result.stdout) == 12 * SIZE[0] * SIZE[1] * 3


def test_opencv_reads_the_stream(camera_at):
    url = red(camera_at)
    # After this snapshot, no picture of an earlier frame is under way.
    snapshot(url)
    capture = cv2.VideoCapture(f"{url}/stream.mjpg", cv2.CAP_FFMPEG)
    try:
        for _ in range(5):
            is_read, picture = capture.read()
            assert is_read
            assert_red(picture[:, :, ::-1].astype(int))
    finally:
        capture.release()


def test_an_effect_changes_the_processed_picture_and_not_the_reading(camera_at):
    url = red(camera_at)
    change(url, effect="red-to-blue")
    program.wait_until(lambda: get_json(f"{url}/api/reading")["effect"] == "red-to-blue", "no such effect")
    processed = pixels(snapshot(url, "?view=processed"))
    assert np.abs(processed - np.array([0, 0, 255])).max() <= 3
    assert get_json(f"{url}/api/reading")["hex"] == vivid.golden_hex("YUYV", "red")


@pytest.mark.parametrize("effect", ["grayscale", "invert", "threshold", "edges", "false-color", "zebra"])
def test_every_effect_changes_the_processed_picture(camera_at, effect):
    url = red(camera_at)
    change(url, effect=effect)
    live = pixels(snapshot(url))
    processed = pixels(snapshot(url, "?view=processed"))
    assert processed.shape == live.shape
    assert np.abs(processed - live).max() > 60


def test_the_next_reading_is_of_the_new_region(camera_at):
    url = bars(camera_at)
    change(url, region=[0.9, 0.2, 0.1, 0.5])
    camera_at("bars", vivid.golden_hex("YUYV", "black"))


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("stream.mjpg?view=dead", 400),
        ("snapshot.jpg?fps=0", 400),
        ("snapshot.jpg?fps=fast", 400),
    ],
)
def test_an_invalid_query_is_refused_with_a_message(vivid_server, path, status):
    url, _ = vivid_server
    answer = request(f"{url}/{path}")
    assert answer.status == status
    assert answer.json["error"]["message"]
