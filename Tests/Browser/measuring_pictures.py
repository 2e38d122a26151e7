"""Takes the pictures of README.md and docs/measuring.md: python Tests/Browser/measuring_pictures.py [OUT]

The dashboard shows the test pattern. The pictures of docs/measuring.md have few enough colours to stay below 60 KB. The
script takes a minute and a half, because the history has to fill first.
"""

import argparse
import io
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # for Harness, without pytest

from Harness import api
from Harness.chromium import set_color_scheme, set_size
from Harness.server import Server
from Harness.waiting import wait_until
from photographed import photographed_dashboard
from PIL import Image
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

DOCS = Path(__file__).parents[2] / "docs"
WIDTH, HEIGHT = 1024, 560

# The middle of the patch "orange", and the highlight of a ball (docs/test-pattern.md).
REGIONS = {"region": [0.07, 0.27, 0.06, 0.1], "quality": [0.715, 0.51, 0.08, 0.1]}
COLORS = 200

# The middle of the patch "blue sky", for README.md.
PATCH = [0.28, 0.09, 0.04, 0.07]


def save(driver, path: Path, element=None) -> None:
    screenshot = element.screenshot_as_png if element else driver.get_screenshot_as_png()
    if path.name.startswith("dashboard"):
        # Keeps all colours of the picture, at the price of 150 KB.
        path.write_bytes(screenshot)
        return
    with Image.open(io.BytesIO(screenshot)) as image:
        few = image.convert("RGB").quantize(COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
    size = path.stat().st_size
    print(f"{path}: {size / 1000:.0f} KB")
    assert size < 60_000


def show(driver, server: Server, region: list[float]) -> None:
    """Waits until the page shows a settled reading of this region, and its picture."""
    api.request(f"{server.url}api/settings", "PUT", {"region": region})
    wait_until(
        lambda: (reading := api.get_json(f"{server.url}api/reading"))["region"] == region and reading["noise"],
        "the region is not read",
    )
    wait_until(
        lambda: driver.execute_script(
            "return document.getElementById('dashboard').dataset.state === 'test-pattern'"
            " && 'shown' in document.getElementById('live').dataset"
            " && !document.getElementById('toast').textContent"
        ),
        "the page does not show the region",
    )


def click(driver, selector: str) -> None:
    driver.execute_script("document.querySelector(arguments[0]).click()", selector)


def show_history(driver, server: Server) -> None:
    """Shows the last minute once the history is full of readings of this region."""
    url = f"{server.url}api/history?span=1m&points=60"
    wait_until(lambda: len(api.get_json(url)["points"]) > 56, "the history does not fill", timeout=120)
    Select(driver.find_element(By.ID, "history-span")).select_by_value("1m")
    wait_until(
        lambda: driver.execute_script(
            "return document.querySelector('#histogram path').getAttribute('d')"
            " && 'shown' in document.getElementById('live').dataset"
        ),
        "there is no histogram or no picture",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, nargs="?", default=DOCS)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    with photographed_dashboard(WIDTH, HEIGHT) as (driver, server):
        for name, region in REGIONS.items():
            show(driver, server, region)
            save(driver, out / f"measuring-{name}.png")
        show(driver, server, PATCH)
        set_size(driver, 1280, 800)
        click(driver, "#statistics-tab")
        api.request(f"{server.url}api/marks", "POST", {"text": "Reagent added"})
        for scheme in ("dark", "light"):
            set_color_scheme(driver, scheme)
            driver.refresh()
            show_history(driver, server)
            save(driver, out / f"dashboard-{scheme}.png")
        save(driver, out / "measuring-history.png", driver.find_element(By.ID, "history"))
        set_size(driver, 1280, 1400)
        save(driver, out / "measuring-statistics.png", driver.find_element(By.ID, "statistics-panel"))


if __name__ == "__main__":
    main()
