"""Strips beside their card under lamps from 2,700 to 7,500 K: the card in the same picture against one that was stored."""

import numpy as np
import pytest
from Harness import api
from Harness.waiting import wait_until
from pictures import jpeg

LAMPS = [2700, 3500, 5000, 6500, 7500]
VALUES = [6, 6.5, 7, 7.5, 8]
TRUTH = 6.8
"""The value of the strip."""

WAVELENGTHS = np.arange(400.0, 701, 10)


def bell(middle: float, width: float) -> np.ndarray:
    return np.exp(-(((WAVELENGTHS - middle) / width) ** 2) / 2)


# A camera whose filters overlap, more than any standard observer's.
FILTERS = np.stack([bell(600, 38) + 0.12 * bell(450, 30), bell(535, 42), bell(460, 28) + 0.1 * bell(540, 40)])


def lamp(kelvin: float) -> np.ndarray:
    """The light of a black body (Planck's law)."""
    meters = WAVELENGTHS * 1e-9
    return meters**-5 / (np.exp(1.4388e-2 / (meters * kelvin)) - 1)


def dye(value: float) -> np.ndarray:
    """The reflectance of an indicator: the share of its blue form rises from pH 6 to 8 (Henderson and Hasselbalch)."""
    blue = 1 / (1 + 10 ** (7 - value))
    return 0.9 * 10 ** -(1.1 * ((1 - blue) * bell(435, 38) + blue * (bell(615, 45) + 0.12 * bell(420, 30))))


def light(reflectance: np.ndarray, kelvin: float) -> np.ndarray:
    return FILTERS @ (reflectance * lamp(kelvin))


def print_of(value: float) -> np.ndarray:
    """The reflectance of a print, in three other inks, that the camera cannot tell from the dye at 5,000 K."""
    target = light(dye(value), 5000)
    inks = [bell(445, 32), bell(540, 30), bell(640, 40)]
    density = np.full(3, 0.3)
    for _ in range(60):
        found = light(0.9 * 10 ** -(density @ inks), 5000)
        density = (density + 0.5 * np.log10(found / target)[::-1]).clip(0, 3)
    return 0.9 * 10 ** -(density @ inks)


def picture(kelvin: float, card=dye, is_balanced: bool = False, seed: int = 0) -> bytes:
    """A row of the card's colours on white paper, and the strip below. The white balance is that of 5,000 K, or follows the
    paper; the exposure follows the paper."""
    white = light(np.full(WAVELENGTHS.size, 0.9), kelvin)
    gains = 0.72 / (white if is_balanced else light(np.full(WAVELENGTHS.size, 0.9), 5000))
    gains *= 0.72 / (gains * white).max()
    pixels = np.empty((480, 640, 3))
    pixels[:] = gains * white
    for index, value in enumerate(VALUES):
        pixels[80:180, 60 + 110 * index : 140 + 110 * index] = gains * light(card(value), kelvin)
    pixels[280:380, 280:360] = gains * light(dye(TRUTH), kelvin)
    code = np.where(pixels <= 0.0031308, 12.92 * pixels, 1.055 * pixels.clip(0) ** (1 / 2.4) - 0.055)
    noisy = 255 * code + np.random.default_rng(seed).normal(0, 2, code.shape)
    return jpeg(noisy.clip(0, 255).astype(np.uint8), quality=92, subsampling=0)


CONFIG = (
    "[readings]\nrate = 20\nregion = [0.45, 0.60, 0.1, 0.17]\n"
    + "".join(
        f'[[probes]]\nname = "card {value}"\nregion = [{(70 + 110 * index) / 640}, 0.19, 0.09, 0.16]\n'
        for index, value in enumerate(VALUES)
    )
    + '[[scales]]\nname = "card"\npoints = ['
    + ", ".join(f'{{ value = {value}, probe = "card {value}" }}' for value in VALUES)
    + "]\n"
)


def frames(kelvin: float, **how) -> list[bytes]:
    return [picture(kelvin, seed=seed, **how) for seed in range(8)]


def read(server, kelvin: float) -> dict[str, dict]:
    """What the scales say, once they are read from enough pictures."""
    api.pushed_readings(server.url, 40)
    reading = wait_until(
        lambda: api.get_json(f"{server.url}api/reading"),
        f"the scale is not read at {kelvin} K",
        holds=lambda reading: all(scale["range"] for scale in reading["scales"]),
    )
    return {scale["name"]: scale for scale in reading["scales"]}


def errors(camera, server, **how) -> dict[str, list[float | None]]:
    """The error of each scale under each lamp; None if it has no value."""
    api.request(f"{server.url}api/scales/stored", "DELETE")
    camera.play(frames(5000, **how))
    read(server, 5000)
    probes = api.get_json(f"{server.url}api/reading?probes=all")["probes"]
    points = [
        {"value": value, "color": "lab({l} {a} {b})".format(**probe["color"]["lab"])}
        for value, probe in zip(VALUES, probes, strict=True)
    ]
    assert api.request(f"{server.url}api/scales/stored", "PUT", {"points": points}).status == 201
    found = {"card": [], "stored": []}
    for kelvin in LAMPS:
        camera.play(frames(kelvin, **how))
        for name, scale in read(server, kelvin).items():
            found[name].append(None if scale["value"] is None else round(scale["value"] - TRUTH, 3))
    return found


@pytest.mark.parametrize(
    ("card", "is_balanced"),
    [
        pytest.param(dye, False, id="same inks, locked white balance"),
        pytest.param(dye, True, id="same inks, automatic white balance", marks=pytest.mark.slow),
        pytest.param(print_of, False, id="other inks, locked white balance", marks=pytest.mark.slow),
        pytest.param(print_of, True, id="other inks, automatic white balance", marks=pytest.mark.slow),
    ],
)
def test_a_card_in_the_picture_gives_the_value_under_every_lamp_and_a_stored_scale_does_not(
    play, serve, card, is_balanced
):
    camera = play(frames(5000))
    found = errors(camera, serve(camera, CONFIG), card=card, is_balanced=is_balanced)
    assert all(error is not None and abs(error) < 0.05 for error in found["card"])
    # Under its own lamp, the stored scale is as good.
    assert abs(found["stored"][LAMPS.index(5000)]) < 0.05
    if is_balanced:
        assert found["stored"][0] > 0.1
    else:
        assert found["stored"][0] is None and found["stored"][-1] > 0.2
