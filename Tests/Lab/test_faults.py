"""Every fault that vivid can inject: the state, the message, and the recovery. Only in the lab: it takes the camera away."""

import os

import program
import pytest
import recorder

pytestmark = pytest.mark.skipif("SWATCHCAM_LAB" not in os.environ, reason="breaks the camera: only in the lab")


@pytest.fixture(scope="class")
def running(camera, tmp_path_factory):
    """A recorder of the program on vivid."""
    port = program.free_port()
    path = program.config(tmp_path_factory.mktemp("faults"), camera.node, port=port)
    with recorder.serving(path, port) as (_, record):
        yield record


@pytest.fixture
def live(running):
    """The recorder, once readings are live."""
    running.wait_for_state("live", running.mark())
    yield running
    running.check_sequence()


class TestARunningCamera:
    """These tests share one program."""

    @pytest.mark.parametrize("button", ["disconnect", "inject_fatal_streaming_error", "inject_vidioc_qbuf_error"])
    def test_a_camera_that_breaks_is_lost_until_it_is_back(self, camera, live, button):
        mark = live.mark()
        camera.press(button)
        lost = live.wait_for_state("lost", mark)
        assert lost["message"].startswith("Lost at ") and lost["hex"] is None
        live.wait_for_state("live", live.readings.index(lost))

    def test_a_damaged_frame_is_skipped_and_counted_as_dropped(self, camera, live):
        mark = live.mark()
        before = live.readings[-1]["dropped"]
        camera.press("inject_v4l2_buf_flag_error")
        live.wait(lambda reading: reading["dropped"] > before, mark, what="reading with a dropped frame")
        assert live.states(mark) == ["live"]

    def test_frames_that_the_driver_drops_are_counted(self, camera, live):
        mark = live.mark()
        before = live.readings[-1]["dropped"]
        camera.set(percentage_of_dropped_buffers=50)
        try:
            live.wait(lambda reading: reading["dropped"] > before + 10, mark, what="reading with ten dropped frames")
        finally:
            camera.set(percentage_of_dropped_buffers=0)
        assert live.states(mark) == ["live"]

    def test_a_camera_that_falls_silent_is_lost_until_frames_come_again(self, camera, live):
        mark = live.mark()
        camera.set(percentage_of_dropped_buffers=100)
        try:
            lost = live.wait_for_state("lost", mark)
        finally:
            camera.set(percentage_of_dropped_buffers=0)
        assert ": no new frame since " in lost["message"]
        live.wait_for_state("live", live.readings.index(lost))


@pytest.mark.parametrize("request_name", ["reqbufs", "qbuf", "streamon"])
def test_a_request_that_fails_while_opening_the_camera_is_repeated(camera, tmp_path, capfd, request_name):
    camera.press(f"inject_vidioc_{request_name}_error")
    port = program.free_port()
    with program.serving(program.config(tmp_path, camera.node, port=port), port):
        pass
    assert f"VIDIOC_{request_name.upper()} failed: " in capfd.readouterr().err


def test_a_frame_counter_that_wraps_does_not_count_as_dropped_frames(camera, tmp_path):
    camera.set(wrap_sequence_number=1)
    port = program.free_port()
    try:
        with recorder.serving(
            program.config(tmp_path, camera.node, port=port, fps=60, width=320, height=180), port
        ) as (_, record):
            # The counter begins 128 below its end.
            record.wait(lambda reading: reading["frame"] and reading["frame"]["sequence"] in range(2, 1000))
            assert record.readings[-1]["dropped"] < 1000
            assert record.states() == ["live"]
    finally:
        camera.set(wrap_sequence_number=0)


@pytest.mark.parametrize(
    "number, control, values",
    [(1, "standard_signal_mode", [1, 2]), (3, "dv_timings_signal_mode", [1, 2, 3])],
    ids=["television", "HDMI"],
)
def test_a_lost_video_signal_is_reported_and_waited_for(camera, tmp_path, number, control, values):
    camera.use_input(number)
    port = program.free_port()
    try:
        with recorder.serving(program.config(tmp_path, camera.node, port=port), port) as (_, record):
            record.wait_for_state("live")
            for value in values:
                mark = record.mark()
                camera.set(**{control: value})
                gone = record.wait_for_state("no-signal", mark)
                assert gone["hex"] is None and "signal" in gone["message"]
                mark = record.mark()
                camera.set(**{control: 0})
                record.wait_for_state("live", mark)
            record.check_sequence()
    finally:
        camera.set(**{control: 0})
        camera.use_input(0)


def test_new_video_timings_are_adopted_while_the_program_runs(camera, tmp_path):
    """The stream ends, the new timings are adopted, readings continue. vivid scales, so only the rate shows them."""

    def said(reading):
        return next((notice["message"] for notice in reading["notices"] if notice["topic"] == "negotiated"), "")

    camera.use_input(3)
    port = program.free_port()
    try:
        with recorder.serving(program.config(tmp_path, camera.node, port=port), port) as (_, record):
            record.wait(lambda reading: "delivers 60 frames/s" in said(reading))
            mark = record.mark()
            camera.set(dv_timings=8)
            camera.set(dv_timings_signal_mode=4)
            record.wait(lambda reading: reading["state"] == "live" and "delivers 50 frames/s" in said(reading), mark)
            record.check_sequence()
    finally:
        camera.set(dv_timings_signal_mode=0)
        camera.use_input(0)


def test_a_camera_that_another_program_uses_is_opened_once_it_is_free(camera, tmp_path):
    """Until then the message names the program that has it."""
    holder = camera.hold()
    port = program.free_port()
    try:
        with recorder.serving(program.config(tmp_path, camera.node, port=port), port, state="busy") as (_, record):
            busy = record.wait_for_state("busy")
            assert f"v4l2-ctl (process {holder.pid})" in busy["message"]
            holder.kill()
            holder.communicate()
            record.wait_for_state("live")
    finally:
        if holder.poll() is None:
            holder.kill()
            holder.communicate()


def test_many_faults_leak_no_descriptors_mappings_or_memory(camera, tmp_path):
    port = program.free_port()
    with recorder.serving(program.config(tmp_path, camera.node, port=port, rate=20), port) as (server, record):
        record.wait_for_state("live")
        figures = {}
        times, looks = program.repetitions(200)
        for count in range(1, times + 1):
            mark = record.mark()
            camera.press("inject_fatal_streaming_error")
            lost = record.wait_for_state("lost", mark)
            record.wait_for_state("live", record.readings.index(lost))
            if count in looks:
                figures[count] = program.footprint(server.pid)
        record.check_sequence()
    print(program.table(figures, "fatal streaming errors"), end="")
    program.check_leaks(figures)
