"""The calibration of the camera in use: by the API, on the command line, and when it is in force."""

import csv
import io
import re
import subprocess

import pytest
from Harness import api, palettes, program
from Harness.cases import sampled
from Harness.waiting import stretched, wait_until

ZERO = {"r": 0, "g": 0, "b": 0}
# The chart of the test pattern, as docs/test-pattern.md has it: 6x4 patches.
CHART = [(column, row) for row in range(4) for column in range(6)]


def measured(red, green, blue, **others):
    """A measurement of light, 0...1."""
    linear = {"r": red, "g": green, "b": blue}
    return {"linear": linear, "clippedLow": ZERO, "clippedHigh": ZERO, "uneven": False, "readings": 16} | others


CARD = {"card": {"luminance": 0.18, "measured": measured(0.4, 0.3, 0.2)}}


def calibrate(server, measurements, token=None):
    body = {"measurements": measurements}
    return api.request(f"{server.url}api/calibration", method="PUT", body=body, token=token)


def state(server):
    return api.get_json(f"{server.url}api/calibration")


def test_a_card_calibrates_the_readings_until_the_calibration_is_removed(start_server):
    server = start_server()
    before = state(server)
    assert (before["calibration"], before["inForce"], before["because"]) == (None, False, None)
    assert before["conditions"]["camera"] == before["camera"] == "test-pattern"
    made = calibrate(server, CARD)
    assert (made.status, made.json["inForce"], made.json["problem"]) == (200, True, None)
    reading = wait_until(lambda: (one := server.reading())["calibrated"] and one, "no reading is calibrated")
    assert reading["calibration"] == {"inForce": True, "because": None}
    gains = {"r": 0.75 * 0.6, "g": 0.6, "b": 1.5 * 0.6}
    for channel, gain in gains.items():
        assert reading["calibrated"]["linear"][channel] == pytest.approx(gain * reading["linear"][channel], rel=1e-4)
    removed = api.request(f"{server.url}api/calibration", method="DELETE")
    assert (removed.status, removed.json["calibration"]) == (200, made.json["calibration"])
    wait_until(lambda: server.reading()["calibration"] is None, "the calibration stays")
    again = api.request(f"{server.url}api/calibration", method="DELETE")
    assert (again.status, again.json["error"]["code"]) == (404, "calibration-not-found")


def test_each_probe_has_its_calibrated_colour(start_server):
    server = start_server()
    assert api.request(f"{server.url}api/probes/A1", "PUT", {"region": [0.1, 0.1, 0.1, 0.1]}).status in (200, 201)
    assert calibrate(server, CARD).status == 200

    def probe():
        [found] = api.get_json(f"{server.url}api/reading?probes=all")["probes"]
        return found

    found = wait_until(lambda: (one := probe())["calibrated"] and one, "the probe is not calibrated")
    for channel, gain in {"r": 0.75 * 0.6, "g": 0.6, "b": 1.5 * 0.6}.items():
        assert found["calibrated"]["linear"][channel] == pytest.approx(gain * found["linear"][channel], rel=1e-4)


def test_samples_and_the_tables_of_the_history_and_of_a_recording_have_the_calibrated_colour(start_server):
    server = start_server(config="[readings]\nrate = 30\n")
    assert calibrate(server, CARD).status == 200
    wait_until(lambda: server.reading()["calibrated"], "no reading is calibrated")
    api.request(f"{server.url}api/recording", method="POST", body={})
    sample = api.request(f"{server.url}api/samples", method="POST", body={"name": "Leaf"}).json
    assert re.fullmatch("#[0-9A-F]{6}", sample["calibrated"]["hex"])
    assert sample["calibrated"]["linear"]["g"] == pytest.approx(0.6 * sample["linear"]["g"], rel=1e-4)
    for path in ("samples.csv", "history.csv?span=10m", "history.csv?recording=1"):
        row = list(csv.DictReader(io.StringIO(api.request(server.url + path).text)))[-1]
        assert float(row["calibrated_blue_linear"]) == pytest.approx(0.9 * float(row["blue_linear"]), rel=1e-3), path
        assert re.fullmatch("#[0-9A-F]{6}", row["calibrated_hex"])


