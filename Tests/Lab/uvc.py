"""Plugging cameras in: uvc_camera.py behind the kernel's own uvcvideo driver."""

import contextlib
import io
import pathlib
import subprocess
import sys

import program
from PIL import Image


def picture(path, color):
    """A file with a picture of one colour, as a USB camera sends it."""
    path.write_bytes(jpeg(Image.new("RGB", (640, 480), color)))
    return path


def jpeg(image, **options):
    """`options` are Pillow's."""
    data = io.BytesIO()
    image.save(data, "JPEG", **({"quality": 90, "subsampling": "4:2:2"} | options))
    return data.getvalue()


@contextlib.contextmanager
def plugged_in(picture, *options, serial="0001", port=0):
    """The camera and its node, once the node exists. `options` are further ones of uvc_camera.py."""
    before = set(pathlib.Path("/dev").glob("video*"))
    script = pathlib.Path(__file__).with_name("uvc_camera.py")
    command = [sys.executable, script, picture, "--serial", serial, "--port", str(port), *options]
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
    return program.wait_until(
        lambda: next(filter(has_pictures, sorted(set(pathlib.Path("/dev").glob("video*")) - before)), None),
        "uvcvideo made no node",
    )


def has_pictures(node):
    """Whether this is the first of a UVC camera's two nodes: the second is for metadata."""
    about = subprocess.run(["v4l2-ctl", "-d", node, "--list-formats"], capture_output=True, text=True, check=False)
    return "MJPG" in about.stdout
