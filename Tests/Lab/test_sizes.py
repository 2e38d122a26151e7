"""Sizes that are not multiples of the chroma subsampling, and padded rows, through vivid's own buffers."""

import os
import pathlib
import subprocess

import decoding
import program
import pytest
import vivid

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


def in_sizes(sizes, fourccs, common):
    """The second size is common, in some formats."""
    cases = [(*size, fourcc) for size in sizes for fourcc in fourccs]
    return pytest.mark.parametrize(
        ("width", "height", "fourcc"), program.sampled(cases, {(*sizes[1], fourcc) for fourcc in common})
    )


@in_sizes(((66, 50), (18, 16)), FORMATS, ("YUYV", "NV12", "YU12"))
def test_pictures_of_a_few_pixels_are_read_correctly(hdmi, tmp_path, width, height, fourcc):
    """The buffers of some of these have no room for the last rows of chroma."""
    resize(hdmi, fourcc, width, height)
    assert_golden_means(hdmi, fourcc, tmp_path, width, height)


# Rows of 1, 2, 3 or 4 bytes a pixel. In other formats, v4l2-ctl writes no frame of such a size.
@in_sizes(((65, 49), (33, 17)), ("YUYV", "VYUY", "RGB3", "XR24", "GREY", "NV16", "YUV4"), ("YUYV", "NV16", "RGB3"))
def test_sizes_that_chroma_does_not_divide_are_read_correctly(hdmi, tmp_path, width, height, fourcc):
    """vivid leaves the last column of most formats black, so the bytes give the expected mean, not the pattern."""
    resize(hdmi, fourcc, width, height)
    expected = {}
    for pattern in ("red", "blue"):
        hdmi.show(pattern)
        counts = decoding.pixels(decoding.frame(hdmi, tmp_path), fourcc, width, height)
        expected[pattern] = decoding.mean(counts, fourcc)
    assert_means(hdmi, fourcc, tmp_path, width, height, expected, 0.05)
