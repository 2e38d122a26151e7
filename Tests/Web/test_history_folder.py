"""The folder of the history: the rows written there survive the end of the program, however it ends."""

import concurrent.futures
import contextlib
import csv
import datetime
import http.client
import json
import os
import signal
import subprocess
import urllib.parse
from pathlib import Path

import pytest
from Harness import api
from Harness.server import Server, running, starting
from Harness.waiting import PATIENCE, stretched, wait_until

HERE = Path(__file__).parent


def settings(folder: Path, interval: int = 1) -> str:
    return f'[history]\nfolder = "{folder}"\ninterval = {interval}\n'


def points(server: Server) -> list[dict]:
    """The complete seconds at the end of the history."""
    return api.get_json(f"{server.url}api/history?span=30s&points=30")["points"][:-1]


def wait_for_rows(server: Server, count: int, after: str = "") -> list[dict]:
    """The complete seconds at the end of the history, once there are `count` of them later than the time `after`."""
    return wait_until(
        lambda: points(server),
        "the history does not grow",
        # A row takes a second on any machine.
        timeout=PATIENCE + count,
        holds=lambda found: sum(point["time"] > after for point in found) >= count,
    )


def tables(folder: Path) -> list[Path]:
    return sorted(folder.glob("swatchcam-????-??-??.csv"))


def rows(folder: Path) -> list[dict]:
    """The rows of all tables, each of which must be complete."""
    found = []
    for table in tables(folder):
        lines = table.read_bytes().decode().split("\r\n")
        assert lines.pop() == "", "the last line is not complete"
        found += csv.DictReader(lines, strict=True)
    assert all(None not in row.values() and None not in row for row in found), "a row has too few cells or too many"
    assert all(float(row["r"]) <= 255 and int(row["n"]) > 0 for row in found)
    return found


@pytest.fixture
def folder(tmp_path) -> Path:
    path = tmp_path / "history"
    path.mkdir()
    return path


def test_readings_taken_while_nobody_watched_are_written_at_the_end_and_read_back_at_the_start(tmp_path, folder):
    with running(tmp_path, config=settings(folder)) as server:
        server.wait_for_log("Configuration: ")
        before = wait_for_rows(server, 3)
        server.stop()
        written = rows(folder)
        assert {point["time"] for point in before} <= {row["time_iso"] for row in written}
        server.start()
        server.wait_for_log("Read back into the history: ")
        # When rows are read back, up to 10 s of them become one.
        kept = api.get_json(f"{server.url}api/history?span=1h&points=360")["points"]
        assert kept[0]["time"] <= written[0]["time_iso"]
        assert sum(point["n"] for point in kept) >= sum(int(row["n"]) for row in written)
    text = tables(folder)[0].read_text()
    assert text.startswith("time_s,time_iso,")
    assert text.count("time_iso") == 1


PATCHES = {"White": [0.08, 0.6, 0.06, 0.08], "Black": [0.57, 0.6, 0.04, 0.08], "=Red; 2": [0.28, 0.43, 0.04, 0.08]}


def probe_rows(folder: Path) -> list[dict]:
    """The rows of all tables of probes, each of which must be complete."""
    found = []
    for table in sorted(folder.glob("swatchcam-probes-????-??-??.csv")):
        lines = table.read_bytes().decode().split("\r\n")
        assert lines.pop() == "", "the last line is not complete"
        found += csv.DictReader(lines, strict=True)
    assert all(None not in row.values() and None not in row for row in found), "a row has too few cells or too many"
    return found


def test_a_day_in_which_the_probes_changed_twice_is_one_table_with_the_same_columns(tmp_path, folder):
    target = '[[targets]]\nname = "Dark; =grey"\ncolor = "rgb(52 52 52)"\ntolerance = 5\n'
    with running(tmp_path, config="controls.lamp_drift = false\n" + settings(folder) + target) as server:

        def change(method: str, name: str, body: dict | None = None) -> str:
            """Changes a probe, and returns the time of the last complete row, which is before the change took effect."""
            answer = api.request(f"{server.url}api/probes/{urllib.parse.quote(name)}", method, body)
            assert answer.status in (200, 201, 204), answer.body
            return wait_for_rows(server, 1)[-1]["time"]

        def keep(since: str) -> None:
            wait_for_rows(server, 3, after=since)

        for name in ("White", "Black"):
            since = change("PUT", name, {"region": PATCHES[name]})
        keep(since)
        since = change("DELETE", "White")
        keep(since)
        keep(change("PUT", "=Red; 2", {"region": PATCHES["=Red; 2"], "light": True}))
        server.stop()
    assert len(list(folder.glob("swatchcam-probes-*"))) == len(tables(folder)), "a table was put aside"
    found = probe_rows(folder)
    together = {}
    for row in found:
        together.setdefault(row["time_iso"], set()).add(row["probe"])
    # The spreadsheet's apostrophe is that of every table.
    red = "'=Red; 2"
    # The region has no name.
    assert {"", "White", "Black"} in together.values() and {"", "Black"} in together.values()
    assert {"", "Black", red} in together.values()
    last = {row["probe"]: row for row in found}
    assert (last["White"]["hex"], last["Black"]["hex"]) == ("#F3F3F2", "#343434")
    assert (last["White"]["coverage"], last["Black"]["coverage"]) == (
        "Dark%3B %3Dgrey=0.0000",
        "Dark%3B %3Dgrey=1.0000",
    )
    assert last[red]["light"] in ("on", "off", "blinking", "unknown") and last["White"]["light"] == ""
    assert float(last[red]["light_level"]) > -1


