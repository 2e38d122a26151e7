"""Sources that a program feeds through v4l2loopback, and what is shown when that program stops, hangs or dies.

The module keeps the last frame and delivers it to every stream that begins. That of Debian 12 (0.12.7) gives it the time
of that moment, by a clock that it does not name; that of Debian 13 (0.15.0) keeps its time.
"""

import contextlib
import os
import subprocess

import loopback
import program
import pytest
import recorder
import websockets.sync.client
from Harness.api import request

pytestmark = pytest.mark.skipif("SWATCHCAM_LAB" not in os.environ, reason="loads kernel modules: only in the lab")

# Y, Cb and Cr.
RED, GREEN = (90, 100, 220), (150, 60, 60)

of_each_release = pytest.mark.parametrize("release", program.sampled(("bookworm", "trixie"), {"trixie"}))
"""Releases of Debian."""

in_each_way = pytest.mark.parametrize(
    ("release", "exclusive"),
    program.sampled([("bookworm", 0), ("bookworm", 1), ("trixie", 0), ("trixie", 1)], {("bookworm", 0), ("trixie", 1)}),
)
"""Releases of Debian, and the module's `exclusive_caps`."""


@contextlib.contextmanager
def watching(directory, state="live"):
    """A recorder of the program on the loopback, and the program's address."""
    port = program.free_port()
    path = program.config(directory, str(loopback.NODE), port=port)
    with recorder.serving(path, port, state) as (_, record):
        yield record, f"http://127.0.0.1:{port}"


def pass_time(record, seconds):
    """Waits until readings have come for so long; that takes no time in the lab."""
    mark = record.mark()
    began = recorder.seconds(record.wait(lambda _: True, mark)["time"])
    record.wait(lambda reading: recorder.seconds(reading["time"]) > began + seconds, mark)


def check_lost(record, mark=0, seconds=20):
    """Waits for the loss, then for some time in which the camera is opened again; returns the readings of that time."""
    lost = record.wait_for_state("lost", mark)
    pass_time(record, seconds)
    readings = record.readings[record.readings.index(lost) :]
    assert {(reading["state"], reading["hex"], reading["since"]) for reading in readings} == {
        ("lost", None, lost["since"])
    }
    # They continue to arrive while the camera is open again, but silent.
    assert len(readings) >= 4 * seconds
    return readings


def marks(url):
    """The kinds of the marks in the history."""
    return [mark["kind"] for mark in program.get(f"{url}/api/history?span=1h")["marks"]]


@in_each_way
def test_a_source_whose_feeder_hangs_is_lost_until_it_delivers_a_new_frame(release, exclusive, tmp_path, capfd):
    with loopback.loaded(release, exclusive), loopback.Feeder(RED) as feeder, watching(tmp_path) as (record, url):
        red = record.wait_for_state("live")["hex"]
        feeder.freeze()
        readings = check_lost(record)
        mark = record.mark()
        feeder.go_on()
        assert record.wait_for_state("live", mark)["hex"] == red
        # A mark is set right after the reading that calls for it has been sent.
        program.wait_until(lambda: marks(url)[2:], "no mark was set when the source returned")
        assert marks(url) == ["camera", "lost", "back"]
        record.check_sequence()
    # It first falls silent, and then delivers its last frame to each new stream.
    silent, repeating = dict.fromkeys(reading["message"] for reading in readings)
    assert ": no new frame since " in silent
    assert " delivers only frames from before it was opened, and no usable frame since " in repeating
    logged = [line for line in capfd.readouterr().err.splitlines() if "warning" in line]
    assert len(logged) == 2


