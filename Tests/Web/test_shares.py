"""One client that may only read takes all it can get, while the owner works: docs/security.md, one row after another."""

import csv
import datetime
import io
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from Harness import api, process
from Harness.cases import sampled
from Harness.server import running
from Harness.waiting import stretched, wait_until

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
OWNER = "owner-token-of-forty-letters-and-a-few-more"
VIEWER = "view-token-of-forty-letters-and-a-few-more"

LONGEST_WAIT = 2.0
"""Seconds of an idle machine within which every request of the owner is answered: one, and one for the attacker and for
other tests, which run on the same processors."""

SECONDS = 4
"""The length of an attack."""

MAX_MEMORY = 160
"""MiB that the server takes at most during an attack. The most, 143, is for whole readings of 96 probes and 64 targets, each
pair of which has a verdict and a coverage."""

ATTACKS = {
    "slow documents": 250,
    "slow samples": 250,
    "slow histories": 250,
    "slow downloads": 250,
    "documents again and again": 250,
    "ever another history": 250,
    "pages again and again": 250,
    "readings again and again": 250,
    "picture sockets that never ask": 250,
    "picture sockets that never read": 250,
    "sockets of the fleet that never read": 250,
    "streams that never read": 250,
    "snapshots again and again": 250,
    "WebSockets that never read": 1000,
    "connections": 2250,
    "logins": 250,
    "changes": 250,
    "readings for many networks": 2000,
    "metrics for many networks": 2000,
    "settings for many networks": 2000,
    "probes for many networks": 2000,
    "bodies of many networks": 2000,
}
"""The attacks of greedy.py, and the number of connections of each."""


def many_samples(state: Path, sample: dict) -> None:
    """Stores 1,000 samples of the kind that a usual camera gives."""
    controls = {f"control_{number}_of_the_camera": number for number in range(30)}
    for number in range(1, 1001):
        value = sample | {"id": number, "controls": controls}
        (state / f"sample-{number}.json").write_text(json.dumps({"version": 1, "value": value}))


LONG = "\N{RAINBOW}" * 48
"""What names of 50 characters begin with, of four bytes each."""


def probes() -> str:
    return "".join(
        f'[[probes]]\nname = "{LONG}{number:02}"\n'
        f"region = [{0.1 + 0.066 * (number % 12):.3f}, {0.1 + 0.1 * (number // 12):.1f}, 0.05, 0.08]\n"
        for number in range(96)
    )


def targets() -> str:
    return "".join(
        f'[[targets]]\nname = "{LONG}{number:02}"\ncolor = "lab(50 {number - 32} 0)"\ntolerance = 2\n'
        for number in range(64)
    )


