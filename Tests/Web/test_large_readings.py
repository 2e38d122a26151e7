"""Readings of 96 probes and 64 targets, which with everything that is known of the probes have megabytes."""

import contextlib
import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from Harness import api, process
from Harness.waiting import wait_until
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

NAME = "\U0001f308" * 48
TARGETS = "".join(
    f'[[targets]]\nname = "{NAME}{number:02}"\ncolor = "lab({number} {number - 32} {32 - number})"\n'
    for number in range(64)
)
UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
# A debug build on a busy machine takes longer for one of these readings than a colour lasts.
pytestmark = pytest.mark.slow
MAX_MEMORY = 128
"""MiB that the server takes at most."""


@pytest.fixture
def server(start_server):
    server = start_server(config=TARGETS)
    set_probes(server)
    return server


def set_probes(server):
    grid = {"rows": 8, "columns": 12, "region": [0.1, 0.1, 0.8, 0.8]}
    assert api.request(f"{server.url}api/probes", "PUT", grid).status == 200
    wait_for_all(server)


def connect_deaf(server, path):
    """A client that never reads."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", server.port))
    fields = UPGRADE if path.startswith("/ws") else ""
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{fields}\r\n".encode())
    return client


def wait_for_all(server):
    """Returns when a reading has all probes with all targets: a reading without a colour is small."""
    wait_until(
        lambda: [len(probe["targets"]) for probe in api.get_json(f"{server.url}api/reading?probes=all")["probes"]],
        "there is no reading of all probes and targets",
        holds=lambda counts: counts == [64] * 96,
    )


@pytest.mark.parametrize(("path", "count"), [("/api/reading?probes=all", 100), ("/ws?probes=all", 100), ("/ws", 200)])
def test_clients_that_never_read_them_take_no_more_memory_than_their_share(server, path, count):
    asked = []
    try:
        for _ in range(count):
            asked.append(connect_deaf(server, path))
        statuses = []
        for client in asked:
            client.settimeout(10)
            statuses.append(int(client.recv(12).split()[1]))
        assert 101 in statuses or 200 in statuses
        assert set(statuses) <= {101, 200, 503}
        # Sockets that were admitted get several messages meanwhile, of which they read none.
        deadline = time.monotonic() + 3
        while time.monotonic() < deadline:
            assert server.reading()["state"] in ("test-pattern", "lost")
            assert process.resident(server.pid) < MAX_MEMORY
    finally:
        for client in asked:
            client.close()
    server.wait_for_state("test-pattern")


def test_of_clients_that_came_while_readings_were_short_only_those_stay_that_have_room_for_long_ones(start_server):
    server = start_server(config=TARGETS)
    # If a step fails, the clients are closed first, so that no thread waits for them.
    with ThreadPoolExecutor(4) as pool, contextlib.ExitStack() as stack:
        address = f"ws://127.0.0.1:{server.port}/ws?probes=all"
        clients = [stack.enter_context(connect(address, max_size=None)) for _ in range(4)]
        outcomes = pool.map(until_whole_or_closed, clients)
        set_probes(server)
        outcomes = list(outcomes)
    # There is room for two, unless a third takes a part of it before it is refused.
    assert outcomes.count("whole") in (1, 2)
    assert set(outcomes) == {"whole", 1013}


def until_whole_or_closed(client):
    try:
        while len(json.loads(client.recv(timeout=60))["probes"]) < 96:
            pass
    except ConnectionClosed as closed:
        return closed.rcvd.code
    return "whole"


def test_a_client_that_reads_gets_them_whole(server):
    wait_for_all(server)