def lattice(count):
    """Light of `count` colours, no two alike."""
    return [(0.02 + 0.9 * (n % 8) / 7, 0.02 + 0.9 * (n // 8 % 8) / 7, 0.02 + 0.9 * (n // 64) / 7) for n in range(count)]


def test_a_chart_of_500_patches_with_a_flat_is_taken(start_server):
    server = start_server()
    area = {"x": 0.3125, "y": 0.4375, "width": 0.0563, "height": 0.0563}
    patches = [
        {
            "name": f"{number}",
            "reference": {"l": 10 + 80 * green, "a": 60 * (red - green), "b": 60 * (green - blue)},
            "measured": measured(red, green, blue, area=area),
        }
        for number, (red, green, blue) in enumerate(lattice(500))
    ]
    flat = {"columns": 16, "cells": [measured(0.81234567, 0.71234567, 0.61234567)] * 192}
    made = calibrate(server, {"flat": flat, "chart": {"name": "Lattice", "patches": patches}})
    assert made.status == 200, made.text
    assert made.json["inForce"]
    assert len(made.json["calibration"]["chart"]["patches"]) == 500
    assert 65_536 < len(made.text) < 262_144, "the command could not read it"


def chart(references, light=lambda patch: patch):
    patches = [
        {"name": f"{number}", "reference": dict(zip("lab", lab, strict=True)), "measured": measured(*light(rgb))}
        for number, (lab, rgb) in enumerate(references)
    ]
    return {"chart": {"name": "Test", "patches": patches}}


def test_greys_do_not_replace_a_chart_unless_that_is_wanted(start_server):
    server = start_server()
    greys = [((lightness, 0, 0), (((lightness + 16) / 116) ** 3,) * 3) for lightness in range(20, 96, 6)]
    # Light of sRGB and its L*, a* and b*.
    colors = [
        ((54.29, 80.80, 69.89), (1, 0, 0)),
        ((87.82, -79.27, 80.99), (0, 1, 0)),
        ((29.57, 68.29, -112.03), (0, 0, 1)),
    ]
    scaled = chart(greys + colors, lambda rgb: [0.9 * value for value in rgb])
    assert calibrate(server, scaled).status == 200
    grey = chart(greys, lambda rgb: [0.9 * value for value in rgb])
    refused = calibrate(server, grey)
    assert (refused.status, refused.json["error"]["code"]) == (409, "calibration-worse")
    assert state(server)["calibration"]["chart"]["transform"]["model"] == "matrix"
    body = {"measurements": grey, "force": True}
    made = api.request(f"{server.url}api/calibration", method="PUT", body=body)
    assert (made.status, made.json["calibration"]["chart"]["transform"]["model"]) == (200, "gains")


def test_a_calibration_holds_after_a_restart_and_can_be_restored_from_its_document(start_server):
    server = start_server()
    made = calibrate(server, CARD).json["calibration"]
    server.stop()
    server.start()
    wait_until(lambda: server.reading()["calibrated"], "the calibration is forgotten")
    assert state(server)["calibration"] == made
    api.request(f"{server.url}api/calibration", method="DELETE")
    again = api.request(f"{server.url}api/calibration", method="PUT", body={"calibration": made})
    assert (again.status, again.json["calibration"]) == (200, made)


def test_under_other_conditions_it_is_not_in_force_and_of_another_camera_it_is_refused(start_server):
    server = start_server()
    document = calibrate(server, CARD).json["calibration"]
    conditions = document["conditions"]
    document["conditions"] = conditions | {"width": conditions["width"] + 2, "controls": {"gain": 64}}
    answer = api.request(f"{server.url}api/calibration", method="PUT", body={"calibration": document}).json
    size = f"{conditions['width'] + 2}x{conditions['height']} → {conditions['width']}x{conditions['height']}"
    assert (answer["inForce"], answer["because"]) == (False, [f"size {size}", "gain 64 → absent"])
    reading = wait_until(lambda: (one := server.reading())["calibration"] and one, "there is no calibration")
    assert reading["calibration"] == {"inForce": False, "because": f"size {size}, gain 64 → absent"}
    flag = next(flag for flag in reading["quality"]["flags"] if flag["code"] == "calibration")
    assert (flag["value"], reading["quality"]["grade"] != "good") == (2, True)
    document["conditions"]["camera"] = "usb-A"
    answer = api.request(f"{server.url}api/calibration", method="PUT", body={"calibration": document})
    assert (answer.status, answer.json["error"]["message"]) == (400, "This calibration is that of another camera.")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "Send a JSON object"),
        ({"measurements": {"dark": measured(0.1, 0, 0)}}, "The lens is not covered: a channel is at 10 %"),
        ({"measurements": {"dark": measured(2, 0, 0)}}, "A figure of the measurements is not in its range."),
    ],
)
def test_measurements_that_do_not_allow_a_calibration_are_refused_with_the_reason(server, body, message):
    answer = api.request(f"{server.url}api/calibration", method="PUT", body=body)
    assert (answer.status, answer.json["error"]["code"]) == (400, "bad-calibration")
    assert answer.json["error"]["message"].startswith(message)


