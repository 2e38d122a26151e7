"""The history: its points as JSON, its table as CSV, and its marks."""

import csv
import datetime
import gzip
import io
import urllib.parse

import pytest
from Harness import api
from Harness.server import running
from Harness.waiting import wait_until

FAST = "[readings]\nrate = 20\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with readings as fast as the test pattern."""
    with running(tmp_path_factory.mktemp("history"), config=FAST) as server:
        server.wait_until_healthy()
        yield server


@pytest.fixture
def frames(server) -> int:
    """The number of different frames in the readings just received. Some readings repeat a frame."""
    return len({reading["frame"]["sequence"] for reading in api.pushed_readings(server.url, 30)})


def history(server, **parameters) -> dict:
    return api.get_json(f"{server.url}api/history?{urllib.parse.urlencode(parameters)}")


def table(server, query: str = "span=1h") -> list[dict]:
    return list(csv.DictReader(io.StringIO(api.request(f"{server.url}history.csv?{query}").text)))


def mark(server, text: str, status: int = 201) -> dict:
    answer = api.request(server.url + "api/marks", method="POST", body={"text": text})
    assert answer.status == status, answer.text
    return answer.json


def moment(text: str) -> float:
    return datetime.datetime.fromisoformat(text).timestamp()


def test_each_point_sums_up_the_readings_of_one_interval(server, frames):
    document = history(server)
    assert document["step"] == 2
    start = moment(document["from"])
    assert start % document["step"] == 0
    times = [moment(point["time"]) for point in document["points"]]
    assert times == sorted(set(times))
    assert all((time - start) % document["step"] == 0 for time in times)
    assert sum(point["n"] for point in document["points"]) >= frames > 0
    for point in document["points"]:
        for channel in "rgb":
            assert point["min"][channel] <= point["mean"][channel] <= point["max"][channel]
        lightness = point["lightness"]
        assert lightness["min"] <= lightness["mean"] <= lightness["max"]
        assert point["quality"] in {"good", "fair", "poor"}


def test_the_history_is_compressed_for_clients_that_accept_it(server):
    answer = api.request(server.url + "api/history", fields={"Accept-Encoding": "gzip"})
    assert (answer.fields["Content-Encoding"], answer.fields["Vary"]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(answer.body).startswith(b"{")


@pytest.mark.parametrize("points", ["0", "2001", "1e3", "+3", "03", "", "99999999999999999999"])
def test_an_invalid_number_of_points_is_refused(server, points):
    answer = api.request(f"{server.url}api/history?points={points}")
    assert (answer.status, answer.json["error"]["code"]) == (400, "bad-history")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("api/history?span=9s", "bad-history"),
        ("history.csv?span=9s", "bad-history"),
        ("history.csv?comments=2", "bad-history"),
        ("history.csv?separator=.", "bad-table"),
    ],
)
def test_an_unknown_span_or_form_is_refused(server, path, code):
    answer = api.request(f"{server.url}{path}")
    assert (answer.status, answer.json["error"]["code"]) == (400, code)


def test_the_rows_of_the_table_cover_every_reading(server, frames):
    rows = table(server)
    assert sum(int(row["n"]) for row in rows) >= frames > 0
    assert all(None not in row and None not in row.values() for row in rows)
    seconds = [float(row["time_s"]) for row in rows]
    assert seconds[0] == 0
    assert seconds == sorted(seconds)
    for row in rows:
        assert row["hex"] == "#" + "".join(f"{round(float(row[channel]) + 1e-9):02X}" for channel in "rgb")
        assert row["state"] == "test-pattern"
        assert float(row["r_min"]) <= float(row["r"]) <= float(row["r_max"])


def test_comments_in_the_table_name_the_version_the_camera_and_the_region(server):
    answer = api.request(server.url + "history.csv?comments=1")
    assert answer.fields["Content-Disposition"] == 'attachment; filename="swatchcam-history.csv"'
    comments = [line for line in answer.text.split("\r\n") if line.startswith("# ")]
    assert comments[0].startswith("# Swatchcam ")
    assert comments[1].startswith("# camera: ")
    assert comments[1].endswith("(test-pattern)")
    assert "# region (x y width height): 0.000000 0.000000 1.000000 1.000000" in comments


def test_a_mark_is_in_the_history_and_its_revision_is_in_the_next_readings(server):
    before = server.reading()["revisions"]["history"]
    made = mark(server, " Reagent added ")
    assert (made["kind"], made["text"]) == ("user", "Reagent added")
    assert made in history(server)["marks"]
    wait_until(lambda: server.reading()["revisions"]["history"] > before, "the revision does not increase")
    assert any(
        line.endswith("user: Reagent added")
        for line in api.request(server.url + "history.csv?comments=1").text.split("\r\n")
    )


def test_a_changed_region_has_a_mark(server):
    def marks():
        return [one["text"] for one in history(server)["marks"] if one["kind"] == "region"]

    before = marks()
    answer = api.request(server.url + "api/settings", method="PUT", body={"region": [0.25, 0, 0.5, 1]})
    assert answer.status == 200
    after = wait_until(marks, "the region has no mark", holds=lambda after: len(after) > len(before))
    assert after == [*before, "Area: 320 × 480 px, 160 px from the left, 0 px from the top"]
    api.request(server.url + "api/settings", method="DELETE")


def test_an_edit_of_the_configuration_has_a_mark(start_server):
    server = start_server(config=FAST)
    server.config.write_text(server.config.read_text().replace("20", "10"))
    text = wait_until(
        lambda: [one["text"] for one in history(server)["marks"] if one["kind"] == "configuration"],
        "the edit has no mark",
    )
    assert text == ["Applied readings.rate."]
