"""Numbers and times that do not tell frames apart."""

import pytest
from Harness import api
from Harness.api import pushed_readings
from Harness.waiting import wait_until
from pictures import jpeg

FRAMES = [jpeg((62, 167, 214 - shade)) for shade in range(0, 60, 5)]


@pytest.mark.parametrize("numbers", ["count", "zero", "still"])
@pytest.mark.parametrize("times", ["monotonic", "zero", "still"])
def test_frames_with_other_bytes_are_new_whatever_their_numbers_and_times_say(play, serve, numbers, times):
    """raspberrypi/linux#2351: numbers advance while times stand still; or both stay 0."""
    server = serve(play(FRAMES, numbers=numbers, times=times))
    server.wait_for_state("live")
    readings = pushed_readings(server.url, 12)
    assert len({reading["hex"] for reading in readings}) > 2
    assert {reading["state"] for reading in readings} == {"live"}


def test_a_sample_is_taken_after_a_first_frame_from_the_far_future(play, serve):
    """raspberrypi/linux#1984."""
    server = serve(play(FRAMES, times="wild"))
    assert api.request(f"{server.url}api/samples", "POST", {"readings": 1}).status == 201


@pytest.mark.parametrize("times", ["zero", "still"])
def test_a_frame_with_the_same_bytes_is_the_same_frame_if_its_number_and_time_say_nothing(play, serve, times):
    camera = play(FRAMES, numbers="still", times=times)
    server = serve(camera)
    server.wait_for_state("live")
    camera.play(FRAMES[:1], numbers="still", times=times)
    reading = wait_until(server.reading, "the same frame is live", holds=lambda reading: reading["state"] == "lost")
    assert "delivers the same frame again and again" in reading["message"]
