"""What is answered with success is kept: the program is killed right after the answer, and started again."""

import signal

import pytest
from Harness import api
from Harness.waiting import wait_until

TARGET = {"color": "#112233"}
PROBE = {"region": [0.1, 0.1, 0.1, 0.1]}
GRID = {"rows": 8, "columns": 12, "region": [0.1, 0.1, 0.8, 0.8]}
PALETTE = b"red,#ff0000\nblue,#0000ff\n"
SAMPLE = {"name": "Leaf", "readings": 2}
READINGS = {"readings": 8}
BLANK = ("PUT", "absorbance/blank", READINGS)
STANDARD = ("PUT", "absorbance/standards/S", {"concentration": 0, "readings": 8})
COVERED = {"linear": {"r": 0.001, "g": 0.001, "b": 0.001}, "readings": 16, "uneven": False}
COVERED |= {"clippedLow": {"r": 0, "g": 0, "b": 0}, "clippedHigh": {"r": 0, "g": 0, "b": 0}}
CALIBRATION = ("PUT", "calibration", {"measurements": {"dark": COVERED}})


def marks(found: dict) -> list[str]:
    return [mark["text"] for mark in found["marks"] if mark["kind"] == "user"]


# A grey patch of the test pattern. Elsewhere, a glint passes that would be too bright for a blank.
CONFIG = "[readings]\nregion = [0.27, 0.59, 0.06, 0.1]\n"

# The requests before, the last of which is the one to be kept; then a document, and what it must have. `{id}` is the number
# that the first answer has.
WRITES = {
    "a target": (
        [("PUT", "targets/T", TARGET)],
        "targets",
        lambda found: [one["name"] for one in found["targets"]] == ["T"],
    ),
    "a deleted target": (
        [("PUT", "targets/T", TARGET), ("DELETE", "targets/T", None)],
        "targets",
        lambda found: found["targets"] == [],
    ),
    "a probe": ([("PUT", "probes/P", PROBE)], "probes", lambda found: len(found["probes"]) == 1),
    "a deleted probe": (
        [("PUT", "probes/P", PROBE), ("DELETE", "probes/P", None)],
        "probes",
        lambda found: found["probes"] == [],
    ),
    "a grid": ([("PUT", "probes", GRID)], "probes", lambda found: len(found["probes"]) == 96),
    "no probes": ([("PUT", "probes", GRID), ("DELETE", "probes", None)], "probes", lambda found: found["probes"] == []),
    "settings": (
        [("PUT", "settings", {"effect": "edges", "rate": 7})],
        "settings",
        lambda found: (found["effect"], found["rate"]) == ("edges", 7),
    ),
    "forgotten settings": (
        [("PUT", "settings", {"rate": 7}), ("DELETE", "settings", None)],
        "settings",
        lambda found: found["rate"] == 4,
    ),
    "a sample": ([("POST", "samples", SAMPLE)], "samples", lambda found: len(found["samples"]) == 1),
    "a renamed sample": (
        [("POST", "samples", SAMPLE), ("PATCH", "samples/1", {"name": "Oak"})],
        "samples",
        lambda found: found["samples"][0]["name"] == "Oak",
    ),
    "a sample whose new name looks like the old one": (
        [("POST", "samples", {"name": "Gr\u00fcn", "readings": 2}), ("PATCH", "samples/1", {"name": "Gru\u0308n"})],
        "samples",
        lambda found: found["samples"][0]["name"] == "Gru\u0308n",
    ),
    "a renamed target, which replaces another and stays in its place": (
        [
            *[("PUT", f"targets/{name}", TARGET) for name in ("T", "U", "V")],
            ("PATCH", "targets/T", {"name": "V"}),
        ],
        "targets",
        lambda found: [one["name"] for one in found["targets"]] == ["V", "U"],
    ),
    "a probe that is compared with a target that was renamed": (
        [
            *[("PUT", f"targets/{name}", TARGET) for name in ("T", "U", "V")],
            ("PUT", "probes/A", PROBE | {"targets": ["V", "U", "T"]}),
            ("PATCH", "targets/T", {"name": "V"}),
        ],
        "probes",
        lambda found: [one["targets"] for one in found["probes"]] == [["U", "V"]],
    ),
    "probes whose names look alike": (
        [("PUT", "probes/Gr%C3%BCn", PROBE), ("PUT", "probes/Gru%CC%88n", PROBE)],
        "probes",
        lambda found: len(found["probes"]) == 2,
    ),
    "a deleted sample": (
        [("POST", "samples", SAMPLE), ("DELETE", "samples/1", None)],
        "samples",
        lambda found: found["samples"] == [],
    ),
    "a palette": (
        [("PUT", "palette", PALETTE)],
        "reading",
        lambda found: found["color"]["palette"]["name"] in ("red", "blue"),
    ),
    "a long palette": (
        [("PUT", "palette", PALETTE * 10)],
        "reading",
        lambda found: found["color"]["palette"]["name"] in ("red", "blue"),
    ),
    "no palette": (
        [("PUT", "palette", PALETTE), ("DELETE", "palette", None)],
        "reading",
        lambda found: found["color"]["palette"] is None,
    ),
    "a unit": ([("PUT", "absorbance", {"unit": "mg/L"})], "absorbance", lambda found: found["unit"] == "mg/L"),
    "a blank": ([BLANK], "absorbance", lambda found: found["blank"] is not None),
    "no blank": ([BLANK, ("DELETE", "absorbance/blank", None)], "absorbance", lambda found: found["blank"] is None),
    "no absorbance": ([BLANK, ("DELETE", "absorbance", None)], "absorbance", lambda found: found["blank"] is None),
    "a dark": ([("PUT", "absorbance/dark", READINGS)], "absorbance", lambda found: found["dark"] is not None),
    "a standard": (
        [BLANK, STANDARD],
        "absorbance",
        lambda found: [one["name"] for one in found["standards"]] == ["S"],
    ),
    "a deleted standard": (
        [BLANK, STANDARD, ("DELETE", "absorbance/standards/S", None)],
        "absorbance",
        lambda found: found["standards"] == [],
    ),
    "a calibration": ([CALIBRATION], "calibration", lambda found: found["calibration"]["dark"]["r"] == 0.001),
    "no calibration": (
        [CALIBRATION, ("DELETE", "calibration", None)],
        "calibration",
        lambda found: found["calibration"] is None,
    ),
    "a mark": ([("POST", "marks", {"text": "Acid"})], "history", lambda found: marks(found) == ["Acid"]),
    "a deleted mark": (
        [("POST", "marks", {"text": "Acid"}), ("POST", "marks", {"text": "Base"}), ("DELETE", "marks/{id}", None)],
        "history",
        lambda found: marks(found) == ["Base"],
    ),
    "a recording": (
        [("POST", "recording", {"name": "Titration"})],
        "recording",
        lambda found: found["recording"]["name"] == "Titration" and found["recording"]["until"] is None,
    ),
    "an ended recording": (
        [("POST", "recording", {"name": "Titration"}), ("DELETE", "recording", None)],
        "recording",
        lambda found: found["recording"]["until"] is not None,
    ),
}


