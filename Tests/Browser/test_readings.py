"""The page shows the newest reading completely and legibly."""

import json
import re

import fake_readings
import pytest
from Harness.api import request
from Harness.chromium import set_color_scheme
from selenium.webdriver.support.select import Select


def channels(hex_color: str) -> list[int]:
    return [int(hex_color[start : start + 2], 16) for start in (1, 3, 5)]


def luminance(rgb: list[int]) -> float:
    """Relative luminance, WCAG 2.2."""
    linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: list[int], other: list[int]) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def css_channels(css: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", css)[:3]]


def test_hex_rgb_swatch_brightness_and_label_are_those_of_the_reading(page):
    shown = page.snapshot()
    assert re.fullmatch(r"#[0-9A-F]{6}", shown["hex"])
    assert re.fullmatch(r"[a-z ]+", shown["name"])
    assert [int(channel) for channel in shown["rgb"]] == channels(shown["hex"])
    assert shown["fill"] == shown["hex"]
    assert shown["level"] == pytest.approx(sum(channels(shown["hex"])) / 765, abs=0.003)
    assert int(shown["brightness"]) == pytest.approx(shown["level"] * 100, abs=0.8)
    assert (shown["state"], shown["label"]) == ("test-pattern", "Test pattern")
    assert page.element("state").is_displayed()


def test_the_title_and_the_theme_have_the_held_colour(page):
    shown = page.snapshot()
    # The title and the theme colour follow every few seconds, and immediately when the colour is held.
    page.element("hold").click()
    page.wait_for(lambda shown: shown["title"] == f"Held {shown['hex']} · Swatchcam", "the colour in the title")
    shown = page.snapshot()
    assert shown["themeColor"] == shown["heldFill"] == shown["hex"]


def test_the_figures_of_a_notation_keep_their_decimals_and_what_is_copied_does_not(browse, server):
    """CSS omits trailing zeros; figures that come and go would jump."""
    names = {name: f"{name}(48 2.4 -5)" for name in ("hsl", "hwb", "lab", "lch", "oklab", "oklch")}
    page = browse(server, before=fake_readings.SCRIPT % json.dumps({"color": {"css": names}}))
    page.wait_until_complete()
    Select(page.element("notation")).select_by_visible_text("lab")
    page.wait_for(lambda now: now["notation"] == "48.0 2.4 −5.0", "the figures")
    page.element("copy-notation").click()
    page.wait_for(lambda now: now["toast"].endswith("lab(48 2.4 -5)"), "what was copied")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_enough_contrast_whatever_the_colour(page, scheme):
    """WCAG 2.2, 1.4.3. Hex and name lie on the colour."""
    set_color_scheme(page.driver, scheme)
    pairs = page.driver.execute_script("""
      const background = (element) => {
        if (element.matches(".side")) return getComputedStyle(document.getElementById("color")).fill;
        const { backgroundColor } = getComputedStyle(element);
        return backgroundColor === "rgba(0, 0, 0, 0)" ? background(element.parentElement) : backgroundColor;
      };
      return [...document.querySelectorAll("#dashboard *")]
        .filter((element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
        .filter((element) => element.checkVisibility() && !element.closest("svg, .visually-hidden, :disabled"))
        .map((element) => [element.id || element.className, getComputedStyle(element).color, background(element)]);
    """)
    assert len(pairs) > 20
    low = [name for name, ink, paper in pairs if contrast(css_channels(ink), css_channels(paper)) < 4.5]
    assert low == []


def test_readings_are_shown_in_order_four_times_a_second(browse, start_server):
    page = browse(start_server())
    page.wait_for_readings(2)
    readings = page.wait_for_readings(9)
    sequences = [reading["sequence"] for reading in readings]
    # One may be missing: if the browser is busy, a newer reading replaces it.
    assert sequences == sorted(set(sequences))
    # By the server's clock, so that a slow browser does not matter.
    assert 3 < (sequences[-1] - sequences[0]) / (readings[-1]["time"] - readings[0]["time"]) < 5


def test_the_page_is_sent_with_a_reading(server):
    html = request(server.url).text
    embedded = re.search(r'<script type="application/json" id="reading">(.*?)</script>', html, re.DOTALL).group(1)
    assert json.loads(embedded)["hex"] == re.search(r'id="hex">(#[0-9A-F]{6})<', html).group(1)


def test_without_a_camera_the_swatch_shows_the_state_and_what_to_do(start_server, browse):
    server = start_server("/dev/video-none")
    page = browse(server)
    page.wait_for_readings(1)
    shown = page.snapshot()
    # The script's label is that of the server.
    assert f'id="state">{shown["label"]}<' in request(server.url).text
    assert (shown["state"], shown["noticeTitle"]) == ("no-camera", "No camera")
    assert shown["noticeShown"] and len(shown["noticeMessage"]) > 10
    assert not shown["readoutShown"] and shown["fill"] == "none" and shown["level"] is None
    assert "#" not in shown["title"]
