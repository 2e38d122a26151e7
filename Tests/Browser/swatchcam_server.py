"""The real program, started for a test and stopped after it."""

import contextlib
import os
import shlex
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEADLINE = 20.0
"""Seconds that starting and stopping may take on a slow machine."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def starting(folder: Path):
    """A function that starts servers, on a device and with more in their configuration; all are stopped at the end."""
    servers = []

    def start(device: str = "test-pattern", config: str = "", **how) -> "Server":
        place = folder / str(len(servers))
        place.mkdir()
        server = Server(place, device)
        server.config.write_text(server.config.read_text() + config)
        servers.append(server)
        server.start(**how)
        return server

    yield start
    for server in servers:
        server.stop()


class Server:
    """`swatchcam serve` on a port of its own; SWATCHCAM names the program (and may hold arguments)."""

    def __init__(self, folder: Path, device: str = "test-pattern"):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self.log = folder / "swatchcam.log"
        self.config = folder / "config.toml"
        self.config.write_text(f'[camera]\ndevice = "{device}"\n')
        self._process: subprocess.Popen | None = None

    def start(self, prefix: Sequence[str] = (), **streams) -> None:
        """`prefix` is a program that starts the program; `streams` are as for Popen, in place of the log."""
        program = shlex.split(os.environ.get("SWATCHCAM", str(ROOT / ".build/release/swatchcam")))
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*prefix, *program, "serve", "--config", str(self.config), "--port", str(self.port)],
                cwd=self.config.parent,
                **({"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log} | streams),
            )
        end = time.monotonic() + DEADLINE
        while not self._answers():
            if self._process.poll() is not None:
                raise RuntimeError(f"swatchcam ended with {self._process.returncode}:\n{self.log.read_text()}")
            if time.monotonic() > end:
                self.stop()
                raise RuntimeError(f"swatchcam does not answer on {self.url}:\n{self.log.read_text()}")
            time.sleep(0.05)

    def stop(self, with_signal: signal.Signals = signal.SIGTERM) -> None:
        if self._process is None:
            return
        self._process.send_signal(signal.SIGCONT)
        self._process.send_signal(with_signal)
        try:
            self._process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise
        finally:
            self._process = None

    @property
    def process(self) -> subprocess.Popen:
        return self._process

    def suspend(self) -> None:
        """Stops the program where it is: its connections stay open and say nothing, as after a cut cable."""
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(self.url + "healthz", timeout=2).close()
            return True
        except urllib.error.HTTPError as error:
            # Without a camera it is well, and says 503.
            return error.code == 503
        except OSError:
            return False
