"""The kiosk's session with its real parts: cage, Chromium and cog on a virtual screen, and the real program.

    .venv/bin/python -m pytest Tests/Kiosk

Needs cage, Xwayland, Xvfb, grim, Chromium and cog. SWATCHCAM names the program, .build/release/swatchcam if it is not set.
"""

import contextlib
import pathlib
import tempfile

import pytest
from Harness import screen as screens
from Harness.server import Server


@pytest.fixture(scope="session")
def installed():
    with screens.installed() as folder:
        yield folder


@pytest.fixture(scope="session")
def kiosk(installed):
    """The command `swatchcam-kiosk`."""
    return installed / "share/swatchcam-kiosk"


@pytest.fixture(scope="session")
def display():
    with screens.display() as name:
        yield name


@pytest.fixture
def folder():
    """A folder that the kiosk's user may enter. Its path is short, because that of a socket has at most 107 bytes."""
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
def make_screen(folder, installed, server, display):
    """A function that makes the screen, with more variables for the session."""
    with contextlib.ExitStack() as stack:

        def make(**variables):
            screen = screens.KioskSession(installed, folder / "screen", server.config, display, **variables)
            stack.callback(screen.stop)
            return screen

        yield make


@pytest.fixture
def screen(make_screen):
    return make_screen()


@pytest.fixture
def cog_screen(make_screen):
    return make_screen(SWATCHCAM_KIOSK_BROWSER="cog", SWATCHCAM_KIOSK_FLAGS="")
