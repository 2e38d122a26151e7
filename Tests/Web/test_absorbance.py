"""Absorbance and concentration: by the API of the program, on the test pattern, whose lamp changes."""

import signal
import threading

import pytest
from Harness import api
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
