"""Plugging cameras in: uvc_camera.py behind the kernel's own uvcvideo driver."""

import contextlib
import io
import pathlib
import subprocess
import sys
import time

import program
from PIL import Image


def picture(path, color):
    """A file with a picture of one colour, as such a camera sends it."""
    data = io.BytesIO()
    Image.new("RGB", (640, 480), color).save(data, "JPEG", quality=90, subsampling="4:2:2")
    path.write_bytes(data.getvalue())
    return path


@contextlib.contextmanager
def plugged_in(picture, *, serial="0001", port=0):
    """The camera and its node, from the moment that the node is there."""
    before = set(pathlib.Path("/dev").glob("video*"))
    script = pathlib.Path(__file__).with_name("uvc_camera.py")
    command = [sys.executable, script, picture, "--serial", serial, "--port", str(port)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as camera:
        node = None
        try:
            node = new_node(before)
            yield camera, str(node)
        finally:
            camera.kill()
            if node:
                program.wait_until(lambda: not node.exists(), f"{node} is still there")


def new_node(before):
    deadline = time.monotonic() + program.PATIENCE
    while time.monotonic() < deadline:
        for node in sorted(set(pathlib.Path("/dev").glob("video*")) - before):
            # Of a UVC camera's two nodes the second is for metadata.
            about = subprocess.run(
                ["v4l2-ctl", "-d", node, "--list-formats"], capture_output=True, text=True, check=False
            )
            if "MJPG" in about.stdout:
                return node
        time.sleep(0.1)
    raise AssertionError("uvcvideo made no node")
