"""The quality that readings report, on pictures whose clipped shares, noise and drift are known."""

import json
import os
import urllib.parse

import program
import pytest
import recorder

WIDTH, HEIGHT = 320, 180

# vivid's colour bars: eight of equal width, in its patterns 0 (75 %) and 1 (100 %).
BARS = ("white", "yellow", "cyan", "green", "magenta", "red", "blue", "black")
PATTERN_75, PATTERN_100 = 0, 1
# The bars that have light in a channel: all of it, at 100 %. The other bars have none.
LIT = {
    "r": {"white", "yellow", "magenta", "red"},
    "g": {"white", "yellow", "cyan", "green"},
    "b": {"white", "cyan", "magenta", "blue"},
}
# Values of the control `horizontal_movement`.
LEFT_SLOWLY, STILL = 2, 3


@pytest.fixture(autouse=True, scope="module")
def defaults_afterwards(camera):
    yield
    camera.reset_picture()
    camera.set(gain_automatic=1, menu=3)


@pytest.fixture(autouse=True)
def plain(camera):
    """A still picture without automatic controls, whatever an earlier test has set."""
    set_plain(camera)


def set_plain(camera):
    camera.reset_picture()
    camera.set(gain_automatic=0)


def config(directory, camera, columns, *, width=WIDTH, height=HEIGHT, rate=4, port=8080, **settings):
    """A configuration whose region is these columns of the picture."""
    path = program.config(directory, camera.node, rate=rate, port=port, width=width, height=height, **settings)
    region = [columns.start / width, 0, len(columns) / width, 1]
    path.write_text(path.read_text().replace("[readings]\n", f"[readings]\nregion = {region}\n"))
    return path


