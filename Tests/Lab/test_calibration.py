"""The calibration of a USB camera with known faults, and when a calibration is in force. Only in the lab."""

import os
import shutil
import signal
import subprocess
import urllib.parse

import faulty_camera
import program
import pytest
import recorder
import uvc
from Harness import api

pytestmark = pytest.mark.skipif("SWATCHCAM_LAB" not in os.environ, reason="plugs a camera in: only in the lab")

SCENES = program.ROOT / ".build/lab/faulty"
FRAMES_UNDER_WAY = 6
"""More than the driver holds: frames that were sent before the scene changed."""
ZERO = {"r": 0, "g": 0, "b": 0}


class Bench:
    """The camera with faults, what stands in front of it, and the program that reads it."""

    def __init__(self, camera, picture, url):
        self.camera, self.picture, self.url = camera, picture, url
        # Dark corners make no difference to it.
        self.dark = None

    def request(self, method, path, body=None):
        return api.request(f"{self.url}{path}", method, body)

    def reading(self):
        return program.get(f"{self.url}/api/reading")

    def show(self, has_dark_corners, scene):
        new = self.picture.with_suffix(".new")
        shutil.copy(SCENES / faulty_camera.name(has_dark_corners, scene), new)
        new.replace(self.picture)
        self.camera.send_signal(signal.SIGHUP)
        first = self.reading()["frame"]["sequence"] + FRAMES_UNDER_WAY
        program.wait_until(lambda: self.reading()["frame"]["sequence"] >= first, "the scene does not change")

    def measure(self, areas, readings=16):
        answer = self.request("POST", "/api/patches", {"areas": areas, "readings": readings})
        assert answer.status == 200, answer.json
        return answer.json["patches"]

    def measurements(self, *, has_dark_corners):
        """Those of the covered lens and of the chart, at once, by its corners."""
        if not self.dark:
            self.show(has_dark_corners, "dark")
            [self.dark] = self.measure([[0.25, 0.25, 0.5, 0.5]])
        self.show(has_dark_corners, "chart")
        listed = "\n".join(f"Patch {index},{color}" for index, color in enumerate(faulty_camera.CHART, 1))
        chart = self.request("POST", "/api/chart", listed.encode()).json["patches"]
        measured = self.measure([faulty_camera.area(index) for index in range(len(chart))])
        patches = [
            {"name": patch["name"], "reference": patch["lab"], "measured": one}
            for patch, one in zip(chart, measured, strict=True)
        ]
        return {"dark": self.dark, "chart": {"name": "Lab chart", "patches": patches}}

    def calibrate(self, measurements):
        answer = self.request("PUT", "/api/calibration", {"measurements": measurements})
        assert (answer.status, answer.json.get("inForce")) == (200, True), answer.json
        return answer.json["calibration"]["chart"]

    def errors(self, *, has_dark_corners):
        """The mean ΔE00 of the colours that are not on the chart, as the camera delivers them and calibrated."""
        self.show(has_dark_corners, "colors")
        before, after = [], []
        for index, color in enumerate(faulty_camera.COLORS):
            region = faulty_camera.area(index)
            self.request("PUT", "/api/settings", {"region": region})
            reading = program.wait_until(
                self.reading, "the region is not read", holds=lambda one, region=region: one["region"] == region
            )
            raw, found = reading["mean"], reading["calibrated"]["lab"]
            before.append(self.difference(color, f"rgb({raw['r']} {raw['g']} {raw['b']})"))
            after.append(self.difference(color, f"lab({found['l']} {found['a']} {found['b']})"))
        return sum(before) / len(before), sum(after) / len(after)

    def difference(self, one, other):
        query = urllib.parse.urlencode({"from": one, "to": other})
        return program.get(f"{self.url}/api/difference?{query}")["deltaE00"]


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    picture = folder / "scene.mjpg"
    shutil.copy(SCENES / faulty_camera.name(False, "dark"), picture)
    port = program.free_port()
    with (
        uvc.plugged_in(picture) as (camera, node),
        program.serving(program.config(folder, node, rate=15, port=port, format="MJPG"), port),
    ):
        yield Bench(camera, picture, f"http://127.0.0.1:{port}")


def test_colours_that_are_not_on_the_chart_are_read_with_a_mean_difference_under_1(bench):
    chart = bench.calibrate(bench.measurements(has_dark_corners=False))
    before, after = bench.errors(has_dark_corners=False)
    print(f"ΔE00 {before:.2f} before, {after:.2f} after; left out {chart['leaveOneOut']['mean']:.2f}")
    assert before > 8 and after < 1
    assert "unevenLight" not in chart


@pytest.mark.release
def test_with_dark_corners_a_chart_at_once_needs_a_flat_and_says_so(bench):
    measurements = bench.measurements(has_dark_corners=True)
    without = bench.calibrate(measurements).get("unevenLight")
    bench.show(True, "white")
    columns, rows = 16, 12
    cells = bench.measure(
        [[column / columns, row / rows, 1 / columns, 1 / rows] for row in range(rows) for column in range(columns)],
        readings=4,
    )
    flat = {"columns": columns, "cells": [{**cell, "area": None} for cell in cells]}
    chart = bench.calibrate(measurements | {"flat": flat})
    before, after = bench.errors(has_dark_corners=True)
    print(f"dark corners: ΔE00 {before:.2f} before, {after:.2f} after; {without} without a flat")
    assert without is not None and without > 0.1
    assert "unevenLight" not in chart
    assert before > 8 and after < 1


@pytest.fixture(scope="class")
def calibrated(camera, tmp_path_factory):
    # An automatic gain changes by itself, which also ends a calibration.
    camera.set(gain_automatic=0)
    port = program.free_port()
    folder = tmp_path_factory.mktemp("force")
    path = program.config(folder, camera.node, port=port, width=640, height=360)
    with recorder.serving(path, port) as (_, record):
        record.wait(lambda reading: reading["revisions"]["controls"] > 0, what="list of controls")
        url = f"http://127.0.0.1:{port}/api/calibration"
        card = {"linear": {"r": 0.4, "g": 0.3, "b": 0.2}, "clippedLow": ZERO, "clippedHigh": ZERO}
        card |= {"uneven": False, "readings": 16}
        made = api.request(url, "PUT", {"measurements": {"card": {"luminance": 0.18, "measured": card}}})
        assert (made.status, made.json["inForce"]) == (200, True), made.json
        record.wait(lambda reading: reading["calibrated"], what="calibrated reading")
        yield record, path
    camera.set(gain_automatic=1)


class TestInForce:
    """These tests share one program, on vivid."""

    def test_a_control_that_another_program_sets_ends_it_within_one_reading_until_it_is_put_back(
        self, camera, calibrated
    ):
        record, _ = calibrated
        for value, state in [
            (99, {"inForce": False, "because": "contrast 128 → 99"}),
            (128, {"inForce": True, "because": None}),
        ]:
            subprocess.run(["v4l2-ctl", "-d", camera.node, "-c", f"contrast={value}"], check=True)
            mark = record.mark()
            record.wait(
                lambda reading, state=state: reading["calibration"] == state, mark, what=f"reading with {state}"
            )
            # One reading may be on its way while the control is set.
            first = next(n for n, one in enumerate(record.readings[mark:]) if one["calibration"] == state)
            assert first <= 1
            assert (record.readings[mark + first]["calibrated"] is not None) == state["inForce"]
