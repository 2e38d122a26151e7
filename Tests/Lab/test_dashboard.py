"""The dashboard in headless Chromium shows the colours of vivid: on this machine's kernel, or from inside the lab."""

import os
import pathlib

import program
import pytest
import vivid
from Harness.chromium import chromium
from Harness.dashboard import Dashboard
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

OUT = pathlib.Path(os.environ.get("SWATCHCAM_OUT", program.ROOT / ".build/out"))


@pytest.fixture(scope="module")
def browser():
    driver = chromium()
    yield driver
    driver.quit()


@pytest.mark.parametrize("pattern", ["green", "red"])
def test_the_page_shows_the_colour_that_the_camera_sees(browser, vivid_server, pattern):
    url, show = vivid_server
    expected = vivid.golden_hex("YUYV", pattern)
    if browser.current_url != f"{url}/":
        browser.get(f"{url}/")
    show(pattern)
    program.wait_until(
        lambda: browser.find_element(By.TAG_NAME, "body").text,
        f"{expected} does not appear",
        holds=lambda text: expected in text,
    )
    OUT.mkdir(parents=True, exist_ok=True)
    assert browser.save_screenshot(str(OUT / "lab-dashboard.png"))
    red, green, blue = (int(expected[index : index + 2], 16) for index in (1, 3, 5))
    assert f"rgb({red}, {green}, {blue})" in colors_painted(browser), "the swatch has another colour"


def test_the_camera_can_be_switched_on_the_page(browser, vivid_server):
    """Switches by the key, the button and the list, which shows the chosen camera."""
    url, _ = vivid_server

    def wait_for(node):
        shown = "return document.querySelector('#camera-choice option:checked')?.textContent"
        program.wait_until(
            lambda: browser.execute_script(shown),
            f"{node} is not shown",
            holds=lambda text: text == f"vivid ({node})",
        )
        # The list shows a choice before the server has it.
        program.wait_until(
            lambda: program.get(f"{url}/api/reading")["camera"]["device"],
            f"{node} is not read",
            holds=lambda device: device == node,
        )

    browser.get(f"{url}/")
    Dashboard(browser).wait_until_complete()
    first, second = (camera["device"] for camera in program.get(f"{url}/api/cameras")["cameras"])
    wait_for(first)
    ActionChains(browser).send_keys("t").perform()
    wait_for(second)
    browser.find_element(By.ID, "more").click()
    browser.find_element(By.ID, "next-camera").click()
    wait_for(first)
    choice = browser.find_element(By.ID, "camera-choice")
    assert [option.text for option in Select(choice).options][-1] == "Test pattern"
    Select(choice).select_by_visible_text(f"vivid ({second})")
    wait_for(second)
    Select(choice).select_by_visible_text(f"vivid ({first})")
    wait_for(first)


@pytest.fixture
def panel(browser, vivid_server):
    """The open list of controls: a function that returns the field of a control."""
    url, _ = vivid_server
    browser.get(f"{url}/")
    # The browser remembers the tab that another test chose.
    browser.execute_script("localStorage.clear()")
    browser.refresh()
    Dashboard(browser).wait_until_complete()
    wait_for(browser, lambda: browser.find_element(By.ID, "lock-now").is_displayed())
    assert browser.execute_script("return document.querySelectorAll('.control').length") == 0, (
        "the list is built although it is closed"
    )
    browser.find_element(By.ID, "controls-tab").click()

    def field(label, kind="input, select, button.plain"):
        # In one step, because the page may redraw the list in between.
        return browser.execute_script(
            """
            const [label, kind] = arguments;
            const row = [...document.querySelectorAll(".control")].find((row) => row.innerText.trim().startsWith(label));
            return [...row.querySelectorAll(kind)].at(-1);
            """,
            label,
            kind,
        )

    wait_for(browser, lambda: len(browser.find_elements(By.CLASS_NAME, "control")) > 40)
    yield field
    # On a busy computer the camera may not answer in time: 503.
    wait_for(browser, lambda: program.request(f"{url}/api/controls/reset", "POST", b"").status == 200)


def wait_for(browser, condition):
    program.wait_until(condition, lambda: f"the page says {browser.find_element(By.TAG_NAME, 'body').text!r}")


def value_of(vivid_server, name):
    controls = program.get(f"{vivid_server[0]}/api/controls")["controls"]
    return next(control["value"] for control in controls if control["name"] == name)


def test_the_page_sets_a_control_of_each_kind(browser, vivid_server, panel):
    slider = panel("Brightness", "input[type=range]")
    ActionChains(browser).move_to_element(slider).click().send_keys(Keys.HOME, Keys.RIGHT).perform()
    wait_for(browser, lambda: value_of(vivid_server, "brightness") == 1)
    panel("Horizontal Flip").click()
    wait_for(browser, lambda: value_of(vivid_server, "horizontal_flip") == 1)
    Select(panel("Menu")).select_by_visible_text("Menu Item 4")
    wait_for(browser, lambda: value_of(vivid_server, "menu") == 4)
    Select(panel("Integer Menu")).select_by_visible_text("8")
    wait_for(browser, lambda: value_of(vivid_server, "integer_menu") == 5)
    for label, name, typed, value in (
        ("Integer 32 Bits", "integer_32_bits", "-7", -7),
        ("Bitmask", "bitmask", "0x2000", 0x2000),
        ("String", "string", "abcd", "abcd"),
    ):
        panel(label).send_keys(Keys.CONTROL + "a" + Keys.NULL, typed, Keys.ENTER)
        wait_for(browser, lambda name=name, value=value: value_of(vivid_server, name) == value)
    browser.find_element(By.ID, "reset-controls").click()
    wait_for(browser, lambda: value_of(vivid_server, "brightness") == 128)
    wait_for(browser, lambda: panel("Brightness").get_attribute("value") == "128")


def test_a_control_that_cannot_be_set_says_why(panel):
    assert not panel("Gain\n").is_enabled()
    row = panel("Gain\n").find_element(By.XPATH, "ancestor::*[@class='control']")
    assert row.text.endswith("Gain, Automatic has taken it over")
    assert not panel("Read-Only Integer 32 Bits").is_enabled()


def test_one_tap_locks_for_measuring_and_shows_the_lines_for_the_configuration(browser, vivid_server):
    browser.get(f"{vivid_server[0]}/")
    Dashboard(browser).wait_until_complete()
    notice = browser.find_element(By.ID, "notice-line")
    wait_for(browser, lambda: "Gain, Automatic is on" in notice.text)
    lock_now = browser.find_element(By.ID, "lock-now")
    wait_for(browser, lock_now.is_displayed)
    lock_now.click()
    lines = browser.find_element(By.ID, "lock-lines")
    wait_for(browser, lines.is_displayed)
    assert lines.text.startswith("[camera.controls]\ngain_automatic = 0\ngain = ")
    wait_for(browser, lambda: "Gain, Automatic is on" not in notice.text)
    OUT.mkdir(parents=True, exist_ok=True)
    assert browser.save_screenshot(str(OUT / "lab-controls.png"))
    browser.find_element(By.ID, "lock").click()
    wait_for(browser, lambda: "Gain, Automatic is on" in notice.text)
    assert value_of(vivid_server, "gain_automatic") == 1


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