def share(bars, columns):
    """The share of the columns that show one of these bars."""
    return sum(BARS[column * len(BARS) // WIDTH] in bars for column in columns) / len(columns)


def flags(reading):
    return {flag["code"]: flag["value"] for flag in reading["quality"]["flags"]}


def first_reading(path):
    result = program.run("read", "--json", "--config", path)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_the_clipped_share_of_each_channel_is_that_of_the_saturated_bars(camera, tmp_path):
    columns = range(160, 256)  # magenta, red, and two fifths of blue
    camera.set(test_pattern=PATTERN_100)
    reading = first_reading(config(tmp_path, camera, columns, format="RGB3"))
    statistics = reading["statistics"]
    assert statistics["pixels"] == statistics["regionPixels"] == len(columns) * HEIGHT
    lit = {channel: pytest.approx(share(bars, columns), abs=1e-6) for channel, bars in LIT.items()}
    dark = {channel: pytest.approx(1 - share(bars, columns), abs=1e-6) for channel, bars in LIT.items()}
    assert statistics["clipped"] == {"high": lit, "low": dark}
    # The worst channel counts: red at the top, and green at the bottom.
    assert flags(reading)["clipped-high"] == pytest.approx(80 / 96, abs=1e-4)
    assert flags(reading)["clipped-low"] == 1
    assert reading["quality"]["grade"] == "poor"


def test_the_share_out_of_gamut_is_that_of_the_bars_that_srgb_cannot_hold(camera, tmp_path):
    """YCbCr can be more saturated than sRGB: a bar of 75 % is, with one and a half times its saturation."""
    columns = range(256, 320)  # three fifths of blue, and black
    camera.set(test_pattern=PATTERN_75, saturation=192)
    reading = first_reading(config(tmp_path, camera, columns, format="YUYV"))
    assert share({"blue"}, columns) == 24 / 64
    assert reading["statistics"]["outOfGamut"] == 24 / 64
    assert flags(reading)["out-of-gamut"] == 24 / 64


def test_bars_that_srgb_holds_are_neither_clipped_nor_out_of_gamut(camera, tmp_path):
    """At low saturation, no bar is flagged."""
    columns = range(160, 256)
    camera.set(test_pattern=PATTERN_75, saturation=64)
    reading = first_reading(config(tmp_path, camera, columns, format="YUYV"))
    assert not {"clipped-high", "clipped-low", "out-of-gamut"} & set(flags(reading))


def test_a_still_pattern_has_no_noise_and_no_drift_and_has_settled(camera, tmp_path):
    camera.set(test_pattern=PATTERN_75)
    with program.reading_continuously(config(tmp_path, camera, range(160, 240), format="YUYV", fps=5)) as readings:
        reading = next(reading for reading in readings if reading["drift"] is not None)
    assert reading["noise"] == {"r": 0, "g": 0, "b": 0, "deltaE": 0}
    assert reading["drift"] == reading["totalDrift"] == {"deltaEPerMinute": 0, "standardError": 0}
    assert reading["settled"] is True


@pytest.fixture(scope="class")
def moving_hue(camera, tmp_path_factory):
    """The readings of all frames while a pale red bar takes the place of a pale magenta one, and the program's URL."""
    set_plain(camera)
    camera.set(test_pattern=PATTERN_75, saturation=32, horizontal_movement=LEFT_SLOWLY)
    port = program.free_port()
    directory = tmp_path_factory.mktemp("hue")
    # The region is the bar of magenta, 80 of 640 columns. Each frame moves them by two.
    path = config(directory, camera, range(320, 400), width=640, height=360, port=port, fps=2, format="YUYV")
    with recorder.serving(path, port) as (_, record):
        end = recorder.seconds(record.wait(lambda reading: True)["time"]) + 14
        last = record.wait(lambda reading: recorder.seconds(reading["time"]) > end, what="reading at the end")
        newest = {}
        for reading in record.readings[: record.readings.index(last) + 1]:
            newest.setdefault(reading["frame"]["sequence"], reading)
        yield list(newest.values()), f"http://127.0.0.1:{port}"


class TestAMovingHue:
    def test_the_drift_is_the_slope_of_the_line_through_the_colours(self, moving_hue):
        readings, url = moving_hue
        times = [recorder.seconds(reading["time"]) for reading in readings]
        lines = [line(times, values) for values in zip(*map(lab, readings), strict=True)]
        # Two colours of the line that are two seconds apart: so near each other, ΔE00 grows in proportion to time.
        ends = [f"lab({' '.join(f'{mean + slope * second:.6f}' for mean, slope in lines)})" for second in (-1, 1)]
        query = urllib.parse.urlencode({"from": ends[0], "to": ends[1]})
        expected = 30 * program.get(f"{url}/api/difference?{query}")["deltaE00"]
        drift = readings[-1]["drift"]
        print(f"\n  {drift}, expected {expected:.4f} from {len(readings)} frames", end="")
        assert drift["deltaEPerMinute"] == pytest.approx(expected, abs=3 * drift["standardError"])
        assert drift["standardError"] < expected / 20

    def test_a_colour_that_moves_has_not_settled(self, moving_hue):
        readings, _ = moving_hue
        assert readings[-1]["settled"] is False
        assert "unsettled" in flags(readings[-1])


def lab(reading):
    """CIELAB with D50 of a reading's mean (CSS Color 4, 9 and 10)."""
    encoded = [reading["mean"][channel] / 255 for channel in "rgb"]
    light = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in encoded]
    # From sRGB to XYZ with D50, by Bradford's transform, divided by white.
    rows = ((0.4360747, 0.3850649, 0.1430804), (0.2225045, 0.7168786, 0.0606169), (0.0139322, 0.0971045, 0.7141733))
    x, y, z = (sum(map(float.__mul__, row, light)) / sum(row) for row in rows)
    fx, fy, fz = (value ** (1 / 3) if value > (6 / 29) ** 3 else value * 841 / 108 + 4 / 29 for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def line(times, values):
    """The mean and the slope of the straight line, by least squares."""
    time, value = sum(times) / len(times), sum(values) / len(values)
    products = sum((t - time) * (v - value) for t, v in zip(times, values, strict=True))
    return value, products / sum((t - time) ** 2 for t in times)


@pytest.fixture(scope="class")
def still(camera, tmp_path_factory):
    """The recorder of a program on a still pattern: nothing but its controls disturbs it."""
    set_plain(camera)
    port = program.free_port()
    path = config(tmp_path_factory.mktemp("still"), camera, range(160, 200), port=port, format="YUYV", fps=5)
    with recorder.serving(path, port) as (_, record):
        yield record


@pytest.fixture
def settled(still):
    """This recorder, once the colour has settled and no automatic control is on."""
    still.wait(
        lambda reading: reading["settled"] and "automatic" not in flags(reading), still.mark(), what="settled reading"
    )
    return still


@pytest.mark.skipif("SWATCHCAM_LAB" not in os.environ, reason="switches automatic controls: only in the lab")
class TestASwitchedControl:
    """These tests share one program on a still pattern: nothing but the control disturbs it."""

    def test_switching_an_automatic_control_unsettles_the_colour_until_it_settles_again(self, camera, settled):
        mark = settled.mark()
        camera.set(gain_automatic=1)
        unsettled = settled.wait(lambda reading: reading["settled"] is None, mark, what="unsettled reading")
        settled.wait(
            lambda reading: reading["settled"] is True and reading["sequence"] > unsettled["sequence"],
            mark,
            what="settled reading",
        )

    def test_the_flag_of_an_automatic_control_ends_when_it_is_switched_off(self, camera, settled):
        mark = settled.mark()
        camera.set(gain_automatic=1)
        flagged = settled.wait(lambda reading: "automatic" in flags(reading), mark, what="flag")
        assert flags(flagged)["automatic"] == 1
        mark = settled.mark()
        camera.set(gain_automatic=0)
        settled.wait(lambda reading: "automatic" not in flags(reading), mark, what="reading without the flag")

    def test_a_changed_control_starts_the_measurement_of_noise_again(self, camera, settled):
        mark = settled.mark()
        camera.set(menu=1)
        first = settled.wait(lambda reading: reading["noise"] is None, mark, what="reading without noise")
        again = settled.wait(
            lambda reading: reading["noise"] is not None and reading["sequence"] > first["sequence"],
            mark,
            what="noise",
        )
        # Seven readings of new frames have none. A slow machine may repeat some, which adds to their number.
        assert again["sequence"] - first["sequence"] >= 7
        assert again["noise"] == {"r": 0, "g": 0, "b": 0, "deltaE": 0}
