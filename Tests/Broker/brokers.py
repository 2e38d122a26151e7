"""Mosquitto, started for a test and stopped after it, and what lies between it and the program."""

import contextlib
import fcntl
import os
import shutil
import signal
import socket
import struct
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

from Harness.program import PROGRAM, ROOT, free_port
from Harness.waiting import wait_until

HERE = Path(__file__).parent
TRIXIE = ROOT / ".build/broker/trixie"
"""The root of a Debian 13, which has another version of libmosquitto."""


def program(name: str) -> str:
    """The path of a program, which may lie where only root looks for it."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    assert found, f"{name} is not installed: apt-get install {name}"
    return found


class Broker:
    """Mosquitto on a port of 127.0.0.1. `config` is added to its configuration."""

    def __init__(self, folder: Path, config: str = "allow_anonymous true\n"):
        self.port = free_port()
        self.log = folder / "mosquitto.log"
        self._config = folder / "mosquitto.conf"
        # Started by root, mosquitto would become a user who may not read the folder.
        self._config.write_text(f"listener {self.port} 127.0.0.1\npersistence false\nuser root\nlog_type all\n{config}")
        self._process: subprocess.Popen | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen([program("mosquitto"), "-c", self._config], stdout=log, stderr=log)
        wait_until(lambda: listens(self.port), lambda: f"mosquitto does not start:\n{self.log.read_text()}")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        process, self._process = self._process, None
        if process:
            process.send_signal(number)
            process.wait()


@contextlib.contextmanager
def running(folder: Path, config: str = "allow_anonymous true\n") -> Iterator[Broker]:
    broker = Broker(folder, config)
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()


def listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


class Relay:
    """A relay to a port, whose connections can be cut."""

    def __init__(self, port: int):
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._ends: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self._target))
                except OSError:
                    near.close()
                    continue
                self._ends |= {near, far}
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                target.sendall(data)
        # Each thread closes what it reads from: a socket is not closed while another thread waits for it.
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_RD)
        self._ends.discard(source)
        source.close()

    def cut(self, abruptly: bool) -> None:
        """Ends all connections, by RST if `abruptly`."""
        for end in list(self._ends):
            with contextlib.suppress(OSError):
                if abruptly:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.shutdown(socket.SHUT_RD)

    def close(self) -> None:
        self._listener.close()
        self.cut(abruptly=True)


def make_certificates(folder: Path) -> Path:
    """A CA, another one, and certificates: of a server, for another name, expired, by the other CA, and of a client."""
    subprocess.run([HERE / "certificates", folder], check=True, capture_output=True)
    return folder


def in_trixie(folder: Path) -> list[str]:
    """The command that runs what follows in Debian 13, where it sees the program and this folder.

    It is made in a minute the first time, and takes root.
    """
    TRIXIE.parent.mkdir(parents=True, exist_ok=True)
    with (TRIXIE.parent / "lock").open("w") as lock:
        # Several processes run the tests.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not list(TRIXIE.glob("usr/lib/*/libjpeg.so.62")):
            new = TRIXIE.with_suffix(".new")
            for old in (TRIXIE, new):
                shutil.rmtree(old, ignore_errors=True)
            packages = ["libexpat1", "libjpeg62-turbo", "libmosquitto1", "libturbojpeg0", "zlib1g"]
            make = [ROOT / "Scripts/debian-root", "--suite=trixie", new, *packages]
            subprocess.run(make, check=True, capture_output=True)
            new.rename(TRIXIE)
    # The debug build needs the toolchain's libraries.
    libraries = subprocess.run(["ldd", PROGRAM[0]], check=True, capture_output=True, text=True).stdout
    toolchain = {Path(*Path(line.split()[2]).parts[:3]) for line in libraries.splitlines() if "/swift/linux/" in line}
    shown = [Path("/proc"), Path("/dev"), Path("/etc/hosts"), folder, Path(PROGRAM[0]).parent, *toolchain]
    script = "set -e; root=$1; shift; "
    for path in shown:
        make = f"mkdir -p $root{path}" if path.is_dir() else f"touch $root{path}"
        script += f"{make}; mount --rbind {path} $root{path}; "
    return ["unshare", "--mount", "sh", "-c", script + 'exec chroot $root "$@"', "sh", str(TRIXIE)]