def send(server, method: str, path: str, body) -> dict:
    """The answer."""
    answer = api.request(f"{server.url}api/{path}", method, body)
    assert answer.status in (200, 201), answer.text
    assert not answer.json.get("problem"), answer.text
    return answer.json


@pytest.mark.parametrize("write", WRITES)
def test_what_is_answered_survives_a_kill_right_after_the_answer(start_server, tmp_path, write):
    requests, path, is_kept = WRITES[write]
    history = tmp_path / "history"
    history.mkdir()
    server = start_server(config=f'{CONFIG}[history]\nfolder = "{history}"\n')
    server.wait_until_healthy()
    first = send(server, *requests[0])
    for method, name, body in requests[1:]:
        send(server, method, name.format_map(first), body)
    server.stop(signal.SIGKILL)
    server.start()
    server.wait_until_healthy()
    # The history is read back while the program already answers.
    wait_until(lambda: api.get_json(f"{server.url}api/{path}"), "it is lost", holds=is_kept)


def test_a_write_as_soon_as_the_port_accepts_loses_nothing_of_the_last_run(start_server):
    server = start_server(config=CONFIG)
    server.wait_until_healthy()
    send(server, "PUT", "absorbance/blank", {"readings": 8})
    send(server, "PUT", "targets/T", TARGET)
    for _ in range(5):
        server.stop(signal.SIGKILL)
        server.start()
        send(server, "PUT", "absorbance", {"unit": "mg/L"})
        send(server, "PUT", "targets/U", TARGET)
    found = api.get_json(f"{server.url}api/absorbance")
    assert (found["unit"], found["blank"] is not None) == ("mg/L", True)
    assert [one["name"] for one in api.get_json(f"{server.url}api/targets")["targets"]] == ["T", "U"]


@pytest.mark.parametrize("write", [write for write in WRITES if "mark" not in write])
def test_a_change_that_cannot_be_written_is_answered_with_the_reason(start_server, tmp_path, write):
    *before, (method, path, body) = WRITES[write][0]
    history = tmp_path / "history"
    history.mkdir()
    server = start_server(config=f'{CONFIG}[history]\nfolder = "{history}"\n')
    server.wait_until_healthy()
    for request in before:
        send(server, *request)
    state = server.config.parent / "state/swatchcam"
    state.mkdir(parents=True, exist_ok=True)
    # Neither can a file be written under the name that it has at first, nor can a folder be deleted like a file: not
    # even by root.
    for name in ("settings", "sample-1", "palette", "absorbance", "calibration-test-pattern", "recording"):
        (state / f"{name}.json.new").mkdir()
        (state / f"{name}.json").unlink(missing_ok=True)
        (state / f"{name}.json").mkdir()
    answer = api.request(f"{server.url}api/{path}", method, body)
    assert answer.status in (200, 201) and answer.json["problem"], answer.text
