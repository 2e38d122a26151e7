#!/usr/bin/env python3
"""Draws what a camera with known faults sees: faulty_camera.py FOLDER

With and without dark corners, the folder gets its scenes as motion JPEG: the covered lens, a white sheet, a colour chart,
and 20 colours that are not on the chart. uvc_camera.py plays them. Needs NumPy, which the lab's guest lacks.
SimulatedCalibrationTests has cameras with other faults.
"""

import io
import pathlib
import sys

WIDTH, HEIGHT = 640, 480
COLUMNS, ROWS = 6, 4
# The chart: x, y, width and height in fractions of the picture.
PLACE = (0.05, 0.1, 0.9, 0.8)
CORNERS = [(0.05, 0.1), (0.95, 0.1), (0.95, 0.9), (0.05, 0.9)]
FRAMES = 3
WHITE = 0.85

CHART = (
    *("#735244", "#C29682", "#627A9D", "#576C43", "#8580B1", "#67BDAA", "#D67E2C", "#505BA6", "#C15A63", "#5E3C6C"),
    *("#9DBC40", "#E0A32E", "#383D96", "#469449", "#AF363C", "#E7C71F", "#BB5695", "#3A88A5", "#EDEDED", "#C8C8C8"),
    *("#A0A0A0", "#797979", "#545454", "#343434"),
)
COLORS = (
    *("#9A3B4F", "#4F7A3B", "#3B5A8C", "#B8860B", "#7A4FA0", "#5FA08C", "#C96F4A", "#8C8C3A", "#6B4A2F", "#A8C6D9"),
    *("#D9A8B8", "#B5D9A0", "#606C7A", "#8A5A78", "#4A8A6A", "#D0B080", "#7090C0", "#A05030", "#90A070", "#C080A0"),
)
"""Colours that are not on the chart, and that every faulty camera can hold."""

# What each channel sees of red, green and blue, the factors of the channels, and the noise.
CROSSTALK = [[0.80, 0.15, 0.05], [0.12, 0.78, 0.10], [0.03, 0.20, 0.77]]
GAINS = (0.9, 0.75, 0.5)
NOISE = 0.003
VIGNETTING = 0.4
"""The share of the light that is lost in a corner."""
SCENES = ("dark", "white", "chart", "colors")


def area(number):
    """The middle half of a cell."""
    x, y, width, height = PLACE
    column, row = number % COLUMNS, number // COLUMNS
    return [
        round(x + width * (column + 0.25) / COLUMNS, 6),
        round(y + height * (row + 0.25) / ROWS, 6),
        round(width / COLUMNS / 2, 6),
        round(height / ROWS / 2, 6),
    ]


def name(has_dark_corners, scene):
    return f"{'corners' if has_dark_corners else 'even'}-{scene}.mjpg"


def draw(folder):
    import numpy as np
    from PIL import Image

    random = np.random.default_rng(1)

    def light(color):
        codes = np.array([int(color[place : place + 2], 16) for place in (1, 3, 5)]) / 255
        return np.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4)

    def scene_light(scene):
        picture = np.full((HEIGHT, WIDTH, 3), {"dark": 0.0, "white": WHITE}.get(scene, 0.2))
        for number, color in enumerate({"chart": CHART, "colors": COLORS}.get(scene, ())):
            x, y, width, height = area(number)
            # The whole cell.
            left, top = round((x - width / 2) * WIDTH), round((y - height / 2) * HEIGHT)
            picture[top : top + round(2 * height * HEIGHT), left : left + round(2 * width * WIDTH)] = light(color)
        return picture

    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    distance = ((2 * (columns + 0.5) / WIDTH - 1) ** 2 + (2 * (rows + 0.5) / HEIGHT - 1) ** 2) / 2
    lights = {scene: scene_light(scene) for scene in SCENES}
    for has_dark_corners in (False, True):
        shade = 1 - VIGNETTING * distance[:, :, None] * has_dark_corners
        for scene, light_of_scene in lights.items():
            seen = light_of_scene @ np.array(CROSSTALK).T * np.array(GAINS) * shade
            data = b""
            for _ in range(FRAMES):
                noisy = seen + NOISE * np.sqrt(np.clip(seen, 0, 1) + 0.05) * random.standard_normal(seen.shape)
                linear = np.clip(noisy, 0, 1)
                encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
                frame = io.BytesIO()
                image = Image.fromarray(np.round(255 * encoded).astype(np.uint8))
                image.save(frame, "JPEG", quality=95, subsampling="4:4:4")
                data += frame.getvalue()
            (folder / name(has_dark_corners, scene)).write_bytes(data)


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    draw(target)
