"""Takes the pictures of docs/home-assistant.md, as root: .venv/bin/python Tests/HomeAssistant/pictures.py [OUT]"""

import io
import json
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # for Harness, without pytest

from conftest import Kiosk, written_messages
from Harness.chromium import chromium, set_size
from Harness.program import ROOT
from Harness.waiting import wait_until
from home_assistant import PATIENCE, Broker, Debian, HomeAssistant
from PIL import Image

COLORS = 128


def log_in(driver, home: HomeAssistant) -> None:
    """Gives the frontend the tokens that it would have kept after a login."""
    url = home.url.rstrip("/")
    tokens = home.tokens | {
        "hassUrl": url,
        "clientId": home.url,
        "expires": int(1000 * (time.time() + home.tokens["expires_in"])),
    }
    driver.get(f"{home.url}auth/authorize")
    driver.execute_script("localStorage.hassTokens = arguments[0]", json.dumps(tokens))


def save(driver, path: Path) -> None:
    with Image.open(io.BytesIO(driver.get_screenshot_as_png())) as image:
        few = image.convert("RGB").quantize(COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
    print(f"{path}: {path.stat().st_size / 1000:.0f} KB")


TEXT = """
const parts = [];
const visit = (node) => {
  if (node.nodeType === Node.TEXT_NODE) parts.push(node.data);
  if (node.shadowRoot) visit(node.shadowRoot);
  for (const child of node.childNodes) visit(child);
};
visit(document.body);
return parts.join(" ");
"""
"""The text of a page, which consists of nested components."""


def show(driver, home: HomeAssistant, path: str, *texts: str) -> None:
    driver.get(home.url + path)
    wait_until(
        lambda: " ".join(driver.execute_script(TEXT).split()),
        f"{path} does not show {texts}",
        timeout=PATIENCE,
        holds=lambda shown: all(text in shown for text in texts),
    )
    time.sleep(2)  # Until what moves has come to rest.


def main(folder: Path) -> None:
    debian = Debian()
    broker = Broker(debian)
    broker.start()
    home = HomeAssistant(debian)
    home.start()
    home.set_up(broker.port)
    kiosk = Kiosk(broker, written_messages())
    driver = chromium(is_whole=True)
    try:
        kiosk.announce("full")
        home.wait_for("sensor.bench_color", "#3FA7D6")
        home.act("light/turn_on", "light.lab_lamp")
        home.wait_for("input_text.lamp_rgb", "(63, 167, 214)")
        log_in(driver, home)
        (device,) = home.devices()
        # Too narrow for the menu at the side.
        set_size(driver, 860, 1242)
        show(driver, home, f"config/devices/device/{device['id']}", "#3FA7D6", "Locked for measuring", "Problem")
        save(driver, folder / "home-assistant-device.png")
        set_size(driver, 860, 700)
        show(driver, home, "config/automation/edit/lamp", "When you turn it on", "Lab lamp")
        save(driver, folder / "home-assistant-lamp.png")
    finally:
        driver.quit()
        kiosk.end()
        home.stop()
        broker.stop()
        debian.remove()


if __name__ == "__main__":
    main(Path(*sys.argv[1:2]) if sys.argv[1:] else ROOT / "docs")
