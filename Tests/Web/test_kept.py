"""What is answered with success is kept: the program is killed right after the answer, and started again."""

import signal

import pytest
from Harness import api

TARGET = {"color": "#112233"}
PROBE = {"region": [0.1, 0.1, 0.1, 0.1]}
GRID = {"rows": 8, "columns": 12, "region": [0.1, 0.1, 0.8, 0.8]}
PALETTE = b"red,#ff0000\nblue,#0000ff\n"
SAMPLE = {"name": "Leaf", "readings": 2}

# The requests before, the last of which is the one to be kept; then a document, and what it must have.
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
    "no palette": (
        [("PUT", "palette", PALETTE), ("DELETE", "palette", None)],
        "reading",
        lambda found: found["color"]["palette"] is None,
    ),
    "a unit": ([("PUT", "absorbance", {"unit": "mg/L"})], "absorbance", lambda found: found["unit"] == "mg/L"),
    "a blank": (
        [("PUT", "absorbance/blank", {"readings": 8})],
        "absorbance",
        lambda found: found["blank"] is not None,
    ),
    "no blank": (
        [("PUT", "absorbance/blank", {"readings": 8}), ("DELETE", "absorbance", None)],
        "absorbance",
        lambda found: found["blank"] is None,
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


def send(server, method: str, path: str, body) -> None:
    answer = api.request(f"{server.url}api/{path}", method, body)
    assert answer.status in (200, 201), answer.text
    assert not answer.json.get("problem"), answer.text


@pytest.mark.parametrize("write", WRITES)
def test_what_is_answered_survives_a_kill_right_after_the_answer(start_server, tmp_path, write):
    requests, path, is_kept = WRITES[write]
    history = tmp_path / "history"
    history.mkdir()
    server = start_server(config=f'[history]\nfolder = "{history}"\n')
    server.wait_until_healthy()
    for request in requests:
        send(server, *request)
    server.stop(signal.SIGKILL)
    server.start()
    server.wait_until_healthy()
    assert is_kept(api.get_json(f"{server.url}api/{path}"))


def test_a_write_as_soon_as_the_port_accepts_loses_nothing_of_the_last_run(start_server):
    server = start_server()
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
