"""Absorbance and concentration: by the API of the program, on the test pattern, whose lamp changes."""

import signal
import threading
import urllib.parse

import pytest
from Harness import api
from Harness.waiting import wait_until

CONFIG = "[readings]\nrate = 30\nregion = [0.71, 0.36, 0.012, 0.05]\n"
# The blank and the strongest of the cuvettes (docs/test-pattern.md).
BLANK, STRONGEST = ([0.708 + 0.038 * number, 0.36, 0.016, 0.05] for number in (0, 5))


WHITE, BLACK = [0.07, 0.59, 0.06, 0.1], [0.57, 0.59, 0.06, 0.1]


def put(server, path, body):
    return api.request(f"{server.url}api/absorbance{path}", method="PUT", body=body)


def state(server):
    return api.get_json(f"{server.url}api/absorbance")


def move(server, region):
    api.request(f"{server.url}api/settings", "PUT", {"region": region})
    wait_until(server.reading, "the region is not read", holds=lambda reading: reading["region"] == region)


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


def test_a_blank_that_was_answered_with_success_survives_a_power_cut_at_that_moment(start_server):
    server = start_server(config=CONFIG)
    made = put(server, "/blank", {"readings": 8})
    assert made.status == 200
    server.stop(signal.SIGKILL)
    server.start()
    wait_until(lambda: state(server)["blank"], "the blank is lost", holds=lambda blank: blank == made.json["blank"])


def test_in_another_area_there_is_no_absorbance_unless_the_blank_counts_everywhere(start_server):
    server = start_server(config=CONFIG)
    move(server, BLANK)
    put(server, "/blank", {"readings": 8})
    move(server, STRONGEST)
    reading = wait_until(
        server.reading, "the blank is in force", holds=lambda one: one["blank"] and not one["absorbance"]
    )
    assert reading["blank"]["because"].startswith("The blank was measured in another area")
    move(server, BLANK)
    wait_until(server.reading, "the blank is not in force", holds=lambda one: one["absorbance"])
    put(server, "/blank", {"readings": 8, "everywhere": True})
    move(server, STRONGEST)
    reading = wait_until(server.reading, "there is no absorbance", holds=lambda one: one["absorbance"])
    # 5 mg/L, of which each makes 0.12 in red; the lamp changes by a tenth at most.
    assert reading["absorbance"]["r"] == pytest.approx(0.6, abs=0.06)


def test_each_probe_has_its_own_blank_and_its_concentration(start_server):
    server = start_server(config=CONFIG)
    grid = {"rows": 1, "columns": 2, "region": [0.05, 0.07, 0.6, 0.6], "share": 0.1}
    api.request(f"{server.url}api/probes", method="PUT", body=grid)
    wait_until(server.reading, "there are no probes", holds=lambda one: len(one["probes"]) == 2)
    assert put(server, "/blank", {"readings": 8}).json["blank"]["probes"] == 2
    add_standards(server)

    def probes():
        return api.get_json(f"{server.url}api/reading?probes=all")["probes"]

    for probe in wait_until(
        probes, "there is no concentration", holds=lambda all_: all(one["concentration"] for one in all_)
    ):
        assert probe["absorbance"]["g"] == pytest.approx(0, abs=0.05)
        assert probe["concentration"]["low"] < probe["concentration"]["value"] < probe["concentration"]["high"]
    assert set(server.reading()["probes"][0]) == {"hex", "name", "verdict"}


def test_everything_outlasts_a_restart(start_server):
    server = start_server(config=CONFIG)
    put(server, "", {"unit": "mg/L", "channel": "red"})
    put(server, "/blank", {"readings": 8})
    put(server, "/dark", {"readings": 8, "everywhere": True})
    add_standards(server)
    before = state(server)
    server.stop()
    server.start()
    wait_until(lambda: state(server)["blank"], "the blank is forgotten")
    after = state(server)
    for key in ("blank", "dark", "unit", "channel", "standards", "curve"):
        assert after[key] == before[key]


def test_a_dark_that_is_brighter_than_the_blank_leaves_no_absorbance_and_says_so(start_server):
    server = start_server(config=CONFIG)
    move(server, WHITE)
    put(server, "/dark", {"readings": 8, "everywhere": True})
    move(server, BLACK)
    put(server, "/blank", {"readings": 8})
    reading = wait_until(server.reading, "there is no blank", holds=lambda one: one["blank"])
    assert reading["absorbance"] is None and not reading["blank"]["inForce"]
    assert reading["blank"]["because"].startswith("The blank is no brighter than the dark in red.")


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


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "../../etc/passwd", "𝔘𝔫𝔦 ☃", '"; DROP', "a/b?c#d"])
def test_any_printable_name_is_kept_as_it_is(start_server, name):
    server = start_server(config=CONFIG)
    assert put(server, "/blank", {"readings": 8}).status == 200
    path = f"/standards/{urllib.parse.quote(name, safe='')}"
    answer = put(server, path, {"concentration": 1, "absorbance": figures(0.1)})
    assert answer.status == 201, answer.body
    assert answer.json["standards"][-1]["name"] == name
    removed = api.request(f"{server.url}api/absorbance{path}", method="DELETE")
    assert (removed.status, removed.json["name"]) == (200, name)


def test_a_measurement_whose_client_leaves_or_whose_camera_changes_sets_nothing(start_server):
    server = start_server(config=CONFIG.replace("rate = 30", "rate = 4"))
    answers = []
    thread = threading.Thread(target=lambda: answers.append(put(server, "/blank", {"readings": 64})))
    thread.start()
    wait_until(lambda: server.reading()["sequence"] > 4, "there are no readings")
    api.request(f"{server.url}api/settings", "PUT", {"region": STRONGEST})
    thread.join()
    assert (answers[0].status, answers[0].json["error"]["code"]) == (409, "sample-interrupted")
    assert state(server)["blank"] is None


def test_a_read_only_token_sees_everything_and_changes_nothing(start_server):
    token, view = "a-token-of-more-than-forty-letters-0123456789", "another-token-of-more-than-forty-letters-012"
    server = start_server(config=f'[web]\ntoken = "{token}"\nview_token = "{view}"\n')
    assert api.request(f"{server.url}api/absorbance", token=view).status == 200
    for method, path in [("PUT", ""), ("DELETE", ""), ("PUT", "/blank"), ("DELETE", "/dark"), ("PUT", "/standards/A")]:
        answer = api.request(f"{server.url}api/absorbance{path}", method=method, body={}, token=view)
        assert (answer.status, answer.json["error"]["code"]) == (403, "read-only")
