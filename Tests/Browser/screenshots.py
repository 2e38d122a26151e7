"""Takes screenshots of every page, and of every state of the dashboard: python Tests/Browser/screenshots.py OUT [NAME...]

Each is taken at four sizes, in light and dark, and all of a name are put on one sheet, OUT/NAME.png. Needs no camera.
"""

import argparse
import io
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # for Harness, without pytest

from Harness import api
from Harness.chromium import chromium, set_color_scheme, set_size
from Harness.server import starting
from Harness.waiting import wait_until
from PIL import Image
from selenium.webdriver.common.by import By

SIZES = [(1280, 800), (800, 480), (1920, 1080), (390, 844)]

TABS = ["samples", "targets", "probes", "statistics", "effect", "controls", "about"]

# What is clicked on the dashboard, by the name of the state. Menus belong to buttons with the same names.
STATES = {
    **{tab: [f"{tab}-tab"] for tab in TABS},
    "menu": ["more"],
    "history-menu": ["history-more"],
    "samples-menu": ["samples-tab", "samples-more"],
    "export-menu": ["samples-tab", "export"],
    "note": ["write-note"],
    "reasons": ["reasons"],
    "compared": ["samples-tab", "//*[@aria-label='Compare Amber']", "//*[@aria-label='Compare Sky']"],
    "beside": ["targets-tab", "//*[@aria-label='Show Amber beside the colour']"],
    "held": ["hold"],
    "recording": ["record"],
    "grid": ["probes-tab", "grid"],
}

PAGES = {
    "kiosk": "kiosk", "kiosk-verdict": "kiosk?show=verdict", "kiosk-fleet": "kiosk?show=fleet", "absorbance": "absorbance", "calibrate": "calibrate", "fleet": "fleet",
    "measuring": "measuring", "test": "test", "none": "no-such-page",
}  # fmt: skip

# Patches of the test pattern (docs/test-pattern.md).
PATCHES = {"Amber": [0.07, 0.27, 0.06, 0.1], "Sky": [0.28, 0.09, 0.04, 0.07], "Both": [0.07, 0.09, 0.25, 0.28]}


def fill(url: str) -> None:
    """Takes samples and sets targets and probes, so that there is something to show."""
    for name, region in PATCHES.items():
        api.request(f"{url}api/settings", "PUT", {"region": region})
        api.request(f"{url}api/samples", "POST", {"readings": 4, "name": name})
        api.request(f"{url}api/targets/{name}", "PUT", {"color": "#D67E2C" if name == "Amber" else "#3fa7d6"})
        api.request(f"{url}api/probes/{name}", "PUT", {"region": region})
    api.request(f"{url}api/settings", "PUT", {"region": PATCHES["Amber"]})


def open_state(driver, url: str, clicks: list[str]) -> None:
    driver.get(url)
    wait_until(
        lambda: driver.execute_script(
            "const board = document.getElementById('dashboard');"
            " return !board || !board.hasAttribute('data-color') || 'shown' in document.getElementById('live').dataset"
        ),
        "there is no picture",
    )
    for click in clicks:
        element = driver.find_element(*((By.XPATH, click) if click.startswith("/") else (By.ID, click)))
        # Small screens do not show everything at once.
        place = "start" if click.endswith("-tab") else "nearest"
        driver.execute_script(
            "arguments[0].scrollIntoView({ block: arguments[1] }); arguments[0].click()", element, place
        )
        time.sleep(0.3)


def sheet(driver, path: Path, show) -> None:
    """Takes the pictures of one state, which `show` opens, and puts them on a sheet: light above dark."""
    rows = []
    for scheme in ("light", "dark"):
        set_color_scheme(driver, scheme)
        row = []
        for width, height in SIZES:
            set_size(driver, width, height)
            show()
            # What moves comes to rest.
            time.sleep(0.7)
            row.append(Image.open(io.BytesIO(driver.get_screenshot_as_png())))
        rows.append(row)
    whole = Image.new(
        "RGB", (sum(one.width for one in rows[0]) + 60, 2 * max(one.height for one in rows[0]) + 20), "#808080"
    )
    for index, row in enumerate(rows):
        left = 0
        for one in row:
            whole.paste(one, (left, index * (whole.height // 2 + 10)))
            left += one.width + 20
    whole.save(path)
    print(path, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*", help="all by default")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    driver = chromium(is_whole=True)
    with tempfile.TemporaryDirectory() as folder, starting(Path(folder)) as start:

        def photograph(name, url, clicks=()):
            if not arguments.names or name in arguments.names:
                sheet(driver, arguments.out / f"{name}.png", lambda: open_state(driver, url, list(clicks)))

        try:
            server = start(config="[readings]\nrate = 20\n")
            photograph("empty", server.url)
            fill(server.url)
            time.sleep(20)
            photograph("dashboard", server.url)
            for name, clicks in STATES.items():
                photograph(name, server.url, clicks)
            for name, address in PAGES.items():
                photograph(name, server.url + address)
            photograph("no-camera", start("/dev/video-none").url)
            token = start(config='[web]\ntoken = "0123456789abcdef0123456789abcdef"\n').url
            photograph("login", token + "login")
            server.stop()
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
