"""The dashboard as the scripts photograph it that make the pictures of the documents."""

import contextlib
import tempfile
from pathlib import Path

from Harness.chromium import chromium, set_color_scheme, set_size
from Harness.server import Server


@contextlib.contextmanager
def photographed_dashboard(width: int, height: int):
    """A browser of this size that shows the dashboard of the test pattern, in light colours, and the server."""
    driver = chromium(is_whole=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            server = Server(Path(folder))
            server.start()
            try:
                set_color_scheme(driver, "light")
                set_size(driver, width, height)
                driver.get(server.url)
                yield driver, server
            finally:
                server.stop()
    finally:
        driver.quit()
