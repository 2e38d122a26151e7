"""Clients that are slow, silent, or never read: their connections end."""

import socket
import struct
import threading
import time

import pytest
from Harness import process
from Harness.program import free_port
from Harness.waiting import slowness, stretched, wait_until
from raw import Raw, wait_until_dropped

pytestmark = pytest.mark.usefixtures("good_clients")

CUT = 10
"""Seconds of an idle machine after which a request that is not complete has been cut off: the server waits for 8."""

MANY = 200


@pytest.fixture(scope="module")
def seconds_to_cut(server):
    """How long a connection lasts, by what its client sends, in seconds of an idle machine. All wait at the same time."""
    with Raw(server) as silent, Raw(server) as without_body:
        clients = {"nothing": silent, "a head without its body": without_body}
        clients |= {f"a byte of a head now and then ({number})": Raw(server) for number in range(MANY)}
        without_body.send(
            f"PUT /api/settings HTTP/1.1\r\nHost: {without_body.host}\r\nContent-Type: application/json\r\n"
            "Content-Length: 60000\r\n\r\n{"
        )
        seconds = {}

        def measure(what, client):
            # By the load of now, when all these threads are running.
            seconds[what] = client.seconds_to_end() / slowness()

        readers = [threading.Thread(target=measure, args=item) for item in clients.items()]
        dripping = [client for what, client in clients.items() if "now and then" in what]
        for client in dripping:
            client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\nX: ")
        for reader in readers:
            reader.start()
        while any(reader.is_alive() for reader in readers):
            for client in dripping:
                client.try_to_send("a")
            time.sleep(0.5)  # the attack's own pace
        for client in dripping:
            client.socket.close()
    return seconds


def test_a_connection_without_a_request_is_cut_within_ten_seconds(seconds_to_cut):
    assert seconds_to_cut["nothing"] <= CUT


def test_a_request_whose_body_does_not_come_is_cut_within_ten_seconds(seconds_to_cut):
    assert seconds_to_cut["a head without its body"] <= CUT


def test_heads_that_come_byte_by_byte_are_cut_within_ten_seconds(seconds_to_cut):
    dripping = [seconds for what, seconds in seconds_to_cut.items() if "now and then" in what]
    assert len(dripping) == MANY
    assert max(dripping) <= CUT


def test_a_connection_half_closed_by_its_client_ends(server):
    with Raw(server) as client:
        client.send(f"GET /api/reading HTTP/1.1\r\nHost: {client.host}\r\n")
        client.socket.shutdown(socket.SHUT_WR)
        assert client.seconds_to_end() < stretched(5)


def test_clients_that_never_read_are_disconnected(server):
    """Streams, which send more than the kernel buffers, and a WebSocket, which answers no ping."""
    before = process.sockets(server.pid)
    clients = [Raw(server) for _ in range(20)]
    for client in clients:
        client.get("/stream.mjpg")
    clients.append(Raw(server, receive_buffer=2048))
    assert clients[-1].upgrade() == 101
    wait_until_dropped(clients, server, before)


def test_an_incomplete_head_is_cut_even_if_a_websocket_had_the_same_port_before(server):
    """The server must not take the new connection for the old one, although the client's port is the same."""
    port = free_port()

    def connect():
        client = Raw.__new__(Raw)
        client.host = f"localhost:{server.port}"
        client.socket = socket.socket()
        client.socket.settimeout(stretched())
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        client.socket.bind(("127.0.0.1", port))
        client.socket.connect(("127.0.0.1", server.port))
        return client

    for _ in range(20):
        with connect() as client:
            assert client.upgrade() == 101
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with connect() as client:
        client.send("GET / HTTP/1.1\r\n")
        client.socket.settimeout(0.5)
        began = time.monotonic()

        def is_cut():
            client.try_to_send("X: y\r\n")
            try:
                return not client.socket.recv(1)
            except TimeoutError:
                return False
            except OSError:
                return True

        wait_until(is_cut, "the head is not cut")
        assert time.monotonic() - began <= stretched(CUT)
