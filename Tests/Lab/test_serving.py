"""What `serve` sends to clients other than browsers: pages, documents and pictures in the camera's colour."""

import io
import urllib.request

import program
import pytest
import vivid
from Harness.api import request
from PIL import Image, ImageStat

COLOR = vivid.GOLDEN["YUYV"]["red"]


@pytest.fixture(scope="module")
def url(camera, tmp_path_factory):
    """The program with a camera that sees red, once a reading shows it."""
    port = program.free_port()
    camera.show("red")
    path = program.config(
        tmp_path_factory.mktemp("serving"), camera.node, port=port, format="YUYV", width=320, height=180
    )
    with program.serving(path, port):
        address = f"http://127.0.0.1:{port}"
        hex_ = vivid.golden_hex("YUYV", "red")
        program.wait_until(lambda: program.get(f"{address}/api/reading")["hex"] == hex_, f"no {hex_}")
        yield address


def mean(picture):
    with Image.open(io.BytesIO(picture)) as image:
        assert (image.format, image.size) == ("JPEG", (320, 180))
        return ImageStat.Stat(image.convert("RGB")).mean


def test_a_snapshot_has_the_cameras_colour(url):
    assert mean(request(f"{url}/snapshot.jpg").body) == pytest.approx(COLOR, abs=3)


def test_the_stream_has_the_cameras_colour(url):
    with urllib.request.urlopen(f"{url}/stream.mjpg", timeout=program.patience()) as stream:
        for _ in range(3):
            assert mean(next_picture(stream)) == pytest.approx(COLOR, abs=3)


def next_picture(stream):
    """The next part of a response of the type multipart/x-mixed-replace."""
    length = 0
    for line in stream:
        name, _, value = line.lower().partition(b":")
        if name == b"content-length":
            length = int(value)
        elif length and not line.strip():
            return stream.read(length)
    raise AssertionError("the stream ended")
