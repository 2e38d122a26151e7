"""Makes the pictures of docs/effects.md with the program and a camera, in the lab: effect_pictures.py OUT

Tests/Lab/lab --modules 'vhci_hcd uvcvideo' --rw docs/effects -- .venv/bin/python Tests/Lab/effect_pictures.py docs/effects
"""

import io
import json
import pathlib
import sys
import tempfile
import urllib.request

import numpy as np
import program
from PIL import Image, ImageDraw
from uvc import plugged_in

SIZE = (640, 480)


def scene():
    """A scene with soft shading, hard edges, strong colours, blown-out light and deep shadow."""
    width, height = SIZE
    y, x = np.mgrid[:height, :width] / height
    sky = np.stack([90 + 120 * y, 130 + 80 * y, 200 + 30 * (1 - y)], axis=2)
    picture = Image.fromarray(np.clip(sky, 0, 255).astype(np.uint8))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 330, width, height), fill=(92, 84, 60))
    draw.rectangle((40, 200, 190, 420), fill=(20, 18, 24))
    draw.rectangle((60, 225, 110, 290), fill=(255, 252, 240))
    draw.polygon([(30, 200), (115, 120), (200, 200)], fill=(150, 60, 45))
    pixels = np.asarray(picture).astype(float)
    for cx, cy, radius, color in (
        (310, 350, 80, (200, 40, 40)),
        (450, 370, 62, (40, 150, 70)),
        (565, 350, 78, (60, 80, 200)),
    ):
        distance = np.hypot(x * height - cx, y * height - cy) / radius
        light = np.clip(
            1.25 - 1.1 * np.hypot(x * height - cx + radius / 3, y * height - cy + radius / 3) / radius, 0.12, 1.25
        )
        shaded = np.array(color) * light[:, :, None] + 255 * np.clip(light[:, :, None] - 1.05, 0, 1) * 4
        pixels = np.where((distance < 1)[:, :, None], shaded, pixels)
    sun = np.hypot(x * height - 520, y * height - 90)
    pixels += (230 * np.exp(-((sun / 70) ** 2)))[:, :, None]
    noise = np.random.default_rng(1).normal(0, 2, pixels.shape)
    return Image.fromarray(np.clip(pixels + noise, 0, 255).astype(np.uint8))


def main(out):
    out = pathlib.Path(out)
    port = program.free_port()
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as directory:
        picture = pathlib.Path(directory) / "scene.jpg"
        scene().save(picture, "JPEG", quality=92, subsampling="4:2:2")
        with plugged_in(picture) as (_, node):
            path = program.config(directory, node, port=port, format="MJPG")
            with program.serving(path, port):
                with urllib.request.urlopen(f"{url}/api/settings") as response:
                    effects = [effect["name"] for effect in json.load(response)["effects"]]
                for effect in effects:
                    save(url, effect, out / f"{effect}.jpg")


def save(url, effect, path):
    body = json.dumps({"effect": effect}).encode()
    request = urllib.request.Request(f"{url}/api/settings", body, {"Content-Type": "application/json"}, method="PUT")
    urllib.request.urlopen(request).close()
    with urllib.request.urlopen(f"{url}/snapshot.jpg?view=processed") as response:
        picture = Image.open(io.BytesIO(response.read()))
    picture.resize((320, 240), Image.Resampling.LANCZOS).save(path, quality=85)


if __name__ == "__main__":
    main(sys.argv[1])
