"""Samples: taken while clients come and go, and kept however the program ends."""

import csv
import io
import json
import os
import signal
import socket
import statistics
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import in_parallel
from Harness import api, program
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


def test_a_sample_has_the_requested_name_and_number_of_readings_and_is_listed(start):
    server = start()
    sample = take(server, name="Chart", readings=5)
    assert (sample["name"], sample["readings"], sample["state"]) == ("Chart", 5, "test-pattern")
    assert sample["problem"] is None
    assert samples(server) == [{key: value for key, value in sample.items() if key != "problem"}]


def test_a_sample_is_the_mean_of_consecutive_readings(start):
    server = start()
    server.wait_until_healthy()
    with ThreadPoolExecutor() as pool:
        watching = pool.submit(api.pushed_readings, server.url, 120)
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


def test_exported_samples_are_valid_csv_gimp_palettes_and_json(start):
    server = start()
    names = ['=SUM(A1)\n"x"', "Grün, „blau“; 紅", "-5"]
    for name in names:
        take(server, name=name)
    rows = list(csv.DictReader(io.StringIO(api.request(server.url + "samples.csv").text)))
    assert [row["name"] for row in rows] == ['\'=SUM(A1)\ufffd"x"', names[1], "'-5"]
    assert all(None not in row and None not in row.values() for row in rows)
    assert [row["hex"] for row in rows] == [sample["hex"] for sample in samples(server)]
    lines = api.request(server.url + "samples.gpl").text.splitlines()
    assert lines[0] == "GIMP Palette"
    assert len(lines) == 4 + len(names)
    assert lines[-1].endswith("\t-5")
    assert [int(value) for value in lines[-1].split("\t")[0].split()] == [
        samples(server)[-1]["rgb"][channel] for channel in "rgb"
    ]
    assert api.get_json(server.url + "samples.json")["samples"] == samples(server)


@pytest.mark.parametrize("ending", ["gpl", "ase", "aco", "txt"])
def test_exported_samples_can_be_loaded_as_the_palette(start, ending):
    server = start()
    name = 'Grün, „blau“; "紅"'
    mean = take(server, name=name)["hex"]
    exported = api.request(f"{server.url}samples.{ending}")
    assert exported.fields["Content-Disposition"] == f'attachment; filename="swatchcam-samples.{ending}"'
    loaded = api.request(f"{server.url}api/palette", method="PUT", body=exported.body)
    assert loaded.json["count"] == 1
    palette = wait_until(lambda: server.reading()["color"]["palette"], "there is no palette")
    assert (palette["name"], palette["hex"]) == (name, mean)


def test_samples_and_their_names_survive_a_restart(start, state):
    server = start()
    for _ in range(3):
        take(server)
    api.request(server.url + "api/samples/1", method="DELETE")
    api.request(server.url + "api/samples/2", method="PATCH", body={"name": "Leaf"})
    before = samples(server)
    server.stop()
    assert (state / "samples.json").stat().st_mode & 0o777 == 0o600
    server = start()
    assert samples(server) == before
    assert [sample["name"] for sample in before] == ["Leaf", "Sample 3"]
    assert take(server)["id"] == 4


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
    assert set(os.listdir(state)) <= {"samples.json", "samples.json.new", "state.json"}


def test_a_damaged_file_is_set_aside_and_reported(start, state):
    (state / "samples.json").write_text('{"version":1,"next":2,"samples":[')
    server = start()
    document = api.get_json(server.url + "api/samples")
    assert document["samples"] == []
    assert str(state / "samples.damaged-1.json") in document["problem"]
    assert document["problem"] in server.logged()
    take(server)
    assert (state / "samples.damaged-1.json").read_text() == '{"version":1,"next":2,"samples":['
    assert len(json.loads((state / "samples.json").read_text())["samples"]) == 1


def test_a_second_instance_says_that_it_does_not_keep_samples(start):
    first, second = start(), start()
    take(first)
    sample = take(second)
    assert "in use by another Swatchcam" in sample["problem"]
    assert take(first)["problem"] is None
    assert len(samples(first)) == 2


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


def test_two_samples_at_once_are_both_taken(start):
    server = start()
    in_parallel(2, lambda: take(server, readings=5))
    assert [sample["readings"] for sample in samples(server)] == [5, 5]


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 60_000,
        b'{"readings":' + b"[" * 20_000,
        b'{"readings":' + b"9" * 60_000 + b"}",
        b'{"readings":1e999999999}',
        b'{"readings":-0.0}',
        b'{"readings":NaN}',
        b'{"name":"' + b"x" * 60_000 + b'"}',
        b'{"name":"\xff\xfe"}',
        b'{"name":"\\ud800"}',
        b'{"name":"' + b"e" + b"\xcc\x81" * 200 + b'"}',
        b"{" + b",".join(b'"k%d":1' % number for number in range(5_000)) + b"}",
        '{"readings":1}'.encode("utf-16"),
        b"null",
        b"16",
    ],
    ids=range(14),
)
def test_hostile_requests_for_a_sample_are_refused(server, body):
    fields = {"Content-Type": "application/json"}
    answer = api.request(server.url + "api/samples", method="POST", body=body, fields=fields)
    assert answer.status == 400
    assert answer.json["error"]["code"] in ("bad-json", "bad-sample")


def test_a_table_of_samples_for_excel_begins_with_a_byte_order_mark(server):
    api.request(server.url + "api/samples", method="POST", body={"readings": 1, "name": "Rouge carmin é"})
    for path in ["samples.csv", "history.csv"]:
        plain = api.request(f"{server.url}{path}?separator=;&decimal=,").body
        marked = api.request(f"{server.url}{path}?separator=;&decimal=,&bom=1").body
        assert plain[:3] != b"\xef\xbb\xbf"
        assert marked[:3] == b"\xef\xbb\xbf"
        assert marked[3:40] == plain[:37]
        refused = api.request(f"{server.url}{path}?bom=2")
        assert (refused.status, refused.json["error"]["code"]) == (400, "bad-table")


def test_of_repeated_keys_in_a_request_for_a_sample_the_first_is_used(server):
    body = b'{"readings":1,"readings":2,"name":"a","name":"b"}'
    fields = {"Content-Type": "application/json"}
    answer = api.request(server.url + "api/samples", method="POST", body=body, fields=fields)
    assert (answer.status, answer.json["readings"], answer.json["name"]) == (201, 1, "a")


def test_forms_of_other_sites_cannot_take_samples(server):
    for fields in (
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/json", "Origin": "http://evil.example"},
        {"Content-Type": "application/json", "Sec-Fetch-Site": "cross-site"},
    ):
        answer = api.request(server.url + "api/samples", method="POST", body=b'{"readings":1}', fields=fields)
        assert answer.status in (403, 415)


def test_the_sample_command_takes_a_sample_in_the_running_instance(start):
    server = start()
    command = ["sample", "--config", str(server.config), "--port", str(server.port), "--name", "Leaf", "--json"]
    run = program.run(*command, "--readings", "2")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["name"] == "Leaf"
    assert [sample["name"] for sample in samples(server)] == ["Leaf"]
