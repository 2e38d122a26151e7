"""`swatchcam read` decodes by the colorimetry that the driver declares: its means are those of the driver's own bytes."""

import itertools

import decoding
import program
import pytest
import vivid

WIDTH, HEIGHT = 320, 180

# Values of vivid's controls, and Kr and Kb of the matrix that V4L2 gives the colour space by default.
COLORSPACES = {
    "smpte170m": (0, (0.299, 0.114)),
    "rec709": (1, (0.2126, 0.0722)),
    "srgb": (2, (0.299, 0.114)),
    "bt2020": (4, (0.2627, 0.0593)),
}
QUANTIZATIONS = {"full": 1, "limited": 2}
# All corners of the RGB cube, colours inside it, greys.
PATTERNS = {"bars": 1, "inside": 2, "ramp": 20}


@pytest.fixture
def declared(camera):
    """A function that makes the camera declare a colorimetry; afterwards it declares vivid's own again."""
    yield lambda **controls: camera.set(y_cbcr_encoding=0, transfer_function=0, **controls)
    camera.set(colorspace=2, quantization=0, y_cbcr_encoding=0, transfer_function=0)


@pytest.mark.parametrize(
    ("fourcc", "colorspace", "quantization"),
    program.sampled(
        list(itertools.product(("YUYV", "NV12", "RGB3"), COLORSPACES, QUANTIZATIONS)),
        {
            ("YUYV", "rec709", "limited"),
            ("YUYV", "smpte170m", "full"),
            ("NV12", "bt2020", "full"),
            ("RGB3", "srgb", "limited"),
        },
    ),
)
def test_the_means_are_decoded_with_the_declared_colorimetry(
    camera, declared, tmp_path, fourcc, colorspace, quantization
):
    """One run covers all patterns, so the picture changes while it is read."""
    number, weights = COLORSPACES[colorspace]
    declared(colorspace=number, quantization=QUANTIZATIONS[quantization])
    expected = {}
    for pattern in PATTERNS.values():
        camera.set(test_pattern=pattern)
        counts = decoding.pixels(decoding.frame(camera, tmp_path, fourcc=fourcc), fourcc, WIDTH, HEIGHT)
        expected[pattern] = decoding.mean(counts, fourcc, weights, quantization)
    path = program.config(tmp_path, camera.node, rate=60, format=fourcc, width=WIDTH, height=HEIGHT, fps=60)
    with program.reading_continuously(path) as readings:
        for pattern in PATTERNS.values():
            camera.set(test_pattern=pattern)
            vivid.await_mean(readings, fourcc, expected[pattern], 0.05)


@pytest.mark.parametrize(("fourcc", "filters"), [("RGGB", "RGGB"), ("BA81", "BGGR"), ("GREY", "YYYY")])
def test_samples_of_a_sensor_have_full_range_unless_the_driver_declares_one(
    camera, declared, tmp_path, fourcc, filters
):
    """Bars of 75 %: the ends of the range look alike in both ranges."""
    declared(colorspace=COLORSPACES["srgb"][0], quantization=0)
    camera.set(test_pattern=0)
    data = decoding.frame(camera, tmp_path, fourcc=fourcc)
    samples = {channel: [] for channel in filters}
    for row in range(HEIGHT):
        for column in range(2):
            line = data[row * WIDTH + column : (row + 1) * WIDTH : 2]
            samples[filters[row % 2 * 2 + column]] += line
    means = {channel: sum(values) / len(values) for channel, values in samples.items()}
    expected = [means.get(channel, means.get("Y")) for channel in "RGB"]
    assert all(60 < value < 190 for value in expected)
    path = program.config(tmp_path, camera.node, rate=60, format=fourcc, width=WIDTH, height=HEIGHT, fps=60)
    with program.reading_continuously(path) as readings:
        vivid.await_mean(readings, fourcc, expected, 0.05)
        assert next(readings)["frame"]["colorimetry"] == "full range"


def test_a_transfer_function_that_is_not_followed_is_named(camera, declared, tmp_path):
    declared(colorspace=COLORSPACES["bt2020"][0], quantization=0)
    camera.set(transfer_function=7)
    path = program.config(tmp_path, camera.node, rate=60, format="YUYV", width=WIDTH, height=HEIGHT, fps=60)
    with program.reading_continuously(path) as readings:
        reading = next(reading for reading in readings if reading["frame"] and reading["notices"])
    assert reading["frame"]["colorimetry"] == "BT.2020, limited range, SMPTE 2084 taken for sRGB"
    warning = next(notice["message"] for notice in reading["notices"] if notice["topic"] == "colorimetry")
    assert "SMPTE 2084 and the primaries of BT.2020" in warning