@of_each_release
def test_no_picture_sample_or_row_of_the_history_is_made_of_an_old_frame(release, tmp_path):
    with loopback.loaded(release), loopback.Feeder(RED) as feeder, watching(tmp_path) as (record, url):
        feeder.freeze()
        record.wait_for_state("lost")
        recorded = request(f"{url}/history.csv?span=10m").body
        with websockets.sync.client.connect(f"{url.replace('http', 'ws')}/ws/picture") as pictures:
            pictures.send("next")
            # Meanwhile the camera is opened again.
            with pytest.raises(TimeoutError):
                pictures.recv(timeout=20)
        for path in ("/snapshot.jpg", "/healthz"):
            assert request(f"{url}{path}").status == 503
        assert request(f"{url}/api/samples", "POST", {"readings": 2}).status == 503
        assert request(f"{url}/history.csv?span=10m").body == recorded


@of_each_release
def test_a_source_that_hangs_from_the_start_is_never_live(release, tmp_path):
    with loopback.loaded(release), loopback.Feeder(RED) as feeder:
        feeder.freeze()
        with watching(tmp_path, "lost") as (record, _):
            message = check_lost(record)[-1]["message"]
            assert "delivers only frames from before it was opened, and no usable frame since it was opened" in message
            feeder.go_on()
            record.wait_for_state("live", record.mark())


@of_each_release
def test_a_frame_that_the_module_repeats_to_sustain_its_rate_is_not_new(release, tmp_path):
    with loopback.loaded(release) as node, contextlib.ExitStack() as fed:
        feeder = fed.enter_context(loopback.Feeder(RED))
        with watching(tmp_path) as (record, _):
            subprocess.run(["v4l2-ctl", "-d", node, "-c", "sustain_framerate=1"], check=True)
            mark = record.mark()
            feeder.freeze()
            check_lost(record, mark)
            # For every program that begins to stream, the module of Debian 12 gives all frames the present time.
            for _ in range(5):
                other = ["v4l2-ctl", "-d", node, "--stream-mmap", "--stream-count=1"]
                subprocess.run(other, check=False, capture_output=True, timeout=program.patience())
                pass_time(record, 2)
            check_lost(record, mark)
            mark = record.mark()
            feeder.go_on()
            mark = record.readings.index(record.wait_for_state("live", mark))
            fed.close()
            gone = record.wait(lambda reading: reading["hex"] is None, mark)
            pass_time(record, 20)
            assert "live" not in record.states(record.readings.index(gone))


@pytest.mark.parametrize(
    ("release", "exclusive", "size"),
    program.sampled(
        [(*way, size) for way in (("bookworm", 0), ("trixie", 0), ("trixie", 1)) for size in ((320, 240), (640, 480))],
        {("bookworm", 0, (640, 480)), ("trixie", 1, (640, 480))},
    ),
)
def test_when_its_feeder_ends_a_source_is_lost_until_the_next_one_begins(release, exclusive, size, tmp_path):
    with loopback.loaded(release, exclusive), contextlib.ExitStack() as first:
        first.enter_context(loopback.Feeder(RED))
        with watching(tmp_path) as (record, _):
            red = record.wait_for_state("live")["hex"]
            mark = record.mark()
            first.close()
            # The module of Debian 13 says that there is no signal, and that of Debian 12 then offers no format.
            record.wait(lambda reading: reading["state"] in ("lost", "no-signal"), mark)
            mark = record.mark()
            with loopback.Feeder(GREEN, size):
                green = record.wait_for_state("live", mark)
                assert green["hex"] != red
                assert (green["frame"]["width"], green["frame"]["height"]) == size
                assert {reading["hex"] for reading in record.readings[mark:]} <= {None, green["hex"]}


@pytest.mark.release
def test_with_exclusive_caps_the_module_of_debian_12_takes_no_second_feeder(tmp_path):
    """The module's own fault: once a program has asked what the node can do, it is neither an input nor an output."""
    with loopback.loaded("bookworm", 1), contextlib.ExitStack() as first:
        first.enter_context(loopback.Feeder(RED))
        with watching(tmp_path) as (record, _):
            mark = record.mark()
            first.close()
            message = check_lost(record, mark)[-1]["message"]
            assert message.endswith("is not a video capture device. Run 'swatchcam cameras' to list the cameras.")
            second = loopback.start(GREEN)
            assert second.communicate(timeout=program.patience())[0] == ""
            assert second.returncode == loopback.REFUSED
