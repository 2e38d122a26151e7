"""The kiosk's session with its real parts: cage, Chromium and cog on a screen in memory, and the real program.

    .venv/bin/python -m pytest Tests/Kiosk

Needs cage, Xwayland, Xvfb, grim, Chromium and cog. SWATCHCAM names the program, .build/release/swatchcam if it is not set.
"""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

import pytest
from Harness.program import PROGRAM, ROOT
from Harness.server import Server
from Harness.waiting import stretched
from PIL import Image

PATIENCE = 60
"""Seconds within which a compositor and a browser do everything on an idle machine."""

SIZE = (1024, 768)
"""The size of the window of wlroots' backend for X11."""

NOBODY = 65534
"""cage does not run as root: when the tests do, it runs as this user."""


class Screen:
    """`swatchcam-kiosk session`, which a test can start again as systemd does, and what is on its screen."""

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
            # Chromium's own sandbox often does not work in a container.
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
            # Children of cage are in its session; systemd would end them, too.
            for other in self.processes("", process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(other, signal.SIGKILL)
            process.wait()

    def processes(self, text, session=None):
        """The processes of the session that have this text in their command lines."""
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
        """A picture of the screen; None while there is no screen."""
        sockets = [path.name for path in self.folder.glob("wayland-?")]
        if not sockets:
            return None
        image = self.folder / "screen.png"
        done = subprocess.run(
            ["grim", "-s", "1", image],
            env=self._environment | {"WAYLAND_DISPLAY": sockets[0]},
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=stretched(PATIENCE),
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
    """The program and the kiosk's files where every user may read them: the checkout may be in a private folder."""
    with tempfile.TemporaryDirectory(prefix="kiosk-") as path:
        folder = pathlib.Path(path)
        shutil.copytree(ROOT / "Resources/kiosk", folder / "share")
        (folder / "bin").mkdir()
        shutil.copy(PROGRAM[0], folder / "bin/swatchcam")
        subprocess.run(["chmod", "--recursive", "a+rX", folder], check=True)
        yield folder


@pytest.fixture(scope="session")
def kiosk(installed):
    """The command `swatchcam-kiosk`."""
    return installed / "share/swatchcam-kiosk"


@pytest.fixture(scope="session")
def display():
    """An X server in memory, on which cage opens a window."""
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
    """A folder that the kiosk's user may enter. Its path is short: that of a socket has at most 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="kiosk-", ignore_cleanup_errors=True) as path:
        folder = pathlib.Path(path)
        folder.chmod(0o755)
        for name in ("server", "screen"):
            (folder / name).mkdir()
        yield folder


@pytest.fixture
def server(folder):
    server = Server(folder / "server")
    # The kiosk takes the port from the configuration.
    server.config.write_text(server.config.read_text() + f"[web]\nport = {server.port}\n")
    yield server
    server.stop()


@pytest.fixture
def make_screen(folder, installed, kiosk, server, display):
    """A function that makes the screen, with more variables for the session."""
    with contextlib.ExitStack() as stack:

        def make(**variables):
            (folder / "screen").chmod(0o700)
            path = f"{installed}/bin:{os.environ['PATH']}"
            screen = Screen(kiosk, folder / "screen", server.config, display, **({"PATH": path} | variables))
            stack.callback(screen.stop)
            return screen

        yield make


@pytest.fixture
def screen(make_screen):
    return make_screen()


@pytest.fixture
def cog_screen(make_screen):
    return make_screen(SWATCHCAM_KIOSK_BROWSER="cog", SWATCHCAM_KIOSK_FLAGS="")
