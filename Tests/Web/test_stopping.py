"""How the program ends with clients connected, and what does not end it. Tests/Swatchcam has the signals themselves."""

import asyncio
import os
import pty
import signal
import socket
import struct
import subprocess
import threading
import time

import pytest
import websockets
from Harness.waiting import stretched

HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
STREAM = "GET /stream.mjpg HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def start_server(start_server):
    """Starts a server, and waits until it has a picture to stream."""

    def start(**how):
        server = start_server(**how)
        server.wait_until_healthy()
        return server

    return start


@pytest.fixture
def server(start_server):
    """A server for each test, which may stop it."""
    return start_server()


def open_response(server, request):
    """A connection over which the first bytes of the answer to this request have arrived."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=stretched())
    connection.sendall(request.format(port=server.port).encode())
    assert connection.recv(12) == (b"HTTP/1.1 101" if request == HANDSHAKE else b"HTTP/1.1 200")
    return connection


def read_to_the_end(connection):
    try:
        while connection.recv(65536):
            pass
    except ConnectionResetError:
        pass


def reset(connection):
    """Closes the connection with an RST: the next write of the server fails."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


async def close_codes(server, number, send):
    """The codes with which WebSockets are closed after `send`."""
    sockets = [await websockets.connect(f"ws://127.0.0.1:{server.port}/ws") for _ in range(number)]
    for each in sockets:
        await each.recv()
    send()

    async def code(each):
        try:
            while True:
                await each.recv()
        except websockets.ConnectionClosed as closed:
            return closed.rcvd and closed.rcvd.code

    return await asyncio.wait_for(asyncio.gather(*map(code, sockets)), stretched())


def test_a_signal_closes_every_websocket_with_1001_and_ends_the_program(server, capsys):
    stream = open_response(server, STREAM)
    watching = threading.Thread(target=read_to_the_end, args=[stream])
    watching.start()
    # A viewer that does not read, a client that never answers the close frame, and one that has sent nothing.
    others = [
        open_response(server, STREAM),
        open_response(server, HANDSHAKE),
        socket.create_connection(("127.0.0.1", server.port)),
    ]
    process, begin = server.process, None

    def send():
        nonlocal begin
        begin = time.monotonic()
        process.send_signal(signal.SIGTERM)

    assert asyncio.run(close_codes(server, 5, send)) == [1001] * 5
    assert process.wait(stretched()) == 0
    with capsys.disabled():
        print(f" ended {time.monotonic() - begin:.2f} s after SIGTERM", end="")
    watching.join(stretched())
    assert not watching.is_alive()
    for other in others:
        other.close()


def test_clients_that_reset_their_connections_do_not_end_the_program(server):
    for _ in range(100):
        for request in (STREAM, HANDSHAKE):
            reset(open_response(server, request))
    server.process.send_signal(signal.SIGPIPE)
    open_response(server, STREAM).close()
    assert server.is_running


def test_the_program_survives_the_readers_of_its_output(start_server):
    server = start_server(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    server.process.stdout.close()
    server.process.stderr.close()
    for _ in range(20):
        # Each signal is logged.
        server.process.send_signal(signal.SIGHUP)
        open_response(server, STREAM).close()
    assert server.is_running


@pytest.mark.parametrize("prefix, ends", [([], True), (["nohup"], False)])
def test_the_program_ends_with_its_terminal_unless_started_by_nohup(start_server, prefix, ends):
    terminal, its_end = pty.openpty()
    # setsid(1) makes this the session's controlling terminal, as in a window. The tests themselves may ignore SIGHUP.
    prefix = ["env", "--default-signal=HUP", "setsid", "--ctty", "--wait", *prefix]
    server = start_server(prefix=prefix, stdin=its_end, stdout=its_end, stderr=its_end)
    os.close(its_end)
    os.close(terminal)
    if ends:
        assert server.process.wait(stretched()) == 0
    else:
        open_response(server, STREAM).close()
        assert server.is_running
