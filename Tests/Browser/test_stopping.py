"""How the program ends, and what does not end it."""

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
from swatchcam_server import DEADLINE

HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
STREAM = "GET /stream.mjpg HTTP/1.1\r\nHost: localhost\r\n\r\n"


def ask(server, request):
    """A connection on which this was asked for, and the first of the answer has come."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=DEADLINE)
    connection.sendall(request.format(port=server.port).encode())
    assert connection.recv(12) == b"HTTP/1.1 101" if "websocket" in request else b"HTTP/1.1 200"
    return connection


def read_to_the_end(connection):
    try:
        while connection.recv(65536):
            pass
    except ConnectionResetError:
        pass


def reset(connection):
    """Closes it the hard way: what the server writes next fails."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


async def close_codes(server, number, send):
    """What WebSockets are closed with when a signal comes."""
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

    return await asyncio.wait_for(asyncio.gather(*map(code, sockets)), DEADLINE)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_everybody_is_told_and_it_ends(server, number, capsys):
    stream = ask(server, STREAM)
    watching = threading.Thread(target=read_to_the_end, args=[stream])
    watching.start()
    # One viewer who does not read, one client who never answers the close frame, one who never asked for anything.
    others = [ask(server, STREAM), ask(server, HANDSHAKE), socket.create_connection(("127.0.0.1", server.port))]
    process, begin = server.process, None

    def send():
        nonlocal begin
        begin = time.monotonic()
        process.send_signal(number)

    assert asyncio.run(close_codes(server, 5, send)) == [1001] * 5
    assert process.wait(DEADLINE) == 0
    with capsys.disabled():
        print(f" ended {time.monotonic() - begin:.2f} s after {number.name}", end="")
    watching.join(DEADLINE)
    assert not watching.is_alive()
    for other in others:
        other.close()


@pytest.mark.parametrize("first, second", [(signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGINT)])
def test_a_second_signal_does_not_wait(server, first, second):
    # Who does not answer is waited for a moment: that is when the second signal comes.
    silent = ask(server, HANDSHAKE)
    process = server.process
    process.send_signal(first)
    asked = b""
    while b"\x03\xe9" not in asked:  # 1001
        asked += silent.recv(65536)
    process.send_signal(second)
    assert process.wait(DEADLINE) == -second


def test_a_hangup_ends_nothing(server):
    for _ in range(100):
        server.process.send_signal(signal.SIGHUP)
    ask(server, STREAM).close()
    assert server.process.poll() is None


def test_clients_that_go_in_the_middle_end_nothing(server):
    for _ in range(100):
        for request in (STREAM, HANDSHAKE):
            reset(ask(server, request))
    server.process.send_signal(signal.SIGPIPE)
    ask(server, STREAM).close()
    assert server.process.poll() is None


def test_readers_of_its_output_may_go(start_program):
    server = start_program(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    server.process.stdout.close()
    server.process.stderr.close()
    for _ in range(20):
        # Each has a line logged.
        server.process.send_signal(signal.SIGHUP)
        ask(server, STREAM).close()
    assert server.process.poll() is None


def test_it_may_be_started_without_any_output(start_program):
    server = start_program(prefix=["sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-'])
    server.process.send_signal(signal.SIGHUP)
    ask(server, STREAM).close()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(DEADLINE) == 0


@pytest.mark.parametrize("prefix, ends", [([], True), (["nohup"], False)])
def test_it_ends_with_its_terminal_unless_told_otherwise(start_program, prefix, ends):
    terminal, its_end = pty.openpty()
    # setsid(1) makes the terminal the session's own, as a window does. What runs the tests may be deaf to SIGHUP.
    prefix = ["env", "--default-signal=HUP", "setsid", "--ctty", "--wait", *prefix]
    server = start_program(prefix=prefix, stdin=its_end, stdout=its_end, stderr=its_end)
    os.close(its_end)
    os.close(terminal)
    if ends:
        assert server.process.wait(DEADLINE) == 0
    else:
        ask(server, STREAM).close()
        assert server.process.poll() is None
