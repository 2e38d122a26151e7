"""Takes the pictures of docs/page.md, docs/measuring.md and docs/absorbance.md: python Tests/Browser/measuring_pictures.py [OUT]

The dashboard shows the test pattern, and for the lock the controls of a camera that the page is told of. The pictures of docs/measuring.md have few enough colours to stay below 60 KB. The
script takes a minute and a half, because the history has to fill first.
"""

import argparse
import io
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # for Harness, without pytest

from control_panel import FAKE_CAMERA
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

# The middles of the cuvettes, and what is in them in mg/L; the last is the unknown.
CUVETTES = [[round(0.708 + 0.038 * number, 3), 0.36, 0.016, 0.05] for number in range(7)]
LEVELS = [0, 1, 2, 3, 4, 5]

# The middle of the patch "blue sky", for docs/page.md.
PATCH = [0.28, 0.09, 0.04, 0.07]

EXPOSURE = {"phase": "idle", "step": None, "level": None, "message": None, "values": [], "config": None}
# What the server answers when it has locked the kernel's test camera (Tests/Lab).
LOCK = {
    "phase": "locked", "settled": True, "missing": ["exposure", "white balance", "focus", "backlight compensation"], "refused": [],
    "locked": [{"name": "gain_automatic", "label": "Gain, Automatic", "value": 0}, {"name": "gain", "label": "Gain", "value": 50}],
    "config": "[camera.controls]\ngain_automatic = 0\ngain = 50\n",
}  # fmt: skip


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


def take_lock(driver, out: Path) -> None:
    """Takes the pictures of the locked controls, in a page that was told of them."""
    document = {"camera": None, "controls": [], "automatics": [], "lock": LOCK, "exposure": EXPOSURE}
    script = f"{FAKE_CAMERA}\ncamera.answers['api/controls'] = {json.dumps(document)};"
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    set_size(driver, 1280, 1400)
    for scheme in ("dark", "light"):
        set_color_scheme(driver, scheme)
        driver.refresh()
        wait_until(
            lambda: driver.execute_script("return document.getElementById('dashboard').dataset.state === 'live'"),
            "the page does not believe in the camera",
        )
        click(driver, "#controls-tab")
        lock = driver.find_element(By.CSS_SELECTOR, "#camera-controls > .lock")
        wait_until(lambda lock=lock: "Gain: 50" in lock.text, "the lock is not shown")
        save(driver, out / f"lock-{scheme}.png", lock)


def show_curve(driver, server: Server) -> None:
    """Measures the dilution series of the painted scene in steady light, and shows its curve and the unknown."""

    def put(path: str, body: dict) -> None:
        api.request(f"{server.url}api/{path}", "PUT", body)

    def move(region: list[float]) -> None:
        put("settings", {"region": region, "rate": 30})
        wait_until(lambda: api.get_json(f"{server.url}api/reading")["region"] == region, "the region is not read")

    put("controls/lamp_drift", {"value": False})
    move(CUVETTES[0])
    put("absorbance", {"unit": "mg/L"})
    put("absorbance/blank", {"everywhere": True})
    for region, level in zip(CUVETTES, LEVELS, strict=False):
        move(region)
        put(f"absorbance/standards/{level}%20mg%2FL", {"concentration": level})
    move(CUVETTES[-1])
    driver.get(f"{server.url}absorbance")
    wait_until(
        lambda: driver.execute_script(
            "return document.querySelectorAll('#plot circle').length === 6"
            " && document.querySelector('#places .amount').textContent.includes(' to ')"
            " && 'shown' in document.getElementById('live').dataset"
        ),
        "there is no curve",
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
        take_lock(driver, out)
        set_size(driver, 1280, 800)
        show_curve(driver, server)
        save(driver, out / "absorbance-curve.png", driver.find_element(By.ID, "curve"))


if __name__ == "__main__":
    main()
