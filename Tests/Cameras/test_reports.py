"""What people report of their cameras to other programs' trackers, played to this one."""

import errno
import itertools

import pytest
from Harness.api import pushed_readings
from Harness.waiting import wait_until
from pictures import data, jpeg, mean, scene, segments
from PIL import Image

BLUE = "#3EA7D6"
GOOD = jpeg((62, 167, 214))
SMALL = jpeg(scene(1)[:240, :320])
PICTURE = jpeg(scene(1))
V4L2_FIELD_INTERLACED = 4


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


def with_fill_bytes(frame: bytes) -> bytes:
    """The frame with fill bytes before its last marker."""
    return frame[:-2] + b"\xff\xff" + frame[-2:]


def with_header_first(frame: bytes) -> bytes:
    """The frame with the header that tells its size (SOF0) before all other segments."""
    places = segments(frame)
    parts = [frame[start:end] for start, end in itertools.pairwise(places)]
    return frame[:2] + b"".join(sorted(parts, key=lambda part: part[1] != 0xC0)) + frame[places[-1] :]


def with_preview(frame: bytes) -> bytes:
    """The frame with another image in a segment for applications (APP4)."""
    preview = jpeg((200, 30, 30))
    return frame[:2] + b"\xff\xe4" + (len(preview) + 2).to_bytes(2) + preview + frame[2:]


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
    "4:2:0 in place of 4:2:2 (obsproject/obs-studio#5821)": ([jpeg((62, 167, 214), subsampling=2)], {}),
    "the size of the picture before the tables (wpilibsuite/cscore#127)": ([with_header_first(GOOD)], {}),
    "a preview in each frame (intel/intel-vaapi-driver#444)": ([with_preview(GOOD)], {}),
    "two markers of the end (intel/libyami#832)": ([GOOD + GOOD[-2:]], {}),
    "fill bytes before the end (image-rs/jpeg-decoder#147)": ([with_fill_bytes(GOOD)], {}),
    "one frame in four lacks its end (opencv/opencv#23311)": ([GOOD[:-2], GOOD, GOOD, GOOD], {}),
    "one frame in four is no JPEG image (shiguredo/momo#238)": ([bytes(9000), GOOD, GOOD, GOOD], {}),
    "a picture that ends within a block (i-rinat/freshplayerplugin#370)": (
        [jpeg(Image.new("RGB", (724, 362), (62, 167, 214)), subsampling=2)],
        {"format": "MJPG 724 362"},
    ),
    "zeros up to the size of the buffer (godotengine/godot#102458)": ([GOOD + bytes(200_000)], {}),
    "the format JPEG instead of MJPG (pikvm/ustreamer#40)": ([GOOD], {"format": "JPEG 640 480"}),
    "a single buffer (pikvm/ustreamer#261)": ([GOOD], {"buffers": 1}),
    "three buffers (soyersoyer/cameractrls#108)": ([GOOD], {"buffers": 3}),
    "no frame rate at all (ArduCAM/Arducam_OBISP_MIPI_Camera_Module#8)": (
        [GOOD],
        {"extra": [f"refuse {name}_PARM {errno.ENOTTY}" for name in "GS"]},
    ),
    "no list of sizes (moq-dev/moq#3569)": ([GOOD], {"extra": [f"refuse ENUM_FRAMESIZES {errno.EINVAL}"]}),
    "every size in a range (Motion-Project/motion#940)": ([GOOD], {"range": "2592 1944"}),
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
    "a first frame from the far future (raspberrypi/linux#1984)": ([GOOD], {"times": "wild"}),
    "times that are 0.9 s early (raspberrypi/linux#1318)": ([GOOD], {"late": 0.9}),
    "no frame after poll(2) has reported one (severin-lemaignan/webcam-v4l2#3)": (
        [GOOD],
        {"extra": [f"refuse DQBUF {errno.EAGAIN} 2"]},
    ),
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


# What the camera says of its raw frames.
RAW = {
    "rows without padding": {},
    "rows with padding (Motion-Project/motion#1548)": {"stride": 1344},
    "two fields (Motion-Project/motion#1548)": {"field": V4L2_FIELD_INTERLACED},
    "the length of the buffer as that of the frame (v4l2loopback/v4l2loopback#543)": {"used": 8 << 20},
}


@pytest.mark.parametrize("report", RAW)
def test_a_raw_frame_is_read_without_what_is_beside_and_behind_its_pixels(play, serve, report):
    settings = {"stride": 1280} | RAW[report]
    server = serve(play([yuyv(stride=settings["stride"])], format="YUYV 640 480", **settings))
    reading = server.wait_for_state("live")
    assert reading["statistics"]["min"] == reading["statistics"]["max"]


# What the camera does, whether it does so from the start, and what is said about it.
LOST = {
    "another format than it offers (v4l2loopback/v4l2loopback#520)": ({"grant": "RGB4 640 480"}, True, "RGB4"),
    "too long rows of a planar format (raspberrypi/linux#1096)": (
        {"format": "YU12 640 480", "stride": 960, "size": 640 * 480 * 3 // 2},
        True,
        "too short for a picture of this size",
    ),
    "no bandwidth (tonyzhaozh/aloha#37)": ({"extra": [f"refuse STREAMON {errno.ENOSPC}"]}, True, "bandwidth"),
    "busy (ni-c/heimcontrol.js#53)": ({"extra": [f"refuse S_FMT {errno.EBUSY}"]}, True, "another program"),
    "no memory (gjasny/v4l-utils#3)": ({"extra": [f"refuse REQBUFS {errno.ENOMEM}"]}, True, "memory"),
    "no buffers (pikvm/ustreamer#40)": ({"extra": [f"refuse QUERYBUF {errno.ENOTTY}"]}, True, "VIDIOC_QUERYBUF"),
    "unplugged (OTL/cv_camera#24)": ({"extra": [f"refuse DQBUF {errno.ENODEV}"]}, True, "is gone"),
    "EIO, and then all is well (openimaj/openimaj#40, pikvm/ustreamer#26)": (
        {"extra": [f"refuse DQBUF {errno.EIO}"]},
        False,
        "the stream failed",
    ),
    "another size without a word (awawa-dev/HyperHDR#681)": ({"frames": [SMALL]}, False, "320 x 240 pixels"),
}


@pytest.mark.parametrize("report", LOST)
def test_a_camera_that_cannot_be_read_says_why_and_is_read_when_it_can(play, serve, report):
    settings, from_the_start, words = LOST[report]
    settings = {"frames": [GOOD]} | settings
    camera = play(**settings) if from_the_start else play([GOOD])
    server = serve(camera)
    if not from_the_start:
        server.wait_for_state("live")
        camera.play(**settings)
    reading = wait_until(server.reading, "there is no reason", holds=lambda reading: words in str(reading["message"]))
    assert reading["hex"] is None
    camera.play([GOOD])
    assert server.wait_for_state("live")["hex"] == BLUE


def test_a_whole_picture_is_read_exactly(play, serve):
    reading = serve(play([without_tables(PICTURE)])).wait_for_state("live")
    assert [reading["mean"][c] for c in "rgb"] == pytest.approx(mean(PICTURE), abs=1)
