"""The share of a picture that lies within a target, compared with that of every pixel, computed by NumPy."""

import io

import numpy as np
import pytest
from Harness import api
from Harness.waiting import wait_until
from pictures import jpeg
from PIL import Image

CONFIG = """
[[targets]]
name = "green"
color = ["rgb(70 120 50)", "rgb(95 150 70)"]
tolerance = 12

[[targets]]
name = "rust"
color = "rgb(150 90 40)"
tolerance = 10

[[probes]]
name = "middle"
region = [0.25, 0.25, 0.5, 0.5]
shape = "ellipse"
"""
TARGETS = {"green": ([(70, 120, 50), (95, 150, 70)], 12), "rust": ([(150, 90, 40)], 10)}


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIELAB with D50, from sRGB of 0 to 255 (CSS Color 4, Bradford's transform)."""
    code = np.asarray(rgb, float) / 255
    light = np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)
    to_d50 = np.array(
        [
            [0.43606574, 0.38515150, 0.14307841],
            [0.22249317, 0.71688701, 0.06061981],
            [0.01392392, 0.09708132, 0.71409936],
        ]
    )
    ratio = light @ to_d50.T / np.array([0.96429568, 1, 0.82510460])
    root = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    x, y, z = np.moveaxis(root, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


def ciede2000(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """The difference ΔE00 (Sharma, Wu and Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = np.moveaxis(one, -1, 0), np.moveaxis(two, -1, 0)
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    a1, a2 = ((1 + 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25.0**7)))) * a for a in (a1, a2))
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, a1)) % 360, np.degrees(np.arctan2(b2, a2)) % 360
    dh = (h2 - h1 + 180) % 360 - 180
    hue = np.where(abs(h1 - h2) > 180, (h1 + h2 + 360) / 2 % 360, (h1 + h2) / 2)
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    cosines = [(0, 1, 0), (-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63)]
    t = 1 + sum(weight * np.cos(np.radians(factor * hue + offset)) for weight, factor, offset in cosines[1:])
    s_l = 1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2)
    s_c, s_h = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    rotation = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    rotation *= np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    dl, dc = (l2 - l1) / s_l, (c2 - c1) / s_c
    dhue = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(dh / 2)) / s_h
    return np.sqrt(dl**2 + dc**2 + dhue**2 + rotation * dc * dhue)


def leaf(seed: int) -> bytes:
    """A leaf with veins, spots of rust, shade and noise, on soil."""
    random = np.random.default_rng(seed)
    y, x = np.mgrid[0:480, 0:640]
    picture = np.empty((480, 640, 3))
    picture[:] = (105, 85, 70)
    center, radii = random.uniform((250, 180), (390, 300)), random.uniform((120, 80), (280, 200))
    is_leaf = ((x - center[0]) / radii[0]) ** 2 + ((y - center[1]) / radii[1]) ** 2 < 1
    picture[is_leaf] = (80, 132, 58)
    picture[is_leaf & (abs(np.sin(x / 20 + y / 35)) < 0.1)] = (110, 160, 80)
    for _ in range(random.integers(0, 25)):
        spot = random.uniform((0, 0), (640, 480))
        picture[is_leaf & (np.hypot(x - spot[0], y - spot[1]) < random.uniform(4, 40))] = (150, 92, 44)
    shade = 1 + 0.25 * np.sin(x / 200 + random.uniform(0, 6)) * np.cos(y / 150 + random.uniform(0, 6))
    noisy = picture * shade[..., None] + random.normal(0, random.uniform(1, 6), picture.shape)
    return jpeg(noisy.clip(0, 255).astype(np.uint8), quality=92, subsampling=0)


def shares(pixels: np.ndarray) -> dict[str, float]:
    colors = lab(pixels)
    return {
        name: np.min([ciede2000(lab(np.array(color)) + 0 * colors, colors) for color in wanted], 0)
        .__le__(tolerance)
        .mean()
        for name, (wanted, tolerance) in TARGETS.items()
    }


def test_the_difference_by_numpy_is_that_of_the_program(play, serve):
    server = serve(play([leaf(0)]))
    for one, two in [((70, 120, 50), (95, 150, 70)), ((150, 90, 40), (20, 30, 200)), ((10, 10, 10), (250, 250, 240))]:
        query = "&".join(f"{key}=rgb({r}%20{g}%20{b})" for key, (r, g, b) in (("from", one), ("to", two)))
        found = api.get_json(f"{server.url}api/difference?{query}")["deltaE00"]
        assert found == pytest.approx(float(ciede2000(lab(np.array(one)), lab(np.array(two)))), abs=0.001)


def test_the_coverage_is_that_of_every_pixel_within_two_standard_errors_in_95_percent_of_scenes(play, serve):
    camera = play([leaf(0)])
    server = serve(camera, CONFIG)
    y, x = np.mgrid[0:480, 0:640]
    ellipse = ((x + 0.5 - 320) / 160) ** 2 + ((y + 0.5 - 240) / 120) ** 2 <= 1
    hits = []
    for seed in range(16):
        image = leaf(seed)
        pixels = np.asarray(Image.open(io.BytesIO(image)).convert("RGB"))
        camera.play([image])
        mean = pixels.reshape(-1, 3).mean(0)
        reading = wait_until(
            lambda: api.get_json(f"{server.url}api/reading?probes=all"),
            "the scene is never read",
            holds=lambda reading, mean=mean: (
                reading["mean"] and abs(np.array([reading["mean"][c] for c in "rgb"]) - mean).max() < 0.5
            ),
        )
        for targets, area in ((reading["targets"], pixels), (reading["probes"][0]["targets"], pixels[ellipse])):
            exact = shares(area.reshape(-1, 3))
            hits += [
                abs(target["coverage"] - exact[target["name"]]) <= max(2 * target["coverageError"], 0.0005)
                for target in targets
            ]
    assert np.mean(hits) >= 0.95
