"""Cameras that take their time to begin."""

import subprocess
import time

import pytest
from Harness.api import pushed_readings
from Harness.program import PROGRAM
from pictures import jpeg

BLUE = (62, 167, 214)
GOOD = jpeg(BLUE)
# A camera that adjusts itself (fswebcam#23): half a second each of a dark, a brighter and a nearly right picture.
RAMP = [jpeg(tuple(value * share // 8 for value in BLUE)) for share in [1] * 15 + [4] * 15 + [7] * 15] + [GOOD]


def run(command: str, camera, *options: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*PROGRAM, command, "--device", camera.node, *options],
        env=camera.environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=50,
    )


def read(camera, *options: str) -> subprocess.CompletedProcess:
    return run("read", camera, *options)


def test_a_single_reading_waits_until_the_colour_of_the_camera_holds(play):
    assert "#3EA7D6" in read(play(RAMP, last=True)).stdout


def test_a_single_reading_does_not_take_the_black_of_the_beginning_for_the_colour(play):
    """AlexxIT/go2rtc#1015, prey/prey-bash-client#22."""
    black = [jpeg((0, 0, 0))] * 60
    assert "#3EA7D6" in read(play([*black, GOOD], last=True)).stdout


def test_a_sample_of_the_program_alone_is_taken_as_soon_as_the_colour_holds(play):
    assert "#3EA7D6" in run("sample", play([GOOD]), "--readings", "1").stdout


def test_without_a_wait_the_first_colour_is_printed(play):
    assert "#3EA7D6" not in read(play(RAMP, last=True), "--wait", "0").stdout


def test_a_colour_that_never_holds_is_printed_after_the_wait(play):
    frames = [jpeg((value, 100, 100)) for value in range(40, 240, 10)]
    start = time.monotonic()
    assert read(play(frames), "--wait", "2").stdout.startswith("#")
    assert time.monotonic() - start > 2


def test_a_reading_says_settling_until_the_colour_holds(play, serve):
    readings = [reading for reading in pushed_readings(serve(play(RAMP, last=True)).url, 16) if reading["quality"]]
    settling = ["settling" in [flag["code"] for flag in reading["quality"]["flags"]] for reading in readings]
    assert settling[0] and readings[0]["quality"]["grade"] == "poor"
    assert not settling[-1] and readings[settling.index(False)]["hex"] == "#3EA7D6"


@pytest.mark.slow
def test_a_camera_whose_first_frame_takes_seven_seconds_is_read(play, serve):
    """obs-studio#10335, ustreamer#274."""
    assert serve(play([GOOD], delay=7)).wait_for_state("live")["hex"] == "#3EA7D6"


@pytest.mark.slow
def test_a_camera_that_promises_a_frame_a_day_and_is_silent_is_lost_within_the_wait_for_a_first_frame(play, serve):
    server = serve(play([], promise=0.00001))
    assert "no new frame" in server.wait_for_state("lost")["message"]
