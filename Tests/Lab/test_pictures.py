"""The stream in the programs that people use, ffmpeg and OpenCV: of the test pattern, on this machine."""

import subprocess

import cv2
import program
import pytest

SIZE = (640, 480)


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    port = program.free_port()
    path = program.config(tmp_path_factory.mktemp("pictures"), "test-pattern", port=port)
    with program.serving(path, port, state="test-pattern"):
        yield f"http://127.0.0.1:{port}"


def test_ffmpeg_decodes_the_stream_without_a_warning(url):
    command = ["ffmpeg", "-nostdin", "-v", "warning", "-f", "mpjpeg", "-i", f"{url}/stream.mjpg"]
    command += ["-frames:v", "12", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    result = subprocess.run(command, capture_output=True, check=True, timeout=program.patience())
    # Every decoder of MJPG causes this warning: ffmpeg's name for full-range YUV is deprecated.
    warnings = [line for line in result.stderr.decode().splitlines() if "deprecated pixel format" not in line]
    assert warnings == []
    assert len(result.stdout) == 12 * SIZE[0] * SIZE[1] * 3


def test_opencv_reads_the_stream_in_the_colour_of_the_readings(url):
    capture = cv2.VideoCapture(f"{url}/stream.mjpg", cv2.CAP_FFMPEG)
    try:
        for _ in range(5):
            is_read, picture = capture.read()
            assert is_read
    finally:
        capture.release()
    # The lamp of the test pattern changes slowly.
    mean = program.get(f"{url}/api/reading")["mean"]
    assert picture.mean(axis=(0, 1))[::-1] == pytest.approx([mean[channel] for channel in "rgb"], abs=6)
