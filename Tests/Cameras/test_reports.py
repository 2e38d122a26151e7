"""What people report of their cameras to other programs' trackers, played to this one."""

import errno

import pytest
from Harness.api import pushed_readings
from Harness.waiting import wait_until
from pictures import data, jpeg, mean, scene, segments

BLUE = "#3EA7D6"
GOOD = jpeg((62, 167, 214))
PICTURE = jpeg(scene(1))


def yuyv(width: int = 640, height: int = 480, stride: int = 1280) -> bytes:
    """A frame of one colour, mid grey, whose rows end in zeros."""
    return (bytes([128]) * 2 * width + bytes(stride - 2 * width)) * height


def without_tables(frame: bytes) -> bytes:
    """The frame without its Huffman tables, as many cameras send it."""
    for position in reversed(segments(frame)[:-1]):
        if frame[position + 1] == 0xC4:
            length = int.from_bytes(frame[position + 2 : position + 4])
            frame = frame[:position] + frame[position + 2 + length :]
    return frame


def with_unknown_marker(frame: bytes) -> bytes:
    """The frame with a marker among its data that no image has."""
    middle = (data(frame) + len(frame)) // 2
    return frame[:middle] + b"\xff\x3c" + frame[middle:]


def with_field_header(frame: bytes) -> bytes:
    """The frame as an AVI file holds it: APP0 is no JFIF header."""
    return frame[:2] + b"\xff\xe0\x00\x10AVI1\x00" + bytes(9) + frame[2:]


# What the camera does: the report, its frames and its settings.
READ = {
    "stray bytes and a first frame that is damaged (FreeRDP/FreeRDP#10726)": (
        [with_unknown_marker(GOOD), *[GOOD] * 30],
        {},
    ),
    "one frame in five is damaged (obsproject/obs-studio#12093)": ([with_unknown_marker(PICTURE), *[GOOD] * 4], {}),
    "one frame in three is short (jacksonliam/mjpg-streamer#100)": ([GOOD[:200], GOOD, GOOD], {}),
    "one frame in three is empty (libuvc/libuvc#182)": ([(GOOD, "empty"), GOOD, GOOD], {}),
    "nine frames in ten are flagged (raspberrypi/linux#238)": ([*[(GOOD, "damaged")] * 9, GOOD], {}),
    "no Huffman tables (gen2brain/cam2ip#20)": ([without_tables(GOOD)], {}),
    "an AVI1 header and no Huffman tables (AlexxIT/go2rtc#2439)": ([with_field_header(without_tables(GOOD))], {}),
    "zeros up to the size of the buffer (godotengine/godot#102458)": ([GOOD + bytes(200_000)], {}),
    "the format JPEG instead of MJPG (pikvm/ustreamer#40)": ([GOOD], {"format": "JPEG 640 480"}),
    "a single buffer (pikvm/ustreamer#261)": ([GOOD], {"buffers": 1}),
    "three buffers (soyersoyer/cameractrls#108)": ([GOOD], {"buffers": 3}),
    "no frame rate at all (ArduCAM/Arducam_OBISP_MIPI_Camera_Module#8)": (
        [GOOD],
        {"extra": [f"refuse {name}_PARM {errno.ENOTTY}" for name in "GS"]},
    ),
    "no list of sizes (moq-dev/moq#3569)": ([GOOD], {"extra": [f"refuse ENUM_FRAMESIZES {errno.EINVAL}"]}),
    "other sizes are refused, not adjusted (opencv/opencv#25499)": ([GOOD], {"extra": ["strict"]}),
    "other sizes are refused, and there is no list (opencv/opencv#25499)": (
        [GOOD],
        {"extra": ["strict", f"refuse ENUM_FRAMESIZES {errno.ENOTTY}"]},
    ),
    "no controls (opencv/opencv#6157)": ([GOOD], {"extra": [f"refuse QUERY_EXT_CTRL {errno.ENOTTY}"]}),
    "a control that cannot be read (jacksonliam/mjpg-streamer#115)": (
        [GOOD],
        {"extra": ["control 0x00980900 1 0 255 1 128 0 Brightness", f"refuse G_EXT_CTRLS {errno.EIO}"]},
    ),
    "no current format before it is set (v4l2loopback/v4l2loopback#232)": (
        [GOOD],
        {"extra": [f"refuse G_FMT {errno.EINVAL}"]},
    ),
    "no inputs (Motion-Project/motion#464)": ([GOOD], {"extra": [f"refuse G_INPUT {errno.ENOTTY}"]}),
    "a name that is not UTF-8 and has controls (webcamoid/webcamoid#387)": (
        [GOOD],
        {"name": "\x1b[2J\x07 AV TO USB2.0"},
    ),
    "2 frames a second (JeffJassky, bellbind/node-v4l2camera#49)": ([GOOD], {"rate": 2}),
    "120 frames a second (opentrack/opentrack#2163)": ([GOOD], {"rate": 120}),
    "numbers that do not advance (v4l2loopback/v4l2loopback#60)": (
        [jpeg((62, 167, 214), quality=quality) for quality in range(80, 95)],
        {"numbers": "zero", "times": "zero"},
    ),
}


