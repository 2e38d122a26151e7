"""Clients that are slow, silent, or never read: their connections end."""

import socket
import struct
import threading
import time

import pytest
from Harness import process
from Harness.program import free_port
from Harness.waiting import slowness, stretched
from raw import Raw, wait_until_dropped

pytestmark = pytest.mark.usefixtures("good_clients")

CUT = 10
"""Seconds of an idle machine after which a request that is not complete has been cut off: the server waits for 8."""

MANY = 200


def on_the_port_of_websockets(server) -> Raw:
    """A connection from a port from which WebSockets came before, all of which ended by an RST."""
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
    return connect()


@pytest.fixture(scope="module")
def deaf(server, crowd):
    """Clients that never read: streams, which send more than the kernel buffers, and a WebSocket, which answers no ping.

    They are dropped while others wait to be cut off. Returned with the number of sockets before, those of the crowd among
    them.
    """
    before = process.sockets(server.pid)
    clients = [Raw(server) for _ in range(20)]
    for client in clients:
        client.get("/stream.mjpg")
    clients.append(Raw(server, receive_buffer=2048))
    assert clients[-1].upgrade() == 101
    return clients, before


@pytest.fixture(scope="module")
def seconds_to_cut(server, deaf):
    """How long a connection lasts, by what its client sends, in seconds of an idle machine. All wait at the same time."""
    dripping = {f"a byte of a head now and then ({number})": Raw(server) for number in range(MANY)}
    dripping["a head on the port of a WebSocket"] = on_the_port_of_websockets(server)
    with Raw(server) as silent, Raw(server) as without_body:
        clients = {"nothing": silent, "a head without its body": without_body} | dripping
        without_body.send(
            f"PUT /api/settings HTTP/1.1\r\nHost: {without_body.host}\r\nContent-Type: application/json\r\n"
            "Content-Length: 60000\r\n\r\n{"
        )
        seconds = {}

        def measure(what, client):
            # By the load of now, when all these threads are running.
            seconds[what] = client.seconds_to_end() / slowness()

        readers = [threading.Thread(target=measure, args=item) for item in clients.items()]
        for client in dripping.values():
            client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\nX: ")
        for reader in readers:
            reader.start()
        while any(reader.is_alive() for reader in readers):
            for client in dripping.values():
                client.try_to_send("a")
            time.sleep(0.5)  # the attack's own pace
        for client in dripping.values():
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


def test_an_incomplete_head_is_cut_even_if_a_websocket_had_the_same_port_before(seconds_to_cut):
    """The server must not take the new connection for the old one, although the client's port is the same."""
    assert seconds_to_cut["a head on the port of a WebSocket"] <= CUT


def test_clients_that_never_read_are_disconnected(server, seconds_to_cut, deaf):
    clients, before = deaf
    wait_until_dropped(clients, server, before)
