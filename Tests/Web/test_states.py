"""States: what probes look like is taught, and recognised again."""

import os

import pytest
from Harness import api
from Harness.waiting import wait_until

# Patches of the test pattern, in white and in black.
WHITE = [0.08, 0.6, 0.06, 0.08]
BLACK = [0.57, 0.6, 0.04, 0.08]
CONFIG = f"""
controls.lamp_drift = false

[readings]
rate = 20
hold = 0.2

[[probes]]
name = "Left"
region = {WHITE}
"""


@pytest.fixture
def server(start_server, tmp_path):
    return start_server(config=CONFIG, env=os.environ | {"STATE_DIRECTORY": str(tmp_path)})


def teach(server, name: str) -> dict:
    answer = api.request(f"{server.url}api/states/{name}", "POST")
    assert answer.status == 200, answer.body
    return answer.json


def probe(server) -> dict:
    return api.get_json(f"{server.url}api/reading?probes=all")["probes"][0]


def test_a_taught_state_is_recognised_until_the_probe_looks_different(server):
    taught = teach(server, "ON")
    assert taught["canBeTold"]
    assert taught["tolerance"] == 10
    assert taught["nearest"] is None
    wait_until(lambda: probe(server)["state"], "the state is not recognised", holds=lambda state: state == "ON")
    assert probe(server)["entered"] == 1
    api.request(f"{server.url}api/probes/Left", "PUT", {"region": BLACK})
    taught = teach(server, "OFF")
    assert taught["nearest"]["name"] == "ON"
    assert "they can be told apart" in taught["description"]
    wait_until(lambda: probe(server)["state"], "the state is not recognised", holds=lambda state: state == "OFF")


def test_two_states_that_look_alike_cannot_be_told_apart(server):
    teach(server, "ON")
    taught = teach(server, "OFF")
    assert not taught["canBeTold"]
    assert "not enough to tell them apart" in taught["description"]


def test_a_state_without_a_probe_without_a_name_or_with_too_many_colours_is_refused(server):
    def code(name: str) -> str:
        answer = api.request(f"{server.url}api/states/{name}", "POST")
        return answer.json["error"]["code"]

    assert code("%20") == "bad-state"
    grid = {"rows": 2, "columns": 12, "region": [0.05, 0.09, 0.6, 0.66], "share": 0.2}
    assert api.request(f"{server.url}api/probes", "PUT", grid).status == 200
    assert code("ON") == "too-many-colors"
    assert api.request(f"{server.url}api/probes", "DELETE").status == 200
    assert code("ON") == "no-probes"
