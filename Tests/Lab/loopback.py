#!/usr/bin/env python3
"""v4l2loopback, a camera whose frames come from a program, and such a program: loopback.py NODE WIDTHxHEIGHT Y U V

The program writes ten frames of one colour a second, in YUYV, and prints a line when the first one is written.
"""

import contextlib
import fcntl
import os
import pathlib
import signal
import struct
import subprocess
import sys
import time

import program

MODULES = program.ROOT / ".build/lab/modules"
"""The modules that `kernel-modules` has built."""
NODE = pathlib.Path("/dev/video10")
# From linux/videodev2.h.
VIDIOC_S_FMT, BUF_TYPE_VIDEO_OUTPUT, FIELD_NONE, COLORSPACE_SRGB = 0xC0D05605, 2, 1, 8
YUYV = int.from_bytes(b"YUYV", "little")
REFUSED = 3
"""The feeder's exit status if the module does not take its format."""


@contextlib.contextmanager
def loaded(release, exclusive_caps=0):
    """The node of the module of this Debian release, which announces output and capture exclusively or not."""
    module = MODULES / f"{release}.ko"
    assert module.exists(), f"{module} was not built: Tests/Lab/kernel-modules"
    options = (f"video_nr={NODE.name.removeprefix('video')}", "card_label=Loopback", f"exclusive_caps={exclusive_caps}")
    subprocess.run(["insmod", module, *options], check=True)
    try:
        program.wait_until(NODE.exists, f"there is no {NODE}")
        yield str(NODE)
    finally:
        subprocess.run(["rmmod", "v4l2loopback"], check=True)


class Feeder:
    """A program that feeds the loopback, once it has written a frame."""

    def __init__(self, color, size=(320, 240)):
        self.process = start(color, size)
        assert self.process.stdout.readline(), f"the feeder ended with status {self.process.wait()}"

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


def start(color, size=(320, 240)):
    command = [sys.executable, __file__, NODE, "x".join(map(str, size)), *map(str, color)]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)


def feed(node, size, color):
    width, height = map(int, size.split("x"))
    luma, blue, red = map(int, color)
    picture = bytes([luma, blue, luma, red]) * (width * height // 2)
    descriptor = os.open(node, os.O_RDWR)
    layout = (width, height, YUYV, FIELD_NONE, 2 * width, len(picture), COLORSPACE_SRGB)
    try:
        fcntl.ioctl(descriptor, VIDIOC_S_FMT, struct.pack("=I4x7I172x", BUF_TYPE_VIDEO_OUTPUT, *layout))
    except OSError as error:
        print(f"{node}: {error}", file=sys.stderr)
        sys.exit(REFUSED)
    began = time.monotonic()
    number = 0
    while True:
        os.write(descriptor, picture)
        if number == 0:
            print("fed", flush=True)
        number += 1
        time.sleep(max(0, began + number / 10 - time.monotonic()))


if __name__ == "__main__":
    feed(sys.argv[1], sys.argv[2], sys.argv[3:])
