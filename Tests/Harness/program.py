"""The program under test."""

import os
import shlex
import socket
import subprocess
from pathlib import Path

from Harness.waiting import PATIENCE, stretched

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = shlex.split(os.environ.get("SWATCHCAM", str(ROOT / ".build/release/swatchcam")))
"""The command that SWATCHCAM names, or else the release build."""


def run(*arguments, prefix=(), timeout=PATIENCE, **options) -> subprocess.CompletedProcess:
    """Runs the program to its end. `prefix` is a command that starts it; `options` are those of subprocess.run."""
    defaults = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "errors": "replace"}
    return subprocess.run(
        [*prefix, *PROGRAM, *map(str, arguments)], check=False, timeout=stretched(timeout), **(defaults | options)
    )


def free_port() -> int:
    """A port of 127.0.0.1 that the kernel gives to no other program within the next minute.

    A connection that ended there keeps the port in TIME-WAIT, so the kernel does not choose it for another program that
    asks for any port, as ChromeDriver does. A server can still listen on it: both sockets have SO_REUSEADDR.
    """
    with socket.socket() as listener, socket.socket() as client:
        listener.bind(("127.0.0.1", 0))
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.listen()
        address = listener.getsockname()
        client.connect(address)
        accepted, _ = listener.accept()
        accepted.close()  # first, so that TIME-WAIT is on this side
        client.recv(1)
        return address[1]
