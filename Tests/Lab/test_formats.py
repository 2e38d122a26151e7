"""`swatchcam read` gives the colour of the driver's own bytes, in each pixel format, through both of V4L2's APIs."""

import os
import re

import program
import pytest
import vivid


def read(device, fourcc, directory, *arguments):
    path = program.config(directory, device.node, format=fourcc, width=320, height=180, fps=15)
    return program.run("read", "--config", path, *arguments)


# A format of each way in which samples are packed, and of each order of planes.
COMMON = {
    *(("single-planar", code) for code in ("RGB3", "XR24", "RGBP", "AR15-BE", "GREY", "Y16", "HSV3", "BA81", "RG10")),
    *(("single-planar", code) for code in ("YUYV", "YUV4", "NV12", "NV24", "YU12", "422P")),
    *(("multi-planar", code) for code in ("YUYV", "NM12", "YM12")),
}


@pytest.mark.parametrize(
    ("api", "fourcc"),
    program.sampled([(api, code) for api in ("single-planar", "multi-planar") for code in vivid.GOLDEN], COMMON),
)
def test_the_mean_is_that_of_the_drivers_bytes(device_of, tmp_path, api, fourcc):
    """One run reads all patterns, so the picture changes in between."""
    device = device_of(api)
    if fourcc not in device.offered:
        pytest.skip(f"vivid offers no {fourcc} through the {api} API")
    path = program.config(tmp_path, device.node, rate=60, format=fourcc, width=320, height=180, fps=60)
    with program.reading_continuously(path) as readings:
        for pattern in vivid.PATTERNS:
            device.show(pattern)
            vivid.await_mean(readings, fourcc, vivid.GOLDEN[fourcc][pattern], 0.05)


@pytest.mark.parametrize("api", ["single-planar", "multi-planar"])
def test_every_format_that_the_driver_offers_is_tested(device_of, api):
    offered = set(device_of(api).offered)
    assert offered
    assert offered <= set(vivid.GOLDEN)


@pytest.mark.skipif("SWATCHCAM_LAB" not in os.environ, reason="the driver of another kernel may offer other formats")
def test_every_format_whose_mean_is_known_is_tested_through_one_api_at_least(device_of):
    offered = {fourcc for api in ("single-planar", "multi-planar") for fourcc in device_of(api).offered}
    assert set(vivid.GOLDEN) <= offered


def test_without_json_a_reading_is_a_line_with_colour_brightness_and_quality(camera, tmp_path):
    camera.show("green")
    result = read(camera, "RGB3", tmp_path)
    quality = r"quality poor: clipped-high, clipped-low"
    line = rf"#00FF00 +R: *0 +G: *255 +B: *0 +brightness +0\.33 +{quality}\n"
    assert re.fullmatch(line, result.stdout), result.stdout
