"""The history: its points as JSON, its table as CSV, and its marks."""

import csv
import datetime
import gzip
import io
import urllib.parse

import pytest
from conftest import TOKEN
from Harness import api
from Harness.server import running
from Harness.waiting import wait_until

VIEW_TOKEN = "view-token-of-forty-letters-and-a-few-more"
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


@pytest.mark.parametrize(
    ("parameters", "step"),
    [
        ({"span": "10s", "points": 2000}, 0.25),
        ({"span": "1h"}, 12),
        ({"span": "24h", "points": 1}, 86400),
        ({"span": "31d", "points": 2000}, 1500),
    ],
)
def test_a_span_has_at_most_the_requested_number_of_points(server, parameters, step):
    document = history(server, **parameters)
    assert document["step"] == step
    assert len(document["points"]) <= parameters.get("points", 300)


def test_the_history_is_compressed_for_clients_that_accept_it(server):
    answer = api.request(server.url + "api/history", fields={"Accept-Encoding": "gzip"})
    assert (answer.fields["Content-Encoding"], answer.fields["Vary"]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(answer.body).startswith(b"{")


@pytest.mark.parametrize(
    "query",
    [
        "span=1e9d",
        "span=10%20M",
        "span=-1m",
        "span=NaN",
        "span=%D9%A1%D9%A2m",
        "span=",
        "span=9s",
        "span=32d",
        "span=10",
    ]
    + ["span=99999999999999999999d", "span=" + "1" * 5000 + "m", "span=%00m", "span=10m%0A"],
)
@pytest.mark.parametrize("path", ["api/history", "history.csv"])
def test_an_invalid_span_is_refused(server, path, query):
    answer = api.request(f"{server.url}{path}?{query}")
    assert (answer.status, answer.json["error"]["code"]) == (400, "bad-history")


@pytest.mark.parametrize(
    "query",
    [
        "points=0",
        "points=-1",
        "points=2001",
        "points=NaN",
        "points=1e3",
        "points=%D9%A1%D9%A2",
        "points=+3",
        "points=03",
    ]
    + ["points=3.0", "points=", "points=99999999999999999999"],
)
def test_an_invalid_number_of_points_is_refused(server, query):
    answer = api.request(f"{server.url}api/history?{query}")
    assert (answer.status, answer.json["error"]["code"]) == (400, "bad-history")


@pytest.mark.parametrize(
    ("query", "code"),
    [("comments=2", "bad-history"), ("comments=0&comments=0", "repeated-parameter")]
    + [("separator=.", "bad-table"), ("separator=;&decimal=;", "bad-table"), ("decimal=,", "bad-table")],
)
def test_an_unknown_form_of_the_table_is_refused(server, query, code):
    answer = api.request(f"{server.url}history.csv?{query}")
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


def test_a_table_with_decimal_commas_has_the_same_numbers(server):
    def both():
        """The first row with points and with commas; None if it has changed in between, as it may for a short time."""
        before = table(server)[0]
        text = api.request(f"{server.url}history.csv?span=1h&separator=;&decimal=,").text
        with_commas = next(csv.DictReader(io.StringIO(text), delimiter=";"))
        return (before, with_commas) if table(server)[0] == before else None

    with_points, with_commas = wait_until(both, "the first row is never complete")
    assert {key: value.replace(",", ".") for key, value in with_commas.items()} == with_points


def test_without_options_the_table_begins_with_its_header(server):
    assert api.request(server.url + "history.csv").text.startswith("time_s,time_iso,n,")


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


def test_the_first_camera_has_a_mark(server):
    marks = history(server, span="1h")["marks"]
    assert (marks[0]["id"], marks[0]["kind"]) == (1, "camera")


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


def test_text_from_a_client_breaks_neither_a_line_nor_a_table(server):
    texts = ["=1+1", ',=1+1,"x', "a\r\n2026,=cmd\tb", "\u202etxt", "x" * 200]
    kept = [mark(server, text)["text"] for text in texts]
    assert kept[2:] == ["a\ufffd\ufffd2026,=cmd\ufffdb", "\ufffdtxt", "x" * 200]
    lines = api.request(server.url + "history.csv?comments=1").text.split("\r\n")
    comments = [line for line in lines if line.startswith("# mark:")]
    assert comments[-5].endswith("user: =1+1")
    assert comments[-4].endswith("user: ,'=1+1,'x")
    for line in comments:
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in next(csv.reader([line])))
    header = next(index for index, line in enumerate(lines) if not line.startswith("#"))
    assert lines[header].startswith("time_s,time_iso,")


