"""Sizes that are not multiples of the chroma subsampling, and padded rows, through vivid's own buffers."""

import itertools
import os
import pathlib
import subprocess

import decoding
import program
import pytest
import vivid

# The buffers of some of these have no room for the last rows of chroma.
EVEN_SIZES = ((66, 50), (18, 16))
ODD_SIZES = ((65, 49), (33, 17))
FORMATS = ("YUYV", "VYUY", "RGB3", "XR24", "GREY", "NV12", "NV16", "NV24", "YU12", "YV12", "422P", "YUV4", "RGBP")


DRIVER = pathlib.Path("/sys/bus/platform/drivers/vivid")


def resize(device, fourcc, width, height):
    """Sets the format and the size, and the compose rectangle as well.

    That rectangle is the part of the frame that vivid draws. Once it has shrunk, it does not grow again by itself.
    """
    command = ["v4l2-ctl", "-d", device.node]
    size = f"--set-fmt-video=width={width},height={height},pixelformat={fourcc}"
    rectangle = f"--set-selection=target=compose,left=0,top=0,width={width},height={height}"
    subprocess.run([*command, size, rectangle], check=True, capture_output=True, timeout=program.patience())


def assert_means(device, fourcc, directory, width, height, means, tolerance, env=None):
    """Asserts the mean of each pattern, in one run, as soon as the pattern is in the picture."""
    path = program.config(directory, device.node, rate=60, format=fourcc, width=width, height=height, fps=60)
    with program.reading_continuously(path, env) as readings:
        for pattern, mean in means.items():
            device.show(pattern)
            reading = vivid.await_mean(readings, fourcc, mean, tolerance)
            assert (reading["frame"]["width"], reading["frame"]["height"]) == (width, height)


def assert_golden_means(device, fourcc, directory, width, height, env=None):
    means = {pattern: vivid.GOLDEN[fourcc][pattern] for pattern in ("red", "blue")}
    assert_means(device, fourcc, directory, width, height, means, 0.5, env)


@pytest.fixture(scope="module")
def padding():
    """A library that asks the driver for longer rows than the program does; many real drivers pad rows anyway."""
    library = program.ROOT / ".build/lab/padding.so"
    assert library.exists(), "run.py compiles it from padding.c"
    return library


@pytest.mark.parametrize(
    ("api", "fourcc"),
    program.sampled(
        [
            *(("single-planar", fourcc) for fourcc in FORMATS),
            *(("multi-planar", fourcc) for fourcc in (*FORMATS, "NM12", "YM12")),
        ],
        {("single-planar", "RGB3"), ("single-planar", "YUYV"), ("single-planar", "NV12"), ("multi-planar", "YM12")},
    ),
)
def test_rows_that_the_driver_pads_are_read_correctly(device_of, padding, tmp_path, api, fourcc):
    report = tmp_path / "report"
    env = {**os.environ, "LD_PRELOAD": str(padding), "PADDING_REPORT": str(report)}
    assert_golden_means(device_of(api), fourcc, tmp_path, 320, 180, env)
    assert report.read_text() == "granted", "the driver took no padding: nothing was tested"


@pytest.fixture(scope="module")
def hdmi(devices, device_of):
    """vivid's input that takes any size. It leaves the other inputs' pictures smaller, so the driver is reloaded."""
    device = device_of("single-planar")
    device.use_input(3)
    device.reset_picture()
    # Each of vivid's inputs has a range of brightness of its own. The colorimetry becomes that of the webcam input.
    device.set(brightness=128 + 3 * 128, colorspace=2, y_cbcr_encoding=0, quantization=0, limited_rgb_range_16_235=0)
    yield device
    DRIVER.joinpath("unbind").write_text("vivid.0")
    DRIVER.joinpath("bind").write_text("vivid.0")
    for device in devices.values():
        device.reset_picture()


@pytest.mark.parametrize(
    ("size", "fourcc"),
    program.sampled(
        list(itertools.product(EVEN_SIZES, FORMATS)), set(itertools.product(EVEN_SIZES[1:], ("YUYV", "NV12", "YU12")))
    ),
)
def test_pictures_of_a_few_pixels_are_read_correctly(hdmi, tmp_path, size, fourcc):
    resize(hdmi, fourcc, *size)
    assert_golden_means(hdmi, fourcc, tmp_path, *size)


# Rows of 1, 2, 3 or 4 bytes a pixel. In other formats, v4l2-ctl writes no frame of such a size.
@pytest.mark.parametrize(
    ("size", "fourcc"),
    program.sampled(
        list(itertools.product(ODD_SIZES, ("YUYV", "VYUY", "RGB3", "XR24", "GREY", "NV16", "YUV4"))),
        set(itertools.product(ODD_SIZES[1:], ("YUYV", "NV16", "RGB3"))),
    ),
)
def test_sizes_that_chroma_does_not_divide_are_read_correctly(hdmi, tmp_path, size, fourcc):
    """vivid leaves the last column of most formats black, so the bytes give the expected mean, not the pattern."""
    resize(hdmi, fourcc, *size)
    expected = {}
    for pattern in ("red", "blue"):
        hdmi.show(pattern)
        expected[pattern] = decoding.mean(decoding.pixels(decoding.frame(hdmi, tmp_path), fourcc, *size), fourcc)
    assert_means(hdmi, fourcc, tmp_path, *size, expected, 0.05)
