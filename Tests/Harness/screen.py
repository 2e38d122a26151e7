"""The kiosk's session, with its real parts, on a virtual screen."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator

from PIL import Image

from Harness.program import PROGRAM, ROOT
from Harness.waiting import stretched

SESSION_PATIENCE = 60
"""Seconds within which a compositor and a browser do everything on an idle machine."""

SIZE = (1024, 768)
"""The size of the window of wlroots' backend for X11."""

NOBODY = 65534
"""cage does not run as root: when the tests do, it runs as this user."""


@contextlib.contextmanager
def installed() -> Iterator[pathlib.Path]:
    """A folder that every user may read, with the program in bin/ and the kiosk's files in share/."""
    with tempfile.TemporaryDirectory(prefix="kiosk-") as path:
        folder = pathlib.Path(path)
        shutil.copytree(ROOT / "Packaging/kiosk", folder / "share")
        (folder / "bin").mkdir()
        shutil.copy(PROGRAM[0], folder / "bin/swatchcam")
        subprocess.run(["chmod", "--recursive", "a+rX", folder], check=True)
        yield folder


@contextlib.contextmanager
def display() -> Iterator[str]:
    """The name of an X server in memory, on which cage opens a window."""
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
        try:
            yield f":{number}"
        finally:
            server.terminate()


class KioskSession:
    """A `swatchcam-kiosk session`, which a test can start again as systemd does, and the content of its screen."""

    def __init__(self, installed: pathlib.Path, folder: pathlib.Path, config: pathlib.Path, display: str, **variables):
        """`folder` becomes the kiosk's home; its path must be short, because that of a socket has at most 107 bytes."""
        self.folder = folder
        self._kiosk = installed / "share/swatchcam-kiosk"
        self._processes = []
        self._prefix = []
        folder.chmod(0o700)
        if os.getuid() == 0:
            self._prefix = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
            os.chown(folder, NOBODY, NOBODY)
        self._log = folder / "log"
        self._environment = {
            "PATH": f"{installed}/bin:{os.environ['PATH']}",
            "XDG_RUNTIME_DIR": str(folder),
            "HOME": str(folder),
            "DISPLAY": display,
            "WLR_BACKENDS": "x11",
            "WLR_RENDERER": "pixman",
            "SWATCHCAM_CONFIG": str(config),
            # Chromium's own sandbox often does not work in a container.
            "SWATCHCAM_KIOSK_FLAGS": "--no-sandbox",
            # The shortest that the kiosk accepts.
            "SWATCHCAM_KIOSK_TIMEOUT": str(max(30, round(stretched(8)))),
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
                    process.wait(stretched(10))
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
            timeout=stretched(SESSION_PATIENCE),
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
