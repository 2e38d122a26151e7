"""`swatchcam serve`, started for a test and stopped after it."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from Harness import api
from Harness.program import PROGRAM, free_port
from Harness.waiting import PATIENCE, stretched, wait_until


@contextlib.contextmanager
def starting(folder: Path) -> Iterator[Callable[..., "Server"]]:
    """A function that makes and starts servers, each in a folder of its own; all are stopped at the end."""
    with contextlib.ExitStack() as stack:
        count = 0

        def start(device: str = "test-pattern", config: str = "", **how) -> Server:
            nonlocal count
            place = folder / f"server-{count}"
            place.mkdir()
            count += 1
            server = Server(place, device, config)
            stack.callback(server.stop)
            server.start(**how)
            return server

        yield start


@contextlib.contextmanager
def running(folder: Path, device: str = "test-pattern", config: str = "") -> Iterator["Server"]:
    """One server, from the moment that it answers until the block ends."""
    with starting(folder) as start:
        yield start(device, config)


class Server:
    """`swatchcam serve` on a port of its own. Its configuration, `config`, and its log lie in the folder."""

    def __init__(self, folder: Path, device: str = "test-pattern", config: str = ""):
        """`config` is TOML to follow the choice of the device: more keys of [camera], then other tables."""
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self.log = folder / "swatchcam.log"
        self.config = folder / "config.toml"
        self.config.write_text(f'[camera]\ndevice = "{device}"\n{config}')
        self._process: subprocess.Popen | None = None

    @property
    def process(self) -> subprocess.Popen:
        assert self._process, "the server is not running"
        return self._process

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self, prefix: Sequence[str] = (), **options) -> None:
        """Starts the server, and returns when it answers.

        `prefix` is a command that starts it; `options` are those of Popen.

        The server keeps its state in its folder, unless the environment names another, so no test sees the state that
        another one left.
        """
        environment = {"XDG_STATE_HOME": str(self.config.parent / "state")} | options.pop("env", os.environ)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*prefix, *PROGRAM, "serve", "--config", str(self.config), "--port", str(self.port)],
                **({"cwd": self.config.parent, "stdin": subprocess.DEVNULL, "stdout": log, "stderr": log} | options),
                env=environment,
            )
        try:
            wait_until(self._answers, lambda: f"swatchcam does not answer at {self.url}:\n{self.logged()}")
        except AssertionError:
            self.stop(signal.SIGKILL)
            raise

    def _answers(self) -> bool:
        if not self.is_running:
            raise ServerEndedError(f"swatchcam ended with {self._process.returncode}:\n{self.logged()}")
        try:
            health = api.request(f"{self.url}healthz")
            # Without a camera, the server answers 503 but serves. While it is still looking for one, it is not ready.
            return health.status == 200 or (health.status == 503 and health.json["error"]["code"] != "starting")
        except OSError:
            return False

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Sends this signal and returns when the process has ended; does nothing if there is none."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(signal.SIGCONT)
        process.send_signal(number)
        try:
            process.wait(stretched(PATIENCE))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise

    def restart(self, config: str | None = None) -> None:
        """Restarts the server; `config`, if given, becomes the whole text of its configuration file."""
        self.stop()
        if config is not None:
            self.config.write_text(config)
        self.start()

    def suspend(self) -> None:
        """Freezes the process: its connections stay open but carry nothing, as if a cable had been cut."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def logged(self) -> str:
        return self.log.read_text(errors="replace")

    def wait_for_log(self, text: str) -> str:
        """The whole log, once this text is in it."""
        return wait_until(self.logged, f"the log does not say {text!r}", holds=lambda log: text in log)

    def wait_until_healthy(self) -> None:
        """Returns when there are readings and pictures."""
        wait_until(
            lambda: api.request(f"{self.url}healthz").status,
            lambda: f"the server is not healthy:\n{self.logged()}",
            holds=lambda status: status == 200,
        )

    def reading(self) -> dict:
        return api.get_json(f"{self.url}api/reading")

    def wait_for_state(self, state: str) -> dict:
        """The first reading in this state."""
        return wait_until(
            self.reading,
            lambda: f"there is no reading in the state {state}:\n{self.logged()}",
            holds=lambda reading: reading["state"] == state,
        )


class ServerEndedError(Exception):
    """The server ended before it answered; the message holds its exit status and its log."""
