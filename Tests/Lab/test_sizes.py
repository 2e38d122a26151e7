"""Sizes that are not multiples of the chroma subsampling, and padded rows, through vivid's own buffers."""

import os
import pathlib
import subprocess

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


@pytest.mark.parametrize("api", ["single-planar", "multi-planar"])
def test_rows_that_the_driver_pads_are_read_correctly(device_of, padding, tmp_path, api):
    device = device_of(api)
    tested = [fourcc for fourcc in (*FORMATS, "NM12", "YM12") if fourcc in device.offered]
    assert set(FORMATS) <= set(tested)
    for fourcc in tested:
        report = tmp_path / "report"
        env = {**os.environ, "LD_PRELOAD": str(padding), "PADDING_REPORT": str(report)}
        assert_golden_means(device, fourcc, tmp_path, 320, 180, env)
        assert report.read_text() == "granted", "the driver took no padding: nothing was tested"
        report.unlink()


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


@pytest.mark.parametrize(("width", "height"), EVEN_SIZES)
def test_pictures_of_a_few_pixels_are_read_correctly(hdmi, tmp_path, width, height):
    for fourcc in FORMATS:
        resize(hdmi, fourcc, width, height)
        assert_golden_means(hdmi, fourcc, tmp_path, width, height)


# Rows of 1, 2, 3 or 4 bytes a pixel. In other formats, v4l2-ctl writes no frame of such a size.
@pytest.mark.parametrize("fourcc", ["YUYV", "VYUY", "RGB3", "XR24", "GREY", "NV16", "YUV4"])
@pytest.mark.parametrize(("width", "height"), ODD_SIZES)
def test_sizes_that_chroma_does_not_divide_are_read_correctly(hdmi, tmp_path, fourcc, width, height):
    """vivid leaves the last column of most formats black, so the bytes give the expected mean, not the pattern."""
    resize(hdmi, fourcc, width, height)
    expected = {}
    for pattern in ("red", "blue"):
        hdmi.show(pattern)
        expected[pattern] = mean_of(frame(hdmi, tmp_path), fourcc, width, height)
    assert_means(hdmi, fourcc, tmp_path, width, height, expected, 0.05)


def frame(device, directory):
    """The bytes of one frame, by v4l2-ctl."""
    path = directory / "frame"
    stream = ["--stream-mmap=2", "--stream-count=1", f"--stream-to={path}"]
    subprocess.run(
        ["v4l2-ctl", "-d", device.node, *stream], check=True, capture_output=True, timeout=program.patience()
    )
    return path.read_bytes()


def mean_of(data, fourcc, width, height):
    """The mean by its definition: each pixel decoded (BT.601, limited), clamped to 0...255, then averaged."""
    sums = [0.0, 0.0, 0.0]
    for y in range(height):
        for x in range(width):
            for channel, value in enumerate(pixel(data, fourcc, width, height, x, y)):
                sums[channel] += min(max(value, 0.0), 255.0)
    return [total / (width * height) for total in sums]


def pixel(data, fourcc, width, height, x, y):
    pair, area = x // 2, width * height
    if fourcc in ("RGB3", "XR24"):
        size, order = (3, (0, 1, 2)) if fourcc == "RGB3" else (4, (2, 1, 0))
        return [data[(y * width + x) * size + offset] for offset in order]
    if fourcc == "GREY":
        return [data[y * width + x]] * 3
    if fourcc == "YUV4":
        return decoded(*data[(y * width + x) * 4 + 1 : (y * width + x) * 4 + 4])
    if fourcc in ("YUYV", "VYUY"):
        row = data[y * width * 2 : (y + 1) * width * 2]
        luma, cb, cr = (0, 1, 3) if fourcc == "YUYV" else (1, 2, 0)
        return decoded(row[2 * x + luma], of_pair(row, pair, 4, cb), of_pair(row, pair, 4, cr))
    luma = data[y * width + x]
    row = data[area + y * width : area + (y + 1) * width]
    return decoded(luma, of_pair(row, pair, 2, 0), of_pair(row, pair, 2, 1))


def of_pair(row, pair, step, offset):
    """A chroma sample of a pair of pixels. A row of odd width has no room for the very last: the one before is used."""
    index = pair * step + offset
    return row[index if index < len(row) else index - step]


def decoded(y, cb, cr):
    luma, blue, red = (y - 16) * 255 / 219, (cb - 128) * 255 / 224, (cr - 128) * 255 / 224
    r, b = luma + 1.402 * red, luma + 1.772 * blue
    return [r, (luma - 0.299 * r - 0.114 * b) / 0.587, b]
