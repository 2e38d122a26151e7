"""`swatchcam read` gives the colour of the driver's own bytes, in each pixel format, through both of V4L2's APIs."""

import json
import re

import program
import pytest
import vivid


def read(device, fourcc, directory, *arguments):
    path = program.config(directory, device.node, format=fourcc, width=320, height=180, fps=15)
    return program.run("read", "--config", path, *arguments)


@pytest.mark.parametrize("pattern", vivid.PATTERNS)
@pytest.mark.parametrize("fourcc", vivid.COMMON_FORMATS)
@pytest.mark.parametrize("api", ["single-planar", "multi-planar"])
def test_mean_is_that_of_the_bytes(device_of, tmp_path, api, fourcc, pattern):
    assert_mean(device_of(api), fourcc, pattern, tmp_path)


@pytest.mark.parametrize("fourcc", [fourcc for fourcc in vivid.GOLDEN if fourcc not in vivid.COMMON_FORMATS])
@pytest.mark.parametrize("api", ["single-planar", "multi-planar"])
def test_every_other_format_has_its_channels_in_order(device_of, tmp_path, api, fourcc):
    device = device_of(api)
    if fourcc not in device.offered:
        pytest.skip(f"vivid offers no {fourcc} through the {api} API")
    for pattern in ("red", "blue"):
        assert_mean(device, fourcc, pattern, tmp_path)


@pytest.mark.parametrize("api", ["single-planar", "multi-planar"])
def test_every_format_that_the_driver_offers_is_tested(device_of, api):
    assert set(device_of(api).offered) <= set(vivid.GOLDEN)


def assert_mean(device, fourcc, pattern, tmp_path):
    device.show(pattern)
    result = read(device, fourcc, tmp_path, "--json")
    assert result.returncode == 0, result.stderr
    reading = json.loads(result.stdout)
    assert (reading["state"], reading["frame"]["format"]) == ("live", fourcc)
    assert [reading["mean"][channel] for channel in "rgb"] == pytest.approx(vivid.GOLDEN[fourcc][pattern], abs=0.05)


def test_rgb_hex_and_brightness_are_those_of_the_mean(camera, tmp_path):
    camera.show("red")
    reading = json.loads(read(camera, "YUYV", tmp_path, "--json").stdout)
    mean = [reading["mean"][channel] for channel in "rgb"]
    rgb = [reading["rgb"][channel] for channel in "rgb"]
    assert rgb == [int(channel + 0.5) for channel in mean]
    assert reading["hex"] == "#{:02X}{:02X}{:02X}".format(*rgb) == vivid.golden_hex("YUYV", "red")
    assert reading["brightness"] == pytest.approx(sum(mean) / (3 * 255), abs=1e-3)


def test_a_line_for_people_says_the_same(camera, tmp_path):
    camera.show("green")
    result = read(camera, "RGB3", tmp_path)
    assert re.fullmatch(r"#00FF00 +R: *0 +G: *255 +B: *0 +brightness +0\.33\n", result.stdout), result.stdout


def test_count_is_the_number_of_lines(camera, tmp_path):
    camera.show("blue")
    lines = read(camera, "RGB3", tmp_path, "--json", "--count", "3").stdout.splitlines()
    assert [json.loads(line)["hex"] for line in lines] == ["#0000FF"] * 3
