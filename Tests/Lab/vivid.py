"""vivid, the kernel's virtual camera: finding its devices and setting the picture that they deliver."""

import functools
import json
import pathlib
import re
import subprocess
import time
from dataclasses import dataclass

import pytest

# Values of vivid's control `test_pattern`.
PATTERNS = {"black": 5, "white": 6, "red": 7, "green": 8, "blue": 9}
# Others, with more than one colour.
PICTURES = {"bars": 1, "ramp": 20, "noise": 21}

# Nothing but the pattern itself in the picture, all of it, unchanged.
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
    """What a reading's `hex` is for a picture of one solid colour: the mean, rounded half up."""
    return "#" + "".join(f"{int(channel + 0.5):02X}" for channel in GOLDEN[fourcc][pattern])


def await_mean(readings, fourcc, pattern, tolerance):
    """Some frames may still show the pattern before."""
    expected = pytest.approx(GOLDEN[fourcc][pattern], abs=tolerance)
    deadline = time.monotonic() + 5
    for reading in readings:
        assert (reading["state"], reading["frame"]["format"]) == ("live", fourcc)
        mean = [reading["mean"][channel] for channel in "rgb"]
        if mean == expected:
            return reading
        if time.monotonic() > deadline:
            assert mean == expected, (fourcc, pattern)
    raise AssertionError("the program ended by itself")


@dataclass
class Vivid:
    """One capture device of vivid's."""

    node: str
    multiplanar: bool

    def set(self, **controls):
        pairs = ",".join(f"{name}={value}" for name, value in controls.items())
        subprocess.run(["v4l2-ctl", "-d", self.node, "-c", pairs], check=True, timeout=60)

    def press(self, button):
        """Some of them take effect before v4l2-ctl has its answer: what it says of that is no matter."""
        subprocess.run(["v4l2-ctl", "-d", self.node, "-c", f"{button}=1"], check=False, timeout=60)

    def use_input(self, number):
        """0: webcam, 1: television, 2: S-Video, 3: HDMI."""
        subprocess.run(["v4l2-ctl", "-d", self.node, "-i", str(number)], check=True, timeout=60, capture_output=True)

    def hold(self):
        """Streams from it, as another program would; until it is killed."""
        holder = subprocess.Popen(
            ["v4l2-ctl", "-d", self.node, "--stream-mmap"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        # v4l2-ctl writes a character for each frame: with the first it streams.
        assert holder.stderr.read(1), "v4l2-ctl does not stream"
        return holder

    def show(self, pattern):
        """From the next frame on, the picture is all of this colour."""
        self.set(test_pattern=(PATTERNS | PICTURES)[pattern])

    @functools.cached_property
    def offered(self):
        """The pixel formats that it offers, without padding."""
        listed = subprocess.run(
            ["v4l2-ctl", "-d", self.node, "--list-formats"], capture_output=True, text=True, check=True, timeout=60
        ).stdout
        return [code.replace(" ", "") for code in re.findall(r"\]: '([^']*)'", listed)]

    def plain(self):
        self.set(**PLAIN)


def find():
    """Every capture device of vivid's on this kernel."""
    found = []
    for name in sorted(pathlib.Path("/sys/class/video4linux").glob("video*/name")):
        if "vivid" not in name.read_text() or "vid-cap" not in name.read_text():
            continue
        node = f"/dev/{name.parent.name}"
        about = subprocess.run(
            ["v4l2-ctl", "-d", node, "-D"], capture_output=True, text=True, check=True, timeout=60
        ).stdout
        found.append(Vivid(node, multiplanar="Video Capture Multiplanar" in about))
    return found