def long_history(folder: Path, row: dict) -> None:
    """Fills the folder of the history: 31 days with a row for each five minutes, and 900 long marks."""
    now = datetime.datetime.now(datetime.UTC)
    for day in range(1, 31):
        start = (now - datetime.timedelta(days=day)).replace(hour=0, minute=0, second=0, microsecond=0)
        text = io.StringIO()
        table = csv.DictWriter(text, row, lineterminator="\r\n")
        table.writeheader()
        for minute in range(0, 1440, 5):
            time_iso = f"{start + datetime.timedelta(minutes=minute):%Y-%m-%dT%H:%M:%S.000Z}"
            table.writerow(row | {"time_s": minute * 60, "time_iso": time_iso})
        (folder / f"swatchcam-{start:%Y-%m-%d}.csv").write_text(text.getvalue(), newline="")
        marks = "".join(f'{start:%Y-%m-%dT%H}:{minute:02}:00.000Z,user,"{"𝄞" * 200}",,,,\r\n' for minute in range(30))
        (folder / f"swatchcam-{start:%Y-%m-%d}.marks.csv").write_text(
            "time_iso,kind,text,name,from,to,picture\r\n" + marks, newline=""
        )


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with all that its memory has room for, and two tokens."""
    folder = tmp_path_factory.mktemp("shares")
    history = folder / "history"
    history.mkdir()
    settings = (
        f'[web]\ntoken = "{OWNER}"\nview_token = "{VIEWER}"\ntrusted_proxies = ["127.0.0.2"]\n'
        f'[history]\nfolder = "{history}"\ninterval = 1\n' + probes() + targets()
    )
    with running(folder, config=settings) as server:
        server.wait_until_healthy()
        taken = api.request(f"{server.url}api/samples", "POST", {"readings": 1}, OWNER)
        assert taken.status == 201, taken.text
        sample = taken.json
        for key in ("problem", "probes", "target"):
            sample.pop(key, None)
        history_of = f"{server.url}api/history?span=30s&points=30"
        wait_until(lambda: len(api.get_json(history_of, OWNER)["points"]) > 2, "there is no history")
        server.stop()
        (table,) = history.glob("swatchcam-????-??-??.csv")
        row = next(csv.DictReader(io.StringIO(table.read_text())))
        many_samples(server.config.parent / "state" / "swatchcam", sample)
        long_history(history, row)
        server.start()
        server.wait_until_healthy()
        server.wait_for_log("Read back into the history: ")
        assert len(api.get_json(f"{server.url}api/samples", OWNER)["samples"]) == 1000
        assert len(api.get_json(f"{server.url}api/history?span=31d&points=2000", OWNER)["marks"]) >= 900
        yield server


class Owner:
    """A client with full access that does one thing after another, and watches the readings, until it is stopped."""

    PATHS = (
        "",
        "kiosk",
        "api/reading",
        "api/cameras",
        "api/controls",
        "api/config",
        "api/samples",
        "api/history?span=31d&points=300",
        "api/statistics",
        "samples.csv",
        "history.csv?span=1h",
        "snapshot.jpg",
        "healthz",
        "metrics",
        "resources/swatchcam.css",
    )

    def __init__(self, server):
        self.server = server
        self.waits: dict[str, float] = {}
        self.refusals: list[str] = []
        self.memory = 0.0
        self._stops = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def __enter__(self):
        command = [sys.executable, HERE / "good_clients.py", str(self.server.port), "3", OWNER]
        self._clients = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._clients.stdout.readline() == "ready\n"
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stops.set()
        self._thread.join()
        self._clients.stdin.close()
        self._clients.wait()

    def longest_gap(self) -> float:
        """The longest time between two readings since the last call, in seconds."""
        self._clients.stdin.write("since?\n")
        self._clients.stdin.flush()
        return json.loads(self._clients.stdout.readline())["longest"]

    def forget(self) -> None:
        self.waits, self.refusals = {}, []
        self.longest_gap()

    def _work(self):
        marked = 0.0
        while not self._stops.is_set():
            for path in self.PATHS:
                self._ask(path)
            self._ask("api/settings", "PUT", {"region": [0, 0, 1, 1]})
            self._ask("api/samples/1", "PATCH", {"name": "Leaf"})
            # One mark a second is allowed.
            if time.monotonic() - marked > 1.5:
                self._ask("api/marks", "POST", {"text": "The owner was here"})
                marked = time.monotonic()

    def _ask(self, path, *how):
        began = time.monotonic()
        response = api.request(self.server.url + path, *(how or ("GET",)), token=OWNER)
        wait = time.monotonic() - began
        self.waits[path] = max(wait, self.waits.get(path, 0))
        self.memory = max(self.memory, process.resident(self.server.pid))
        if response.status not in (200, 201):
            self.refusals.append(f"{path}: {response.status} {response.body[:200]!r}")


@pytest.mark.parametrize("attack", sampled([*ATTACKS], 2))
def test_the_owner_is_served_while_a_client_that_may_only_read_takes_all_it_can_get(server, attack):
    server.restart()
    server.wait_for_log("Read back into the history: ")
    command = [sys.executable, HERE / "greedy.py", str(server.port), VIEWER, attack, str(ATTACKS[attack]), str(SECONDS)]
    with Owner(server) as owner, subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as greedy:
        assert greedy.stdout.readline() == "ready\n"
        owner.forget()
        statuses = greedy.stdout.readline()
        gap, waits = owner.longest_gap(), owner.waits
    worst = max(waits, key=waits.get)
    print(
        f"\n    {attack}: worst wait {waits[worst]:.2f} s (/{worst}), gap {gap:.2f} s, {owner.memory:.0f} MiB, "
        f"answers {statuses.strip()}"
    )
    assert owner.refusals == []
    assert waits[worst] <= stretched(LONGEST_WAIT)
    assert gap <= stretched(LONGEST_WAIT)
    assert owner.memory <= MAX_MEMORY
