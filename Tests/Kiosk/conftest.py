"""The kiosk's session on real parts: cage and Chromium on a screen in memory, with the real program behind it.

    .venv/bin/pytest Tests/Kiosk

Needs cage, Xwayland, Xvfb, grim and Chromium. SWATCHCAM names the program, .build/release/swatchcam if it is not set.
"""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import pytest

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.append(str(HERE.parent / "Browser"))

from PIL import Image
from swatchcam_server import Server

PROGRAM = os.environ.get("SWATCHCAM", str(ROOT / ".build/release/swatchcam"))
PATIENCE = 60
SIZE = (1024, 768)
"""Of the window of wlroots' backend for X11."""

NOBODY = 65534
"""cage runs as no root. Where the tests do, it has this user."""


def wait_for(condition, problem):
    """What the condition comes to, as soon as it is true; fails after PATIENCE."""
    deadline = time.monotonic() + PATIENCE
    while not (result := condition()):
        assert time.monotonic() < deadline, problem
        time.sleep(0.2)
    return result


class Screen:
    """`swatchcam-kiosk session`, started again when it ends, as systemd does; and what is on its screen."""

    def __init__(self, kiosk, folder, config, display, **variables):
        self.folder = folder
        self._kiosk = kiosk
        self._processes = []
        self._prefix = []
        if os.getuid() == 0:
            self._prefix = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
            os.chown(folder, NOBODY, NOBODY)
        self._log = folder / "log"
        self._environment = {
            "PATH": os.environ["PATH"],
            "XDG_RUNTIME_DIR": str(folder),
            "HOME": str(folder),
            "DISPLAY": display,
            "WLR_BACKENDS": "x11",
            "WLR_RENDERER": "pixman",
            "SWATCHCAM_CONFIG": str(config),
            # In a container Chromium's own sandbox is often not to be had.
            "SWATCHCAM_KIOSK_FLAGS": "--no-sandbox",
            "SWATCHCAM_KIOSK_PATIENCE": "8",
            **variables,
        }

    def start(self):
        with self._log.open("ab") as log:
            self._processes.append(
                subprocess.Popen(
                    [*self._prefix, self._kiosk, "session"],
                    env=self._environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            )

    @property
    def log(self):
        return self._log.read_text(errors="replace")

    @property
    def has_ended(self):
        return self._processes[-1].poll() is not None

    def stop(self):
        for process in self._processes:
            if process.poll() is None:
                process.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(10)
            # What cage has started is in its session, and systemd would end it too.
            for other in self.processes("", process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(other, signal.SIGKILL)
            process.wait()

    def processes(self, text, session=None):
        """Those of the session with this in their command lines."""
        session = session or self._processes[-1].pid
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z" and text in line:
                found.append(int(folder.name))
        return found

    def picture(self):
        """What is on the screen; None while there is none."""
        sockets = [path.name for path in self.folder.glob("wayland-?")]
        if not sockets:
            return None
        image = self.folder / "screen.png"
        done = subprocess.run(
            ["grim", "-s", "1", image],
            env=self._environment | {"WAYLAND_DISPLAY": sockets[0]},
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=PATIENCE,
        )
        return Image.open(image).convert("RGB") if done.returncode == 0 else None

    def color(self):
        """The colour that fills the screen to its corners, as #RRGGBB; None while none does."""
        picture = self.picture()
        if picture is None or picture.size != SIZE:
            return None
        right, bottom = SIZE[0] - 2, SIZE[1] - 2
        corners = {picture.getpixel(place) for place in ((1, 1), (right, 1), (1, bottom), (right, bottom))}
        return "#{:02X}{:02X}{:02X}".format(*corners.pop()) if len(corners) == 1 else None


@pytest.fixture(scope="session")
def installed():
    """The program and the kiosk's files, where every user may read them: the checkout may be in somebody's own folder."""
    with tempfile.TemporaryDirectory(prefix="kiosk-") as path:
        folder = pathlib.Path(path)
        shutil.copytree(ROOT / "Resources/kiosk", folder / "share")
        (folder / "bin").mkdir()
        shutil.copy(PROGRAM, folder / "bin/swatchcam")
        subprocess.run(["chmod", "--recursive", "a+rX", folder], check=True)
        yield folder


@pytest.fixture(scope="session")
def kiosk(installed):
    """The command."""
    return installed / "share/swatchcam-kiosk"


@pytest.fixture(scope="session")
def display():
    """An X server in memory, which cage opens a window of."""
    read, write = os.pipe()
    with subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        yield f":{number}"
        server.terminate()


@pytest.fixture
def folder():
    """Open to the kiosk's user, and with a short path: that of a socket has at most 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="kiosk-", ignore_cleanup_errors=True) as path:
        folder = pathlib.Path(path)
        folder.chmod(0o755)
        for name in ("server", "screen"):
            (folder / name).mkdir()
        yield folder


@pytest.fixture
def server(folder):
    server = Server(folder / "server")
    # Where it listens is said by the configuration: the kiosk asks that.
    server.config.write_text(server.config.read_text() + f"[web]\nport = {server.port}\n")
    yield server
    server.stop()


@pytest.fixture
def screen(folder, installed, kiosk, server, display):
    (folder / "screen").chmod(0o700)
    path = f"{installed}/bin:{os.environ['PATH']}"
    screen = Screen(kiosk, folder / "screen", server.config, display, PATH=path)
    yield screen
    screen.stop()