def region_of(column, row):
    """The middle of a patch of the painted chart."""
    return [round(0.07 + 0.1 * column, 2), round(0.11 + 0.16 * row, 2), 0.06, 0.1]


def run(server, *arguments):
    port = server.url.rstrip("/").rpartition(":")[2]
    command = [*program.PROGRAM, "calibrate", "--port", port, "--config", "/dev/null", *arguments]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )


def answer(process, text):
    process.stdin.write(text + "\n")
    process.stdin.flush()


@pytest.mark.slow
def test_the_command_measures_patch_by_patch_and_calibrates_by_the_painted_chart(start_server):
    """The region moves from patch to patch, as a person would move the chart."""
    server = start_server(config="[readings]\nrate = 30\n")
    process = run(server)
    assert "ColorChecker Classic, 24 patches" in process.stdout.readline()
    skipped = []
    question = process.stdout.readline()
    for number, (column, row) in enumerate(CHART):
        region = region_of(column, row)
        api.request(f"{server.url}api/settings", method="PUT", body={"region": region})
        wait_until(lambda region=region: server.reading()["region"] == pytest.approx(region), "the region stays")
        assert f"({number + 1} of 24)" in question
        answer(process, "")
        assert process.stdout.readline().startswith("  #")
        question = process.stdout.readline()
        # When the lamp is dim, the darkest channel of cyan is black.
        if "at the bottom of" in question:
            process.stdout.readline()
            answer(process, "s")
            skipped.append(number)
            question = process.stdout.readline()
    output, errors = question + process.stdout.read(), process.stderr.read()
    assert (process.wait(), errors) == (0, "")
    lines = output.splitlines()
    _, before, after, left_out = next(line for line in lines if line.startswith("mean")).split()
    # The lamp changes from patch to patch, so that how good it gets is left to the tests of the arithmetic.
    assert float(after) < float(before) and float(after) < float(left_out)
    assert lines[-1].startswith("The camera is calibrated by ")
    stored = state(server)
    assert stored["inForce"] and len(stored["calibration"]["chart"]["patches"]) == 24 - len(skipped)


STILL = "width = 320\nheight = 240\n[camera.controls]\nlamp_drift = 0\n"
"""Small pictures, of which a busy machine measures all areas in time, and a lamp that does not change meanwhile."""


def test_the_command_measures_the_painted_chart_at_once_between_its_corners(start_server):
    server = start_server(config=STILL)
    before = server.reading()["region"]
    output, errors = run(server, "--corners", "0.05,0.08,0.65,0.08,0.65,0.72,0.05,0.72").communicate(
        "\n", timeout=stretched(60)
    )
    assert "of 24 patches can be used." in output, errors
    _, raw, after, left_out = next(line for line in output.splitlines() if line.startswith("mean")).split()
    assert float(after) < float(left_out) < float(raw)
    assert stored_patches(server)[0]["name"] == "dark skin"
    assert server.reading()["region"] == before


def stored_patches(server):
    return state(server)["calibration"]["chart"]["patches"]


