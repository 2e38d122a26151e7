"""Readings of 96 probes and 64 targets, which with everything that is known of the probes have megabytes."""

import socket
import time

import pytest
from Harness import api, process

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
    return server


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
            assert server.reading()["state"] == "test-pattern"
            assert process.resident(server.pid) < MAX_MEMORY
    finally:
        for client in asked:
            client.close()


def test_a_client_that_reads_gets_them_whole(server):
    reading = api.get_json(f"{server.url}api/reading?probes=all")
    assert [len(probe["targets"]) for probe in reading["probes"]] == [64] * 96
