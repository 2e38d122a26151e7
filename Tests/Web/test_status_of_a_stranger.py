"""`swatchcam status` when another program listens on the port, and never ends its answer."""

import contextlib
import json
import socket
import subprocess
import sys
import threading

import pytest
from Harness.program import PROGRAM
from Harness.waiting import stretched

pytestmark = pytest.mark.slow


@contextlib.contextmanager
def stranger(answer):
    """The port of a server that answers each request by calling `answer` with the connection."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=talk, args=(connection,), daemon=True).start()

    def talk(connection):
        # The client closes the connection.
        with connection, contextlib.suppress(OSError):
            request = b""
            while b"\r\n\r\n" not in request and (part := connection.recv(4096)):
                request += part
            answer(connection)

    threading.Thread(target=serve, daemon=True).start()
    yield listener.getsockname()[1]
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()


def endless(start, part):
    def answer(connection):
        connection.sendall(start)
        while True:
            connection.sendall(part)

    return answer


def silent(start):
    def answer(connection):
        connection.sendall(start)
        # Until the client closes the connection.
        connection.recv(1)

    return answer


def dripping(connection):
    """Sends one byte after another, without end."""
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    connection.settimeout(0.2)
    while True:
        connection.sendall(b"a")
        try:
            if not connection.recv(1):
                return
        except TimeoutError:
            pass


MUCH = b"a" * (1 << 20)
MAX_MEMORY = 200 << 10
"""In KiB. An endless answer that is stored takes thousands of MiB in five seconds."""

MEASURE = """
import json, resource, subprocess, sys
run = subprocess.run(sys.argv[2:], capture_output=True, text=True, timeout=float(sys.argv[1]))
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
json.dump({"status": run.returncode, "output": run.stdout, "errors": run.stderr, "memory": most}, sys.stdout)
"""
"""A script that runs a command, and prints what it prints and the most memory that it takes.

A process counts as its own the memory of the one that forked it, and pytest takes more than the program.
"""


@pytest.mark.parametrize(
    "answer",
    [
        endless(b"", MUCH),
        endless(b"HTTP/1.1 200 OK\r\n\r\n", MUCH),
        silent(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"),
        dripping,
    ],
    ids=["noise", "body", "cut-off", "drip"],
)
def test_an_endless_answer_is_abandoned_and_not_stored(tmp_path, answer):
    path = tmp_path / "config.toml"
    path.write_text("")
    with stranger(answer) as port:
        status = [*PROGRAM, "status", "--config", str(path), "--port", str(port)]
        measuring = subprocess.run(
            [sys.executable, "-c", MEASURE, str(stretched()), *status], check=True, stdout=subprocess.PIPE
        )
    run = json.loads(measuring.stdout)
    assert (run["status"], run["output"]) == (69, "")
    assert run["errors"] == f"127.0.0.1:{port}: Swatchcam does not answer. Start it with: swatchcam serve\n"
    assert run["memory"] < MAX_MEMORY