def test_the_command_measures_a_white_sheet_on_its_grid(start_server):
    # In so small a picture, the blinking lamp of the test pattern is off.
    server = start_server(config=STILL.replace("320", "96").replace("240", "72"))
    _, errors = run(server, "--flat", "--corners", "0.05,0.08,0.65,0.08,0.65,0.72,0.05,0.72").communicate(
        "\n\n", timeout=stretched(60)
    )
    assert "The white sheet is clipped: " in errors


@pytest.mark.parametrize("corners", sampled(["0.1,0.1", "0,0,1,1,1,0,0,1", "0,0,1,0,1,1,0,x", "0,0,2,0,2,2,0,2"]))
def test_corners_that_are_not_those_of_a_chart_are_refused(corners):
    ended = program.run("calibrate", "--corners", corners)
    assert ended.returncode == 64
    assert "are not the corners of a chart" in ended.stderr


@pytest.mark.parametrize(("answers", "message"), [("q\n", "Nothing has changed"), ("", "the input ended")])
def test_the_command_can_be_ended_without_a_calibration(server, answers, message):
    _, errors = run(server).communicate(answers, timeout=stretched(60))
    assert message in errors
    assert state(server)["calibration"] is None


def test_skipped_patches_and_too_few_of_them(server):
    process = run(server)
    _, errors = process.communicate("s\ns\nb\n" + "s\n" * 23, timeout=stretched(60))
    assert process.returncode == 69
    assert "Nothing was measured" in errors


def test_the_command_never_sends_the_token(guarded, tmp_path):
    config = tmp_path / "config.toml"
    config.write_text('[web]\ntoken = "0123456789abcdef0123456789abcdef"\n')
    port = guarded.url.rstrip("/").rpartition(":")[2]
    ended = program.run("calibrate", "--port", port, "--config", config)
    assert ended.returncode == 77
    assert "web.token is never sent" in ended.stderr


def test_the_chart_without_a_file_is_a_colorchecker(server):
    chart = api.get_json(f"{server.url}api/chart")
    assert (chart["name"], len(chart["patches"])) == ("ColorChecker Classic", 24)
    white = chart["patches"][18]
    assert (white["name"], white["lab"]) == ("white 9.5", {"l": 95.19, "a": -1.03, "b": 2.93})


def test_a_chart_is_read_from_a_file(server):
    answer = api.request(f"{server.url}api/chart", method="POST", body=palettes.FILES["brand.gpl"])
    assert answer.status == 200
    assert [(patch["name"], patch["hex"]) for patch in answer.json["patches"]] == [("Brand blue", "#1F4E9B")]


def test_a_chart_whose_encoding_is_guessed_has_a_note_in_the_answer_from_check_and_from_calibrate(server, tmp_path):
    chart = "name,L,a,b\nGrün,43.5,-12.7,22.7\n".encode("latin-1")
    answer = api.request(f"{server.url}api/chart", method="POST", body=chart)
    assert answer.json["patches"][0]["name"] == "Grün"
    note = "Line 2 is not UTF-8, so the file is read as Windows-1252. If names look wrong, save it as UTF-8."
    assert answer.json["note"] == note
    (tmp_path / "chart.csv").write_bytes(chart)
    config = tmp_path / "config.toml"
    config.write_text(f'[readings]\npalette = "{tmp_path}/chart.csv"\n')
    checked = program.run("check", "--config", config)
    assert (checked.returncode, checked.stderr.splitlines()[0]) == (0, f"readings.palette: {note}")
    port = server.url.rstrip("/").rpartition(":")[2]
    calibrated = program.run("calibrate", "--port", port, "--chart", tmp_path / "chart.csv")
    assert f"--chart: {note}" in calibrated.stderr


def test_a_chart_of_more_than_500_patches_is_refused(server):
    answer = api.request(f"{server.url}api/chart", method="POST", body=b"A,50.5,0,0\n" * 501)
    assert (answer.status, answer.json["error"]["code"]) == (400, "bad-palette")
    assert answer.json["error"]["message"] == (
        "This file is not used as a chart: a chart has at most 500 patches, and this file has 501."
    )
