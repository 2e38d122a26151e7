"""The real program, and clients of every kind: good ones, hostile ones, reverse proxies.

    .venv/bin/pytest Tests/Web

SWATCHCAM names the program, .build/release/swatchcam if it is not set.
"""

import json
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "Browser"))

from swatchcam_server import Server, starting

LONGEST_GAP = 0.3
"""Seconds between two readings of a good client, whatever others do. They are due every 0.25 s."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The program on its test pattern."""
    server = Server(tmp_path_factory.mktemp("web"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def crowd(server):
    """Ten clients that behave, from the first test to the last."""
    command = [sys.executable, HERE / "good_clients.py", str(server.port), "10"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        yield process
        process.stdin.close()


@pytest.fixture
def good_clients(crowd):
    """Ten clients that must notice nothing of what the test does to the server."""
    ask(crowd)
    yield
    seen = ask(crowd)
    print(f"\n    good clients: {seen['readings']} readings, at most {seen['longest'] * 1000:.0f} ms apart")
    assert seen["longest"] <= LONGEST_GAP


def ask(crowd):
    crowd.stdin.write("since?\n")
    crowd.stdin.flush()
    answer = crowd.stdout.readline()
    assert answer, "a good client lost its connection"
    return json.loads(answer)


@pytest.fixture
def start_server(tmp_path):
    """Starts a server with more in its configuration."""
    with starting(tmp_path) as start:
        yield lambda config="", **how: start(config=config, **how)
