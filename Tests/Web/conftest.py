"""The real program and clients of every kind: good ones, hostile ones, reverse proxies.

    .venv/bin/python -m pytest Tests/Web                    # everything
    .venv/bin/python -m pytest -m 'not slow' Tests/Web      # without the long runs of the fuzzers

SWATCHCAM names the program, .build/release/swatchcam if it is not set.
"""

import contextlib
import json
import pathlib
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from Harness import process
from Harness.server import running, starting
from Harness.waiting import stretched, wait_until

HERE = pathlib.Path(__file__).parent
TOKEN = "test-token-of-forty-letters-and-a-few-more"

DUE = 0.25
"""Seconds between two readings."""

LATENESS = 1.0
"""Seconds of an idle machine by which a reading may come later than one of a server that nobody attacks.

A server that waits for one client keeps the others waiting far longer, until it drops that client after ten seconds. A
busy machine may well hold up one of the two servers for a tenth of a second and not the other.
"""

MOST_MEMORY = 120
"""MiB that the server takes at most after an attack."""


@pytest.fixture(scope="session", autouse=True)
def many_descriptors():
    """Lets the tests open as many files as this user may."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def in_parallel(count, job):
    """Runs a job `count` times at once and returns the results; fails if one of them does."""
    with ThreadPoolExecutor(count) as pool:
        return [future.result() for future in [pool.submit(job) for _ in range(count)]]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The program on its test pattern, shared by the tests of a module."""
    with running(tmp_path_factory.mktemp("web")) as server:
        server.wait_until_healthy()
        yield server


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A server that requires a token, shared by the tests of a module."""
    with running(tmp_path_factory.mktemp("guarded"), config=f'[web]\ntoken = "{TOKEN}"\n') as server:
        server.wait_until_healthy()
        yield server


class Crowd:
    """Ten clients that behave, in a process of their own."""

    def __init__(self, process):
        self._process = process

    def longest_gap(self):
        """The longest time between two readings of a client since the last call, in seconds."""
        self._process.stdin.write("since?\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "a good client lost its connection"
        return json.loads(line)["longest"]


@contextlib.contextmanager
def good_crowd(server):
    """Ten clients of a server, each of which has received a reading."""
    command = [sys.executable, HERE / "good_clients.py", str(server.port), "10"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        yield Crowd(process)
        process.stdin.close()


@pytest.fixture(scope="module")
def crowd(server):
    """The good clients of the server under attack."""
    with good_crowd(server) as crowd:
        yield crowd


@pytest.fixture(scope="module")
def undisturbed_crowd(tmp_path_factory):
    """The good clients of another server, which nobody attacks: any delay of theirs is the machine's fault."""
    with running(tmp_path_factory.mktemp("undisturbed")) as server, good_crowd(server) as crowd:
        yield crowd


@pytest.fixture
def good_clients(server, crowd, undisturbed_crowd):
    """Ten clients whose readings must come on time whatever the test does to the server.

    Once the test has closed its connections, the server must close them too.
    """
    before = process.sockets(server.pid)
    crowd.longest_gap()
    undisturbed_crowd.longest_gap()
    yield
    undisturbed = undisturbed_crowd.longest_gap()
    longest = crowd.longest_gap()
    print(f"\n    good clients: at most {longest * 1000:.0f} ms apart, undisturbed {undisturbed * 1000:.0f} ms")
    assert longest <= max(DUE, undisturbed) + stretched(LATENESS), "a good client waited for a reading"
    wait_until(
        lambda: process.sockets(server.pid),
        f"not all connections of the test are closed: there were {before} sockets",
        holds=lambda count: count <= before,
    )
    assert process.resident(server.pid) < MOST_MEMORY


@pytest.fixture
def start_server(tmp_path):
    """A function that starts a server with these additional lines in its configuration."""
    with starting(tmp_path) as start:
        yield lambda config="", **how: start(config=config, **how)
