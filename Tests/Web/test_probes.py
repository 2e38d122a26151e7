"""Probes: several parts of the picture, measured in the same frame, from config.toml or set by a client."""

import csv
import io
import json
import os

import pytest
import websockets.sync.client
from Harness import api
from Harness.server import running
from Harness.waiting import stretched, wait_until

# Patches of the test pattern, in white and in black.
WHITE = [0.08, 0.6, 0.06, 0.08]
BLACK = [0.57, 0.6, 0.04, 0.08]
CONFIG = f"""
[readings]
rate = 20

[[probes]]
name = "White"
region = {WHITE}
reference = true

[[probes]]
name = "Black"
region = {BLACK}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with both probes, shared by the tests that leave it as it was."""
    with running(tmp_path_factory.mktemp("probes"), config=CONFIG) as server:
        yield server


@pytest.fixture
def start(start_server, tmp_path):
    """A function that starts a server, or starts it again, with its state in the test's folder."""
    return lambda config="": start_server(config=config, env=os.environ | {"STATE_DIRECTORY": str(tmp_path)})


def probes(server, query="") -> list[dict]:
    return api.get_json(f"{server.url}api/reading{query}")["probes"]


def test_a_websocket_that_asks_for_it_gets_all_figures_and_another_does_not(server):
    address = f"ws://127.0.0.1:{server.port}/ws"
    with (
        websockets.sync.client.connect(f"{address}?probes=all") as whole,
        websockets.sync.client.connect(address) as short,
    ):
        wait_until(
            lambda: json.loads(whole.recv(timeout=stretched()))["probes"][0],
            "the probe has no noise",
            holds=lambda probe: probe["noise"] is not None,
        )
        probe = json.loads(whole.recv(timeout=stretched()))["probes"][0]
        assert (probe["region"], probe["reference"]) == (WHITE, True)
        assert probe["statistics"]["regionPixels"] > 100
        assert probe["color"]["lab"]["l"] > 70
        assert probe["quality"]["grade"] in ("good", "fair", "poor")
        assert set(json.loads(short.recv(timeout=stretched()))["probes"][0]) == {
            "hex",
            "lightHz",
            "lightState",
            "name",
            "state",
            "verdict",
        }


def test_the_middle_of_a_grid_over_a_patch_has_the_colour_of_the_patch(start):
    server = start("[readings]\nrate = 20\n")
    grid = {"rows": 1, "columns": 1, "region": WHITE, "share": 1}
    assert api.request(f"{server.url}api/probes", "PUT", grid).status == 200
    api.request(f"{server.url}api/settings", "PUT", {"region": WHITE})
    reading = api.get_json(f"{server.url}api/reading?probes=all")
    assert reading["probes"][0]["name"] == "A1"
    # The statistics are of fewer pixels, but the mean is of the same ones.
    assert reading["probes"][0]["mean"] == reading["mean"]


def test_readings_are_relative_to_the_reference_once_it_is_set_also_after_a_restart(start):
    server = start(CONFIG)

    def reading(server):
        return api.get_json(f"{server.url}api/reading")

    wait_until(lambda: reading(server)["relative"], "nothing is relative", holds=lambda relative: relative is not None)
    assert reading(server)["reference"]["name"] == "White"
    server.stop()
    server = start(CONFIG)
    wait_until(lambda: reading(server)["reference"]["correction"], "the correction does not come back")
    assert api.request(f"{server.url}api/reference", "POST").status == 200
    wait_until(
        lambda: reading(server)["reference"],
        "the reference is not set again",
        holds=lambda reference: reference["correction"] is not None,
    )


def test_probes_survive_a_restart_until_they_are_deleted(start):
    server = start()
    for number in range(96):
        name = f"{number:02} {'x' * 57}"
        assert api.request(f"{server.url}api/probes/{name.replace(' ', '%20')}", "PUT", {"region": WHITE}).status == 201
    assert api.request(f"{server.url}api/probes/More", "PUT", {"region": WHITE}).status == 409
    assert api.get_json(f"{server.url}api/settings")["problem"] is None
    server.stop()
    server = start()
    assert [probe["name"][:2] for probe in probes(server)] == [f"{number:02}" for number in range(96)]
    assert api.request(f"{server.url}api/probes", "DELETE").status == 200
    server.stop()
    assert probes(start()) == []


def test_a_nudge_is_flagged_until_the_picture_is_back(server):
    def flags() -> list[dict]:
        quality = api.get_json(f"{server.url}api/reading")["quality"]
        return [flag for flag in quality["flags"] if flag["code"] == "moved"]

    def nudge(pixels: int) -> None:
        assert api.request(f"{server.url}api/controls/nudge", "PUT", {"value": pixels}).status == 200

    api.pushed_readings(server.url, 5)
    assert flags() == []
    nudge(3)
    wait_until(flags, "the nudge is not flagged", holds=bool)
    assert flags()[0]["value"] == pytest.approx(3, abs=0.3)
    nudge(0)
    wait_until(flags, "the flag does not end", holds=lambda found: found == [])


def test_the_history_and_samples_have_the_colours_of_probes(server):
    api.pushed_readings(server.url, 3)
    rows = list(csv.DictReader(io.StringIO(api.request(f"{server.url}history.csv?span=10m").text)))
    assert rows[0]["White hex"].startswith("#") and 0 < float(rows[0]["Black red_linear"]) < 0.1
    document = api.get_json(f"{server.url}api/history?span=10m&probes=all")
    assert {probe["name"] for probe in document["probes"]} == {"White", "Black"}
    assert all(any(probe["hex"]) for probe in document["probes"])
    assert "probes" not in api.get_json(f"{server.url}api/history?span=10m")
    rows = list(csv.DictReader(io.StringIO(api.request(f"{server.url}probes.csv?span=10m").text)))
    assert {row["probe"] for row in rows} == {"White", "Black"}
    sample = api.request(f"{server.url}api/samples", "POST", {"readings": 2}).json
    assert [probe["name"] for probe in sample["probes"]] == ["White", "Black"]
    assert "Black blue_linear" in api.request(f"{server.url}samples.csv").text
