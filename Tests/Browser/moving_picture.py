"""Takes the moving picture of README.md: python Tests/Browser/moving_picture.py [OUT]

The dashboard shows the test pattern. An area is chosen, samples of two patches are taken, and both are compared.
"""

import argparse
import io
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # for Harness, without pytest

from Harness import api
from Harness.waiting import wait_until
from photographed import photographed_dashboard
from PIL import Image, ImageDraw
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

FILE = Path(__file__).parents[2] / "docs/dashboard.webp"
WIDTH, HEIGHT = 1120, 700
"""The size of the page. The pictures are smaller, as README.md shows them."""
SHOWN = 896, 560
MAX_SIZE = 2_000_000
STEPS = 6
"""The number of pictures of one movement of the pointer."""

# The corners of two patches, in fractions of the picture (docs/test-pattern.md).
ORANGE = ((0.075, 0.27), (0.125, 0.34))
YELLOW = ((0.375, 0.43), (0.425, 0.5))

ARROW = [(0, 0), (0, 17), (4, 13), (7, 19), (10, 18), (7, 12), (12, 12)]


class Film:
    """Pictures of the page, with the pointer, which screenshots do not have."""

    def __init__(self, driver):
        self.driver = driver
        self.frames: list[Image.Image] = []
        self.durations: list[int] = []
        self.pointer = (WIDTH // 2, HEIGHT // 2)

    def take(self, milliseconds: int) -> None:
        frame = Image.open(io.BytesIO(self.driver.get_screenshot_as_png())).convert("RGB")
        x, y = self.pointer
        ImageDraw.Draw(frame).polygon([(x + right, y + down) for right, down in ARROW], fill="white", outline="black")
        self.frames.append(frame.resize(SHOWN, Image.Resampling.LANCZOS))
        self.durations.append(milliseconds)

    def move(self, x: float, y: float, milliseconds: int = 60) -> None:
        """Moves the pointer there in several steps, with the button as it is."""
        (startX, startY), (endX, endY) = self.pointer, (round(x), round(y))
        for step in range(1, STEPS + 1):
            share = step / STEPS
            self.pointer = (round(startX + (endX - startX) * share), round(startY + (endY - startY) * share))
            actions = ActionChains(self.driver, duration=0)
            actions.w3c_actions.pointer_action.move_to_location(*self.pointer)
            actions.perform()
            self.take(milliseconds)

    def move_to(self, element) -> None:
        box = self.driver.execute_script("return arguments[0].getBoundingClientRect().toJSON()", element)
        self.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def click(self, element) -> None:
        self.move_to(element)
        ActionChains(self.driver, duration=0).click().perform()

    def wait(self, condition: str, milliseconds: int = 200) -> None:
        """Takes pictures until a JavaScript expression is true."""

        def holds() -> bool:
            self.take(milliseconds)
            return self.driver.execute_script(f"return {condition}")

        wait_until(holds, f"not true on the page: {condition}")

    def save(self, path: Path) -> None:
        self.frames[0].save(
            path,
            save_all=True,
            append_images=self.frames[1:],
            duration=self.durations,
            loop=0,
            quality=60,
        )


def draw_area(film: Film, corners) -> None:
    picture = film.driver.find_element(By.ID, "view")
    box = film.driver.execute_script("return arguments[0].getBoundingClientRect().toJSON()", picture)
    (left, top), (right, bottom) = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    film.move(left, top)
    ActionChains(film.driver, duration=0).click_and_hold().perform()
    film.move(right, bottom, 120)
    film.take(600)
    ActionChains(film.driver, duration=0).release().perform()
    film.wait("document.getElementById('toast').textContent === 'The area was changed'")


def take_sample(film: Film, count: int, name: str) -> None:
    film.click(film.driver.find_element(By.ID, "sample"))
    film.wait(f"document.querySelectorAll('#sample-list tr').length === {count}")
    film.take(800)
    film.click(film.driver.find_element(By.CSS_SELECTOR, "#sample-list button.square"))
    film.take(400)
    film.click(film.driver.find_element(By.ID, "rename-sample"))
    for letter in name:
        ActionChains(film.driver).send_keys(letter).perform()
        film.take(80)
    ActionChains(film.driver).send_keys(Keys.ENTER).perform()
    film.wait(f"document.querySelector('#sample-list .sample-name > :first-child').textContent === '{name}'")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, nargs="?", default=FILE)
    out = parser.parse_args().out
    with photographed_dashboard(WIDTH, HEIGHT) as (driver, server):
        # In steady light, the quality is good.
        api.request(f"{server.url}api/controls/lamp_drift", "PUT", {"value": False})
        wait_until(lambda: api.get_json(f"{server.url}api/reading")["settled"], "the colour is changing")
        wait_until(
            lambda: driver.execute_script("return 'shown' in document.getElementById('live').dataset"),
            "there is no picture",
        )
        film = Film(driver)
        film.take(1200)
        draw_area(film, ORANGE)
        film.take(800)
        take_sample(film, 1, "Orange")
        draw_area(film, YELLOW)
        film.take(800)
        take_sample(film, 2, "Yellow")
        for row in (1, 2):
            film.click(driver.find_element(By.CSS_SELECTOR, f"#sample-list tr:nth-child({row}) input[type=checkbox]"))
        film.wait("/\\d/.test(document.getElementById('compared-delta').textContent)")
        film.take(4000)
    film.save(out)
    size = out.stat().st_size
    print(f"{out}: {size / 1000:.0f} KB, {sum(film.durations) / 1000:.0f} s, {len(film.frames)} pictures")
    assert size < MAX_SIZE


if __name__ == "__main__":
    main()
