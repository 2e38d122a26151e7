"""The page keeps to itself, fits every screen and works without JavaScript."""

import re
import urllib.request

import pytest
from chromium import set_color_scheme, set_size

VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective + " " + event.blockedURI));
"""


def test_console_is_silent(page):
    page.wait_for_readings(4)
    page.element("copy-hex").click()
    assert page.console() == []


def test_policy_allows_the_page_alone(server):
    policy = urllib.request.urlopen(server.url).headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy


def test_policy_is_kept(browse, server):
    page = browse(server, before=VIOLATIONS)
    page.wait_for_readings(4)
    assert page.driver.execute_script("return window.violations") == []


def test_nothing_comes_from_elsewhere(page, server):
    loaded = page.driver.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert len(loaded) >= 3
    assert [url for url in loaded if not url.startswith(server.url)] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_follows_the_color_scheme(page, scheme):
    set_color_scheme(page.driver, scheme)
    background = page.driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    lightness = int(re.search(r"\d+", background).group())
    assert lightness > 200 if scheme == "light" else lightness < 60


@pytest.mark.parametrize("width, height", [(320, 568), (390, 844), (844, 390), (768, 1024), (1280, 800), (3840, 2160)])
@pytest.mark.parametrize("device", ["test-pattern", "/dev/video-none"])
def test_page_fits(start_server, browse, device, width, height):
    page = browse(start_server(device))
    set_size(page.driver, width, height)
    page.wait_for_readings(1)
    assert page.driver.execute_script("return document.documentElement.scrollWidth") <= width
    outside = page.driver.execute_script("""
      const swatch = document.querySelector(".swatch").getBoundingClientRect();
      return [...document.querySelectorAll(".swatch :is(#hex, .channel, .copy-mark, .pill, .notice-title, .notice-message)")]
        .filter((element) => element.checkVisibility())
        .filter((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          return left < swatch.left || right > swatch.right || top < swatch.top || bottom > swatch.bottom;
        }).map((element) => element.id || element.className.baseVal || element.className);
    """)
    assert outside == []


@pytest.mark.parametrize("width, height, least", [(390, 844, 70), (1280, 800, 150), (3840, 2160, 450)])
def test_hex_can_be_read_across_a_room(page, width, height, least):
    """With the picture turned off; over the picture it is smaller."""
    page.element("show-pictures").click()
    assert_hex_is_large(page, width, height, least)
    page.element("show-pictures").click()


@pytest.mark.parametrize("width, height, least", [(390, 844, 70), (1280, 800, 84), (3840, 2160, 230)])
def test_hex_can_be_read_over_the_picture(page, width, height, least):
    assert_hex_is_large(page, width, height, least)


def assert_hex_is_large(page, width, height, least):
    set_size(page.driver, width, height)
    size = page.driver.execute_script("return getComputedStyle(document.getElementById('hex')).fontSize")
    assert float(size.removesuffix("px")) >= least


def test_nothing_moves_as_digits_change(page):
    first, *others = page.wait_for_readings(20)
    for reading in others:
        assert reading["boxes"] == first["boxes"]


def test_page_is_useful_without_javascript(driver, server):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        driver.get(server.url)
        document = driver.execute_cdp_cmd("DOMSnapshot.captureSnapshot", {"computedStyles": []})
        html = driver.page_source
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    # Text that has been laid out, that is: that can be seen.
    layout = document["documents"][0]["layout"]
    seen = " ".join(document["strings"][index] for index in layout["text"] if index >= 0)
    hex_color = re.search(r"#[0-9A-F]{6}", seen)
    assert hex_color and f'fill="{hex_color.group()}"' in html
    assert "Test pattern" in seen and "JavaScript is off" in seen and "not live" in seen