@pytest.mark.parametrize(
    "body", [{"text": ""}, {"text": " \t"}, {"text": "x" * 201}, {"text": 1}, {}, [], {"text": None}]
)
def test_a_mark_without_a_valid_text_is_refused(server, body):
    answer = api.request(server.url + "api/marks", method="POST", body=body)
    assert (answer.status, answer.json["error"]["code"]) == (400, "bad-mark")


def test_a_mark_of_a_client_can_be_deleted_once(start_server):
    server = start_server()
    marks = [mark(server, text) for text in ("Wrong beaker", "Reagent added")]
    deleted = api.request(f"{server.url}api/marks/{marks[0]['id']}", method="DELETE")
    assert (deleted.status, deleted.json) == (200, marks[0])
    assert [one for one in history(server)["marks"] if one["kind"] == "user"] == [marks[1]]
    again = api.request(f"{server.url}api/marks/{marks[0]['id']}", method="DELETE")
    assert (again.status, again.json["error"]["code"]) == (404, "mark-not-found")


def test_a_mark_that_swatchcam_has_set_stays(server):
    own = next(one for one in history(server, span="1h")["marks"] if one["kind"] == "camera")
    refused = api.request(f"{server.url}api/marks/{own['id']}", method="DELETE")
    assert (refused.status, refused.json["error"]["code"]) == (404, "mark-not-found")
    assert own in history(server, span="1h")["marks"]


def test_a_view_token_reads_the_history_and_sets_no_marks(tmp_path):
    config = f'[web]\ntoken = "{TOKEN}"\nview_token = "{VIEW_TOKEN}"\n'
    with running(tmp_path, config=config) as server:
        assert api.request(server.url + "api/history", token=VIEW_TOKEN).status == 200
        assert api.request(server.url + "history.csv", token=VIEW_TOKEN).status == 200
        refused = api.request(server.url + "api/marks", method="POST", body={"text": "x"}, token=VIEW_TOKEN)
        assert (refused.status, refused.json["error"]["code"]) == (403, "read-only")
        made = api.request(server.url + "api/marks", method="POST", body={"text": "y"}, token=TOKEN)
        assert made.status == 201
        refused = api.request(f"{server.url}api/marks/{made.json['id']}", method="DELETE", token=VIEW_TOKEN)
        assert (refused.status, refused.json["error"]["code"]) == (403, "read-only")
        marks = api.request(server.url + "api/history", token=VIEW_TOKEN).json["marks"]
        assert [one["text"] for one in marks if one["kind"] == "user"] == ["y"]


def test_a_client_that_sets_marks_too_fast_is_told_when_to_try_again(start_server):
    server = start_server()

    def set_mark():
        return api.request(server.url + "api/marks", method="POST", body={"text": "x"})

    refused = wait_until(set_mark, "no mark is refused", holds=lambda answer: answer.status != 201)
    assert (refused.status, refused.json["error"]["code"]) == (429, "too-many-marks")
    assert int(refused.fields["Retry-After"]) >= 1
    assert len([one for one in history(server)["marks"] if one["kind"] == "user"]) >= 20
    wait_until(set_mark, "no mark is set later", holds=lambda answer: answer.status == 201)