def test_without_a_probe_no_table_of_probes_is_written(tmp_path, folder):
    with running(tmp_path, config=settings(folder)) as server:
        wait_for_rows(server, 2)
        server.stop()
    assert tables(folder) and not list(folder.glob("swatchcam-probes-*"))


def marks(server) -> list[str]:
    return [mark["text"] for mark in api.get_json(f"{server.url}api/history?span=1h")["marks"]]


def test_a_mark_that_was_deleted_stays_deleted_after_every_restart(tmp_path, folder):
    with running(tmp_path, config=settings(folder)) as server:
        made = [
            api.request(f"{server.url}api/marks", method="POST", body={"text": text}).json
            for text in ("Wrong beaker", "=1+1, Grün", "Reagent added")
        ]
        assert api.request(f"{server.url}api/marks/{made[0]['id']}", method="DELETE").status == 200
        for expected in (["=1+1, Grün", "Reagent added"], ["Reagent added"]):
            server.stop(signal.SIGKILL)
            server.start()
            wait_until(lambda: "Reagent added" in marks(server), "the marks do not come back")
            found = api.get_json(f"{server.url}api/history?span=1h")["marks"]
            texts = [one["text"] for one in found if one["kind"] == "user"]
            assert texts == expected
            # A mark of an earlier run can be deleted, too.
            old = next(one for one in found if one["text"] == texts[0])
            if len(texts) > 1:
                assert api.request(f"{server.url}api/marks/{old['id']}", method="DELETE").status == 200


def mark_tables(folder: Path) -> list[Path]:
    return sorted(folder.glob("swatchcam-????-??-??.marks.csv"))


def written_marks(folder: Path) -> list[str]:
    """The texts of the marks that clients have set, in the order of the tables."""
    found = [row for table in mark_tables(folder) for row in csv.DictReader(table.read_text().splitlines())]
    return [row["text"] for row in found if row["kind"] == "user"]


def set_marks(server: Server, texts: list[str], address: str = "127.0.0.1") -> dict[str, int]:
    """Sets marks over one connection from a loopback address, and returns the status of each answer."""
    client = http.client.HTTPConnection("127.0.0.1", server.port, stretched(), source_address=(address, 0))
    found = {}
    with contextlib.closing(client):
        for text in texts:
            client.request("POST", "/api/marks", json.dumps({"text": text}), {"Content-Type": "application/json"})
            with client.getresponse() as answer:
                answer.read()
                found[text] = answer.status
    return found


def test_a_flood_of_marks_costs_no_recorded_day_and_every_one_that_was_answered_is_written(tmp_path, folder):
    today = datetime.datetime.now(datetime.UTC).date()
    days = [folder / f"swatchcam-{today - datetime.timedelta(days=number)}.csv" for number in range(2, 10)]
    for day in days:
        day.touch()
        # 44 of 45 MB; a sparse file takes no time.
        os.truncate(day, 5_500_000)
    with running(tmp_path, config=settings(folder) + "max_size = 50\n") as server:
        long_text = "\U0001f3a8" * 190
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            answers = pool.map(
                lambda client: set_marks(
                    server, [f"{long_text} {client}.{number}" for number in range(25)], f"127.0.0.{client + 2}"
                ),
                range(16),
            )
            statuses = {text: status for found in answers for text, status in found.items()}
        assert {201} < set(statuses.values()) <= {201, 429, 503}
        server.stop()
    assert all(day.exists() for day in days)
    written = written_marks(folder)
    assert sorted(written) == sorted(text for text, status in statuses.items() if status == 201)
    # A hundredth of max_size, of which clients have a quarter.
    assert sum(table.stat().st_size for table in mark_tables(folder)) < 500_000 / 4 + 10_000