@pytest.mark.parametrize("report", READ)
def test_a_camera_that_is_reported_elsewhere_is_read_in_its_colour(play, serve, report):
    frames, settings = READ[report]
    server = serve(play(frames, **settings))
    readings = pushed_readings(server.url, 8)
    assert [reading["state"] for reading in readings[-4:]] == ["live"] * 4, server.logged()
    assert {reading["hex"] for reading in readings[-4:]} == {BLUE}


@pytest.mark.parametrize("stride", [1280, 1344])
def test_a_raw_frame_is_read_with_or_without_padding_in_its_rows(play, serve, stride):
    """Motion-Project/motion#1548."""
    server = serve(play([yuyv(stride=stride)], format="YUYV 640 480", stride=stride))
    reading = server.wait_for_state("live")
    assert reading["statistics"]["min"] == reading["statistics"]["max"]


# What the camera does, and what is said about it.
REFUSED = {
    "another format than it offers (v4l2loopback/v4l2loopback#520)": (
        {"grant": "RGB4 640 480", "extra": []},
        "unsupported",
        "RGB4",
    ),
    "no bandwidth (tonyzhaozh/aloha#37)": ({"extra": [f"refuse STREAMON {errno.ENOSPC}"]}, "failed", "bandwidth"),
    "busy (ni-c/heimcontrol.js#53)": ({"extra": [f"refuse S_FMT {errno.EBUSY}"]}, "busy", "another program"),
    "no memory (gjasny/v4l-utils#3)": ({"extra": [f"refuse REQBUFS {errno.ENOMEM}"]}, "failed", "memory"),
    "no buffers (pikvm/ustreamer#40)": ({"extra": [f"refuse QUERYBUF {errno.ENOTTY}"]}, "failed", "VIDIOC_QUERYBUF"),
    "unplugged (OTL/cv_camera#24)": ({"extra": [f"refuse DQBUF {errno.ENODEV}"]}, "noCamera", "is gone"),
}


@pytest.mark.parametrize("report", REFUSED)
def test_a_camera_that_cannot_be_read_says_why_and_is_read_when_it_can(play, serve, report):
    settings, _, words = REFUSED[report]
    camera = play([GOOD], **settings)
    server = serve(camera)
    reading = wait_until(server.reading, "there is no reason", holds=lambda reading: words in str(reading["message"]))
    assert reading["hex"] is None
    camera.play([GOOD])
    assert server.wait_for_state("live")["hex"] == BLUE


def test_a_driver_that_fails_now_and_then_is_read_again(play, serve):
    """openimaj/openimaj#40 and pikvm/ustreamer#26: EIO, and then all is well."""
    camera = play([GOOD])
    server = serve(camera)
    server.wait_for_state("live")
    camera.play([GOOD], extra=[f"refuse DQBUF {errno.EIO}"])
    wait_until(server.reading, "it is not lost", holds=lambda reading: reading["state"] != "live")
    camera.play([GOOD])
    assert server.wait_for_state("live")["hex"] == BLUE


def test_the_size_may_change_and_change_back(play, serve):
    """awawa-dev/HyperHDR#681: a receiver sends other sizes without a word."""
    camera = play([GOOD])
    server = serve(camera)
    server.wait_for_state("live")
    camera.play([jpeg(scene(1)[:240, :320])])
    lost = server.wait_for_state("lost")
    assert "320 x 240 pixels" in wait_until(server.reading, "no reason", holds=lambda r: r["message"])["message"], lost
    camera.play([GOOD])
    assert server.wait_for_state("live")["hex"] == BLUE


def test_a_whole_picture_is_read_exactly(play, serve):
    reading = serve(play([without_tables(PICTURE)])).wait_for_state("live")
    assert [reading["mean"][c] for c in "rgb"] == pytest.approx(mean(PICTURE), abs=1)
