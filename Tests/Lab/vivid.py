"""vivid, the kernel's virtual camera: finding its devices and setting the picture that they deliver."""

import contextlib
import fcntl
import functools
import json
import os
import pathlib
import re
import struct
import subprocess
import time
from dataclasses import dataclass

import program
import pytest

# Values of vivid's control `test_pattern`.
PATTERNS = {"black": 5, "white": 6, "red": 7, "green": 8, "blue": 9}
# Others, with more than one colour.
PICTURES = {"bars": 1, "ramp": 20, "noise": 21}

# Fills the whole picture with the unchanged pattern, and nothing else.
PLAIN = {
    "osd_text_mode": 2,
    "show_border": 0,
    "show_square": 0,
    "insert_sav_code_in_image": 0,
    "insert_eav_code_in_image": 0,
    "horizontal_movement": 3,
    "vertical_movement": 3,
    "fill_percentage_of_frame": 100,
    "brightness": 128,
    "contrast": 128,
    "saturation": 128,
    "hue": 0,
    "alpha_component": 255,
}

GOLDEN = json.loads(pathlib.Path(__file__).with_name("golden-means.json").read_text())["means"]


def golden_hex(fourcc, pattern):
    """The `hex` of a reading of one solid colour: the mean, rounded half up."""
    return "#" + "".join(f"{int(channel + 0.5):02X}" for channel in GOLDEN[fourcc][pattern])


def await_mean(readings, fourcc, mean, tolerance):
    """The first reading with this mean. Some frames before it may still show the previous pattern."""
    expected = pytest.approx(mean, abs=tolerance)
    began = time.monotonic()
    for reading in readings:
        assert (reading["state"], reading["frame"]["format"]) == ("live", fourcc)
        seen = [reading["mean"][channel] for channel in "rgb"]
        if seen == expected:
            return reading
        if time.monotonic() > began + program.patience():
            assert seen == expected, fourcc
    raise AssertionError("the program ended unexpectedly")


# From linux/videodev2.h. v4l2-ctl would take a process for each of thousands of calls.
VIDIOC_QUERYCTRL, VIDIOC_S_CTRL, VIDIOC_S_INPUT = 0xC0445624, 0xC008561C, 0xC0045627
V4L2_CTRL_FLAG_NEXT_CTRL = 0x80000000


@dataclass
class Vivid:
    """One capture device of vivid."""

    node: str
    multiplanar: bool

    @contextlib.contextmanager
    def opened(self):
        descriptor = os.open(self.node, os.O_RDWR)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    @functools.cached_property
    def controls(self):
        """The number of each control, by v4l2-ctl's name for it."""
        found, number = {}, 0
        with self.opened() as descriptor, contextlib.suppress(OSError):  # the end of the list
            while True:
                query = struct.pack("I64x", number | V4L2_CTRL_FLAG_NEXT_CTRL)
                number, name = struct.unpack("I4x32s28x", fcntl.ioctl(descriptor, VIDIOC_QUERYCTRL, query))
                words = re.findall(r"[a-z0-9]+", name.partition(b"\0")[0].decode().lower())
                found["_".join(words)] = number
        return found

    def set(self, **controls):
        with self.opened() as descriptor:
            for name, value in controls.items():
                fcntl.ioctl(descriptor, VIDIOC_S_CTRL, struct.pack("II", self.controls[name], value & 0xFFFFFFFF))

    def press(self, button):
        """Presses a button. Some buttons break the very call that presses them, so an error is ignored."""
        with contextlib.suppress(OSError):
            self.set(**{button: 1})

    def use_input(self, number):
        """Selects an input: 0 is a webcam, 1 television, 2 S-Video, 3 HDMI."""
        with self.opened() as descriptor:
            fcntl.ioctl(descriptor, VIDIOC_S_INPUT, struct.pack("I", number))

    def hold(self):
        """Starts another program that streams from the camera until it is killed."""
        holder = subprocess.Popen(
            ["v4l2-ctl", "-d", self.node, "--stream-mmap"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        # v4l2-ctl writes a character for each frame, so after the first it is streaming.
        assert holder.stderr.read(1), "v4l2-ctl does not stream"
        return holder

    def show(self, pattern):
        """Makes the whole picture show this pattern, from the next frame on."""
        self.set(test_pattern=(PATTERNS | PICTURES)[pattern])

    @functools.cached_property
    def offered(self):
        """The pixel formats that it offers, without padding."""
        listed = subprocess.run(
            ["v4l2-ctl", "-d", self.node, "--list-formats"],
            capture_output=True,
            text=True,
            check=True,
            timeout=program.patience(),
        ).stdout
        return [code.replace(" ", "") for code in re.findall(r"\]: '([^']*)'", listed)]

    def reset_picture(self):
        """Makes the picture show the pattern alone, with no text, border or correction."""
        self.set(**PLAIN)


def find():
    """Every capture device of vivid in this kernel."""
    found = []
    for name in sorted(pathlib.Path("/sys/class/video4linux").glob("video*/name")):
        if "vivid" not in name.read_text() or "vid-cap" not in name.read_text():
            continue
        node = f"/dev/{name.parent.name}"
        about = subprocess.run(
            ["v4l2-ctl", "-d", node, "-D"], capture_output=True, text=True, check=True, timeout=program.patience()
        ).stdout
        found.append(Vivid(node, multiplanar="Video Capture Multiplanar" in about))
    return found
