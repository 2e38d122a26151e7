"""Readings of 96 probes and 64 targets, which with everything that is known of the probes have megabytes."""

import socket
import time

import pytest
from Harness import api, process
from Harness.waiting import wait_until

NAME = "\U0001f308" * 48
TARGETS = "".join(
    f'[[targets]]\nname = "{NAME}{number:02}"\ncolor = "lab({number} {number - 32} {32 - number})"\n'
    for number in range(64)
)
UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
MAX_MEMORY = 128
"""MiB that the server takes at most."""


@pytest.fixture
def server(start_server):
    server = start_server(config=TARGETS)
    grid = {"rows": 8, "columns": 12, "region": [0.1, 0.1, 0.8, 0.8]}
    assert api.request(f"{server.url}api/probes", "PUT", grid).status == 200
    wait_for_all(server)
    return server


def wait_for_all(server):
    """Returns when a reading has all probes with all targets: a reading without a colour is small."""
    wait_until(
        lambda: [len(probe["targets"]) for probe in api.get_json(f"{server.url}api/reading?probes=all")["probes"]],
        "there is no reading of all probes and targets",
        holds=lambda counts: counts == [64] * 96,
    )


@pytest.mark.parametrize(
    ("path", "count", "most"), [("/api/reading?probes=all", 100, 40), ("/ws?probes=all", 100, 40), ("/ws", 200, 150)]
)
def test_clients_that_never_read_them_take_no_more_memory_than_their_share(server, path, count, most):
    asked = []
    try:
        for _ in range(count):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", server.port))
            fields = UPGRADE if path.startswith("/ws") else ""
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{fields}\r\n".encode())
            asked.append(client)
        statuses = []
        for client in asked:
            client.settimeout(10)
            statuses.append(int(client.recv(12).split()[1]))
        assert 1 <= sum(status in (101, 200) for status in statuses) < most
        assert set(statuses) <= {101, 200, 503}
        # Sockets that were admitted get several messages meanwhile, of which they read none.
        deadline = time.monotonic() + 3
        while time.monotonic() < deadline:
            # A busy machine may take more than the lifetime of a colour to make one of these readings in a debug build.
            assert server.reading()["state"] in ("test-pattern", "lost")
            assert process.resident(server.pid) < MAX_MEMORY
    finally:
        for client in asked:
            client.close()
    server.wait_for_state("test-pattern")


def test_a_client_that_reads_gets_them_whole(server):
    wait_for_all(server)
