"""Absorbance and concentration: by the API of the program, on the test pattern, whose lamp changes."""

import csv
import io
import signal
import threading

import pytest
from Harness import api
from Harness.standards import add_curve, cuvette
from Harness.waiting import wait_until

CONFIG = "[readings]\nrate = 30\nregion = [0.71, 0.36, 0.012, 0.05]\n"


def put(server, path, body):
    return api.request(f"{server.url}api/absorbance{path}", method="PUT", body=body)


def state(server):
    return api.get_json(f"{server.url}api/absorbance")


def figures(value):
    return {"r": value, "g": value, "b": value, "standardError": {"r": 0.001, "g": 0.001, "b": 0.001}}


def add_standards(server):
    for level, value in enumerate([0.0004, 0.0996, 0.2003, 0.2997]):
        put(server, f"/standards/S{level}", {"concentration": level, "absorbance": figures(value)})


def test_a_blank_gives_every_reading_an_absorbance_until_it_is_removed(start_server):
    server = start_server(config=CONFIG)
    assert server.reading()["blank"] is None
    made = put(server, "/blank", {"readings": 8})
    assert (made.status, made.json["blank"]["readings"], made.json["inForce"]) == (200, 8, True)
    reading = wait_until(
        server.reading,
        "there is no absorbance",
        holds=lambda one: one["absorbance"] and one["absorbance"]["standardError"],
    )
    assert reading["blank"] == {"because": None, "inForce": True}
    # The lamp changes little in the time of some readings.
    assert reading["absorbance"]["g"] == pytest.approx(0, abs=0.05)
    removed = api.request(f"{server.url}api/absorbance/blank", method="DELETE")
    assert (removed.status, removed.json["blank"]) == (200, None)
    wait_until(lambda: server.reading()["blank"] is None, "the blank stays")


def test_the_light_of_a_probe_is_the_blank_of_every_area(start_server):
    wells = "".join(f'[[probes]]\nname = "A{number}"\nregion = {cuvette(number)}\n' for number in range(3))
    server = start_server(config=f"[readings]\nrate = 30\nregion = {cuvette(3)}\n{wells}")
    api.request(f"{server.url}api/controls/lamp_drift", method="PUT", body={"value": False})
    refused = put(server, "/blank", {"readings": 8, "probe": "B7"})
    assert (refused.status, refused.json["error"]["code"]) == (409, "absorbance-refused")
    made = put(server, "/blank", {"readings": 8, "probe": "A0"})
    assert (made.status, made.json["blank"]["everywhere"], made.json["blank"]["probes"]) == (200, True, 0)
    assert made.json["blank"]["region"] == pytest.approx(cuvette(0), abs=1e-6)
    # Each mg/L makes an absorbance of 0.12 in red (docs/test-pattern.md).
    reading = wait_until(
        lambda: api.get_json(f"{server.url}api/reading?probes=all"),
        "there is no absorbance",
        holds=lambda one: one["absorbance"],
    )
    found = [probe["absorbance"]["r"] for probe in reading["probes"]] + [reading["absorbance"]["r"]]
    assert found == pytest.approx([0, 0.12, 0.24, 0.36], abs=0.01)


def test_everything_that_was_answered_with_success_outlasts_a_power_cut_at_that_moment(start_server):
    server = start_server(config=CONFIG)
    put(server, "", {"unit": "mg/L", "channel": "red"})
    put(server, "/blank", {"readings": 8})
    put(server, "/dark", {"readings": 8, "everywhere": True})
    add_standards(server)
    before = state(server)
    server.stop(signal.SIGKILL)
    server.start()
    wait_until(lambda: state(server)["blank"], "the blank is forgotten")
    after = state(server)
    for key in ("blank", "dark", "unit", "channel", "standards", "curve"):
        assert after[key] == before[key]


def test_samples_and_tables_have_the_concentrations_of_region_and_probes(start_server):
    areas = f'[readings]\nrate = 30\nregion = {cuvette(1)}\n[[probes]]\nname = "A1"\nregion = {cuvette(2)}\n'
    server = start_server(config=areas)
    add_curve(server)
    answer = api.request(f"{server.url}api/samples", method="POST", body={"name": "Leaf"})
    assert answer.json["concentration"]["unit"] == answer.json["probes"][0]["concentration"]["unit"] == "mg/L"
    (sample,) = csv.DictReader(io.StringIO(api.request(f"{server.url}samples.csv").text))
    value = answer.json["concentration"]["value"]
    assert float(sample["concentration"]) == pytest.approx(value, rel=1e-5)
    assert float(sample["A1 concentration"]) == pytest.approx(
        answer.json["probes"][0]["concentration"]["value"], rel=1e-5
    )
    rows = list(csv.DictReader(io.StringIO(api.request(f"{server.url}history.csv?span=10m").text)))
    assert float(rows[-1]["concentration"]) == pytest.approx(value, abs=1)
    assert any(row["A1 concentration"] for row in rows)


def test_two_clients_at_once_add_their_standards_and_neither_loses_one(start_server):
    server = start_server(config=CONFIG)
    put(server, "/blank", {"readings": 8})

    def add(client):
        for number in range(40):
            put(server, f"/standards/{client}{number}", {"concentration": number, "absorbance": figures(0.01 * number)})

    threads = [threading.Thread(target=add, args=(client,)) for client in "AB"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(state(server)["standards"]) == 80
