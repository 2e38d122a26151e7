"""Takes screenshots of the dashboard: python Tests/Browser/screenshots.py OUT

Every state that needs no camera, at every size, in light and dark: the test pattern, no camera, and a stale reading.
`--live DEVICE` adds a real camera.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # for Harness, without pytest

from Harness.chromium import chromium, set_color_scheme, set_size
from Harness.server import Server
from Harness.waiting import wait_until
from selenium.webdriver.common.by import By

SIZES = [(1280, 800), (390, 844), (844, 390), (3840, 2160)]


def in_state(driver, state: str) -> bool:
    return driver.find_element(By.ID, "dashboard").get_attribute("data-state") == state


def settled(driver) -> bool:
    """Whether the picture is shown, or there is none to wait for."""
    return driver.execute_script(
        "return !document.getElementById('dashboard').hasAttribute('data-color')"
        " || 'shown' in document.getElementById('live').dataset"
    )


def take(driver, out: Path, name: str) -> None:
    for scheme in ("light", "dark"):
        set_color_scheme(driver, scheme)
        for width, height in SIZES:
            set_size(driver, width, height)
            driver.save_screenshot(str(out / f"{name}-{scheme}-{width}x{height}.png"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--live", metavar="DEVICE", help="a camera, as camera.device in config.toml names it")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)

    scenes = [("test-pattern", "test-pattern", "test-pattern"), ("no-camera", "/dev/video-none", "no-camera")]
    if arguments.live:
        scenes.insert(0, ("live", arguments.live, "live"))
    driver = chromium()
    try:
        for name, device, state in scenes:
            with tempfile.TemporaryDirectory() as folder:
                server = Server(Path(folder), device)
                server.start()
                try:
                    driver.get(server.url)
                    wait_until(
                        lambda state=state: in_state(driver, state) and settled(driver), f"the page is not {state}"
                    )
                    take(driver, arguments.out, name)
                finally:
                    server.stop()
                if name == "test-pattern":
                    wait_until(lambda: in_state(driver, "stale"), "the page is not stale")
                    take(driver, arguments.out, "stale")
    finally:
        driver.quit()


if __name__ == "__main__":
    main()
