"""The dashboard in headless Chromium shows the colours of vivid: on this machine's kernel, or from inside the lab."""

import os
import pathlib
import sys

import program
import pytest
import vivid
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "Browser"))

from chromium import chromium

OUT = pathlib.Path(os.environ.get("SWATCHCAM_OUT", program.ROOT / ".build/out"))


@pytest.fixture(scope="module")
def browser():
    driver = chromium()
    yield driver
    driver.quit()


@pytest.mark.parametrize("pattern", ["green", "blue", "red"])
def test_page_shows_what_the_camera_sees(browser, vivid_server, pattern):
    url, show = vivid_server
    expected = vivid.golden_hex("YUYV", pattern)
    if browser.current_url != f"{url}/":
        browser.get(f"{url}/")
    show(pattern)
    WebDriverWait(browser, program.PATIENCE).until(
        lambda driver: expected in driver.find_element(By.TAG_NAME, "body").text, f"{expected} does not appear"
    )
    OUT.mkdir(parents=True, exist_ok=True)
    assert browser.save_screenshot(str(OUT / "lab-dashboard.png"))
    red, green, blue = (int(expected[index : index + 2], 16) for index in (1, 3, 5))
    assert f"rgb({red}, {green}, {blue})" in colors_painted(browser), "the swatch has another colour"


def test_the_camera_is_switched_on_the_page(browser, vivid_server):
    """By the key, the button and the list; the list shows which it is."""
    url, _ = vivid_server

    def wait_for(node):
        shown = "return document.getElementById('camera-device').textContent + ' ' + document.querySelector("
        shown += "'#camera-choice option:checked')?.textContent"
        WebDriverWait(browser, program.PATIENCE).until(
            lambda driver: driver.execute_script(shown) == f"{node} vivid ({node})", f"{node} is not shown"
        )

    browser.get(f"{url}/")
    first, second = (camera["device"] for camera in program.get(f"{url}/api/cameras")["cameras"])
    wait_for(first)
    browser.find_element(By.TAG_NAME, "body").send_keys("t")
    wait_for(second)
    browser.find_element(By.ID, "next-camera").click()
    wait_for(first)
    choice = browser.find_element(By.ID, "camera-choice")
    assert [option.text for option in Select(choice).options][-1] == "Test pattern"
    Select(choice).select_by_visible_text(f"vivid ({second})")
    wait_for(second)
    Select(choice).select_by_visible_text(f"vivid ({first})")
    wait_for(first)


def colors_painted(browser):
    """The fills and backgrounds of everything on the page."""
    return set(
        browser.execute_script("""
        return [...document.querySelectorAll("*")].flatMap(element => {
            const style = getComputedStyle(element);
            return [style.backgroundColor, style.fill];
        });
    """)
    )