@pytest.fixture(scope="session")
def cut_write(tmp_path_factory) -> Path:
    library = tmp_path_factory.mktemp("library") / "cut_write.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, HERE / "cut_write.c", "-ldl"], check=True)
    return library


@pytest.mark.slow
def test_a_program_that_is_killed_in_the_middle_of_a_write_leaves_a_readable_file(tmp_path, folder, cut_write):
    before = []
    with running(tmp_path, config=settings(folder)) as server:
        for number in range(30):
            server.stop()
            next_second = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=1)
            server.start(env=os.environ | {"LD_PRELOAD": str(cut_write), "CUT_WRITE": str(number * 1999 % 1500)})
            # Rows of an earlier round, which are read back, would not be written at the end.
            wait_for_rows(server, 1, after=next_second.isoformat(timespec="seconds"))
            process = server.process
            server.stop(signal.SIGTERM)
            assert process.returncode == -signal.SIGKILL
        server.start()
        wait_for_rows(server, 2)
        server.stop()
        assert "Damaged lines" not in server.logged()
        before = rows(folder)
    assert len(before) >= 2
    times = [row["time_iso"] for row in before]
    assert times == sorted(times)
    assert "".join(table.read_text() for table in tables(folder)).count("time_iso") == len(tables(folder))
    assert not list(folder.glob("*.other-*")), "a table was taken for another file"


@contextlib.contextmanager
def small_disk(path: Path):
    """A file system of 64 KiB."""
    path.mkdir()
    mounting = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", path], check=False)
    if mounting.returncode != 0:
        pytest.skip("only root can make a small file system")
    try:
        yield path
    finally:
        subprocess.run(["umount", "--lazy", path], check=True)


# 8192 bytes leave room for one page besides that of the marks, so a write ends half-way.
@pytest.mark.parametrize("left", [0, pytest.param(8192, marks=pytest.mark.slow)])
def test_a_full_disk_costs_nothing_but_a_notice_and_marks_and_the_rows_are_written_later(tmp_path, left):
    with small_disk(tmp_path / "disk") as disk, starting(tmp_path) as start:
        filler = disk / "filler"
        filler.write_bytes(bytes(65536 - left))
        server = start(config=settings(disk))

        def notices():
            return [notice["message"] for notice in server.reading()["notices"] if notice["topic"] == "history"]

        first = wait_for_rows(server, 16 if left else 2)[0]["time"]
        # An edit makes the program write its rows immediately.
        server.config.write_text(server.config.read_text().replace("interval = 1", "interval = 2"))
        wait_until(notices, "there is no notice", holds=bool)
        assert "No space left on device" in notices()[0]
        assert not tables(disk), "half a table is left"
        assert api.request(f"{server.url}healthz").status == 200
        if not left:
            refused = api.request(f"{server.url}api/marks", method="POST", body={"text": "Reagent added"})
            assert (refused.status, refused.json["error"]["code"]) == (503, "mark-not-written")
            assert "No space left on device" in refused.json["error"]["message"]
            assert "Reagent added" not in marks(server)
        filler.unlink()
        server.config.write_text(server.config.read_text().replace("interval = 2", "interval = 3"))
        wait_until(notices, "the notice stays", holds=lambda found: not found)
        assert rows(disk)[0]["time_iso"] <= first
        server.stop()
        assert server.logged().count("No space left on device") == 1


@pytest.mark.slow
def test_31_days_of_rows_of_10_seconds_are_read_back(tmp_path, folder):
    # Today's file and 31 whole days.
    with running(tmp_path, config=settings(folder, 10) + "retention_days = 32\n") as server:
        wait_for_rows(server, 2)
        server.stop()
        today = tables(folder)[-1]
        header, row = today.read_text().split("\n")[:2]
        cells = row.split(",", 2)[2]
        # From the file's name, because midnight may have passed since then.
        midnight = datetime.datetime.strptime(f"{today.stem}+0000", "swatchcam-%Y-%m-%d%z")
        for days in range(1, 32):
            day = midnight - datetime.timedelta(days=days)
            times = (day + datetime.timedelta(seconds=seconds) for seconds in range(0, 86400, 10))
            lines = (f"0.000,{time:%Y-%m-%dT%H:%M:%S.000Z},{cells}\n" for time in times)
            (folder / f"swatchcam-{day:%Y-%m-%d}.csv").write_text(header + "\n" + "".join(lines))
        server.start()
        server.wait_for_log("Read back into the history: ")
        kept = api.get_json(f"{server.url}api/history?span=31d&points=2000")
        # Today has hardly any rows.
        length = midnight - datetime.datetime.fromisoformat(kept["from"])
        assert len(kept["points"]) > length.total_seconds() / kept["step"] - 3
        assert "Damaged lines" not in server.logged()
