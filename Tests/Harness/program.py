"""The program under test."""

import os
import shlex
import socket
import subprocess
from pathlib import Path

from Harness.waiting import PATIENCE, stretched

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = shlex.split(os.environ.get("SWATCHCAM", str(ROOT / ".build/release/swatchcam")))
"""The command that SWATCHCAM names, the release build without it."""


def run(*arguments, prefix=(), timeout=PATIENCE, **options) -> subprocess.CompletedProcess:
    """Runs the program to its end. `prefix` is a command that starts it; `options` are those of subprocess.run."""
    defaults = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "errors": "replace"}
    return subprocess.run(
        [*prefix, *PROGRAM, *map(str, arguments)], check=False, timeout=stretched(timeout), **(defaults | options)
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
