"""A power cut while the history is recorded: two guests, one after the other, with the same disk of ext4."""

import csv
import datetime
import json
import os
import subprocess

import program
import pytest
from Harness.program import PROGRAM

pytestmark = pytest.mark.release

RESET = 125
"""The exit status of the lab when the guest ended before its command."""


def boot(disk, *arguments) -> tuple[int, dict]:
    """The exit status, and what the guest printed."""
    files = ("Tests/Lab", "Tests/Harness", PROGRAM[0])
    result = subprocess.run(
        [
            *("Tests/Lab/lab", "--skip-waits", "--silence", "120", "--vivid", "none"),
            *("--modules", "crc32c_generic ext4", "--disk", disk, "--env", "SWATCHCAM"),
            *(option for path in files for option in ("--file", path)),
            *("--", ".venv/bin/python", "Tests/Lab/power_cut.py", *map(str, arguments)),
        ],
        cwd=program.ROOT,
        env=os.environ | {"SWATCHCAM": PROGRAM[0]},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert result.stdout.strip(), f"the guest printed nothing and ended with {result.returncode}"
    return result.returncode, json.loads(result.stdout)


@pytest.fixture(scope="module")
def cut(tmp_path_factory) -> tuple[float, dict]:
    """The time of the power cut, and what was found after it."""
    disk = tmp_path_factory.mktemp("disk") / "ext4"
    with disk.open("wb") as file:
        file.truncate(64 << 20)
    subprocess.run(["mkfs.ext4", "-q", disk], check=True, env=os.environ | {"PATH": f"{os.environ['PATH']}:/usr/sbin"})
    status, written = boot(disk, "write")
    assert status == RESET
    status, found = boot(disk, "check", written["cut"] + 30)
    assert status == 0
    return written["cut"], found


def rows(tables: dict[str, str]) -> list[dict]:
    """The rows of all tables. A partial line at the end is omitted, and nothing else may be incomplete."""
    found = []
    for text in tables.values():
        found += csv.DictReader(text.split("\r\n")[:-1], strict=True)
    assert all(None not in row.values() and None not in row for row in found)
    return found


def moment(row: dict) -> float:
    return datetime.datetime.fromisoformat(row["time_iso"]).timestamp()


def test_a_power_cut_loses_a_minute_at_most(cut):
    time, found = cut
    last = max(moment(row) for row in rows(found["found"])) + 10
    print(f"lost: {time + 2 - last:.1f} s")
    assert time + 2 - last <= 60


def test_every_line_before_the_cut_is_readable(cut):
    _, found = cut
    times = [moment(row) for row in rows(found["found"])]
    assert len(times) >= 10
    assert times == sorted(set(times))
    assert all(float(row["r"]) <= 255 for row in rows(found["found"]))


def test_the_program_reads_the_history_back_and_continues_it(cut):
    time, found = cut
    before = rows(found["found"])
    assert "Damaged lines" not in found["log"]
    old = [
        point
        for point in found["history"]["points"]
        if datetime.datetime.fromisoformat(point["time"]).timestamp() < time
    ]
    assert sum(point["n"] for point in old) == sum(int(row["n"]) for row in before)
    after = rows(found["left"])
    assert after[: len(before)] == before
    assert len(after) > len(before)
    assert all(text.endswith("\r\n") for text in found["left"].values())


def test_a_mark_that_was_written_before_the_cut_comes_back(cut):
    _, found = cut
    assert "before the cut" in [mark["text"] for mark in found["history"]["marks"]]
