"""Samples: taken while clients come and go, and kept however the program ends."""

import os
import signal
import socket
import statistics
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import in_parallel
from Harness import api
from Harness.waiting import wait_until

FAST = "[readings]\nrate = 20\n"


@pytest.fixture
def state(tmp_path):
    """The state folder of a test's servers."""
    folder = tmp_path / "state"
    folder.mkdir()
    return folder


@pytest.fixture
def start(start_server, state):
    """A function that starts a server, or starts it again, on the same state."""
    return lambda: start_server(config=FAST, env=os.environ | {"STATE_DIRECTORY": str(state)})


def take(server, status=201, **order) -> dict:
    answer = api.request(server.url + "api/samples", method="POST", body={"readings": 2} | order)
    assert answer.status == status, answer.text
    return answer.json


def samples(server) -> list[dict]:
    return api.get_json(server.url + "api/samples")["samples"]


def test_a_sample_is_the_mean_of_consecutive_readings(start):
    server = start()
    server.wait_until_healthy()
    with ThreadPoolExecutor() as pool:
        watching = pool.submit(api.pushed_readings, server.url, 60)
        wait_until(
            lambda: 'swatchcam_clients{kind="websocket"} 1' in api.request(server.url + "metrics").text,
            "the readings are not received",
        )
        mean = take(server, readings=5)["mean"]
        readings = watching.result()
    # A reading that repeats a frame is not taken twice.
    frames = {reading["frame"]["sequence"]: reading["mean"] for reading in readings if reading["frame"]}
    runs = [list(frames.values())[start : start + 5] for start in range(len(frames) - 4)]
    means = [[statistics.mean(one[channel] for one in run) for channel in "rgb"] for run in runs]
    assert [mean[channel] for channel in "rgb"] in [pytest.approx(one, abs=1e-3) for one in means]


def send(server, readings: int) -> socket.socket:
    """Requests a sample, and does not wait for the answer."""
    order = b'{"readings": %d}' % readings
    client = socket.create_connection(("127.0.0.1", server.port))
    client.sendall(
        b"POST /api/samples HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (len(order), order)
    )
    return client


def killed_while_writing(server) -> int:
    """Kills the program once it lists a sample with an unread answer. Returns the number of samples before that one."""
    for _ in range(3):
        take(server, readings=1)
    known = len(samples(server))
    with send(server, readings=1):
        wait_until(lambda: len(samples(server)) > known, "no sample is taken")
        server.stop(signal.SIGKILL)
    return known


@pytest.mark.parametrize("rounds", [3, pytest.param(30, marks=pytest.mark.slow)])
def test_every_answered_sample_survives_a_kill_at_any_moment(start, state, rounds):
    known = 0
    for _ in range(rounds):
        server = start()
        assert len(samples(server)) >= known
        known = killed_while_writing(server)
    document = api.get_json(start().url + "api/samples")
    assert len(document["samples"]) >= known
    assert document["problem"] is None
    files = sorted(path for path in state.iterdir() if path.suffix == ".json")
    assert len(files) == len(document["samples"])
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


def test_samples_of_clients_that_are_gone_are_not_taken_and_make_room(start):
    server = start()
    clients = []

    def answer():
        return api.request(server.url + "api/samples", method="POST", body={"readings": 1})

    def is_full():
        # Some are refused, because the request below may take the last place.
        clients.append(send(server, readings=256))
        return answer().status == 503

    wait_until(is_full, "eight samples are never under way at the same time")
    assert answer().json["error"]["code"] == "too-many-samples"
    before = len(samples(server))
    for client in clients:
        client.close()
    wait_until(
        lambda: [answer.status for answer in in_parallel(8, answer)],
        "samples without clients stay under way",
        holds=lambda statuses: statuses == [201] * 8,
    )
    assert {sample["readings"] for sample in samples(server)[before:]} == {1}


def test_of_repeated_keys_in_a_request_for_a_sample_the_first_is_used(server):
    body = b'{"readings":1,"readings":2,"name":"a","name":"b"}'
    fields = {"Content-Type": "application/json"}
    answer = api.request(server.url + "api/samples", method="POST", body=body, fields=fields)
    assert (answer.status, answer.json["readings"], answer.json["name"]) == (201, 1, "a")
