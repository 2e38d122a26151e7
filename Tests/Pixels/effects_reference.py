"""The result of each effect, computed by NumPy: effects_reference.py EFFECT WIDTH HEIGHT < in out > report

Standard input is a picture and the program's result, with R, G, B and a meaningless byte for each pixel. Prints the
greatest difference of any channel of any pixel.
"""

import sys

import numpy as np


def luma(picture):
    """BT.709, rounded."""
    return np.floor(picture @ np.array([0.2126, 0.7152, 0.0722]) + 0.5)


def grey(values):
    return np.repeat(values[:, :, None], 3, axis=2)


def red_to_blue(picture):
    rotated = picture[:, :, [2, 0, 1]]
    is_red = (picture[:, :, 0] > 128) & (picture[:, :, 1] < 128)
    return np.where(is_red[:, :, None], [0, 0, 255], rotated)


def edges(picture):
    padded = np.pad(luma(picture), 1, mode="edge")
    height, width = picture.shape[:2]

    def near(dy, dx):
        return padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]

    along_row = sum(weight * (near(dy, 1) - near(dy, -1)) for dy, weight in ((-1, 1), (0, 2), (1, 1)))
    along_column = sum(weight * (near(1, dx) - near(-1, dx)) for dx, weight in ((-1, 1), (0, 2), (1, 1)))
    return grey(np.minimum(np.abs(along_row) + np.abs(along_column), 255))


def false_color(picture):
    """CIELAB (D65): lightness from 10 to 90, chroma from 40 to 74, hue from 298 to 460 degrees, each in equal steps."""
    share = luma(picture) / 255
    lightness, chroma, hue = 10 + 80 * share, 40 + 34 * share, np.radians(298 + 162 * share)
    middle = (lightness + 16) / 116
    f = np.stack([middle + chroma * np.cos(hue) / 500, middle, middle - chroma * np.sin(hue) / 200], axis=2)
    xyz = np.where(f > 6 / 29, f**3, 3 * (6 / 29) ** 2 * (f - 4 / 29)) * [0.9505, 1, 1.089]
    matrix = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])
    light = np.clip(xyz @ matrix.T, 0, 1)
    return 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def zebra(picture):
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width]
    is_first = ((x + y) // 8 % 2 == 0)[:, :, None]
    clipped = (picture.max(axis=2) >= 250)[:, :, None]
    crushed = (picture.max(axis=2) <= 5)[:, :, None]
    result = np.where(crushed, np.where(is_first, [0, 0, 255], [0, 0, 0]), picture)
    return np.where(clipped, np.where(is_first, [255, 0, 0], [255, 255, 255]), result)


EFFECTS = {
    "none": lambda picture: picture,
    "red-to-blue": red_to_blue,
    "grayscale": lambda picture: grey(luma(picture)),
    "invert": lambda picture: 255 - picture,
    "posterize": lambda picture: np.floor(picture / 64) * 85,
    "threshold": lambda picture: grey(np.where(luma(picture) >= 128, 255, 0)),
    "edges": edges,
    "false-color": false_color,
    "zebra": zebra,
}


def main(effect, width, height):
    pictures = np.frombuffer(sys.stdin.buffer.read(), np.uint8).reshape(2, int(height), int(width), 4)
    before, after = pictures[:, :, :, :3].astype(float)
    print(np.abs(EFFECTS[effect](before) - after).max())


if __name__ == "__main__":
    main(*sys.argv[1:])
