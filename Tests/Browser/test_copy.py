"""The hex and RGB values are copied to the clipboard by mouse and by keyboard."""

import re

import pytest
from Harness.cases import sampled
from selenium.webdriver.common.keys import Keys

FORMS = [("copy-hex", r"#[0-9A-F]{6}"), ("copy-rgb", r"rgb\(\d{1,3} \d{1,3} \d{1,3}\)")]

# A page from another machine over plain HTTP has no clipboard; the test keeps a reference to it, to read it.
NO_CLIPBOARD = """
window.clipboardOfTheTest = navigator.clipboard;
Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined });
"""


@pytest.fixture(autouse=True)
def permission(driver, server):
    driver.execute_cdp_cmd(
        "Browser.grantPermissions",
        {"origin": server.url.rstrip("/"), "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]},
    )
    yield
    driver.execute_cdp_cmd("Browser.resetPermissions", {})


def clipboard(page) -> str:
    return page.driver.execute_async_script(
        "const done = arguments[0]; (window.clipboardOfTheTest ?? navigator.clipboard).readText().then(done, (e) => done(String(e)))"
    )


def wait_for_confirmation(page) -> str:
    """Waits until the page says what it has copied, and returns that."""
    return page.wait_for(lambda shown: shown["toast"] != "", "a confirmation")["toast"].removeprefix("Copied ")


@pytest.mark.parametrize("button, form", FORMS)
def test_a_click_copies_the_value(page, button, form):
    page.element(button).click()
    copied = wait_for_confirmation(page)
    assert re.fullmatch(form, copied)
    assert clipboard(page) == copied


@pytest.mark.parametrize("button, form", [*FORMS, ("copy-notation", r"oklch\(.+\)")])
def test_a_click_copies_the_held_value_and_says_so_in_sight(page, button, form):
    page.element("hold").click()
    page.wait_until("document.getElementById('dashboard').hasAttribute('data-held')")
    page.element(button).click()
    copied = wait_for_confirmation(page)
    assert re.fullmatch(form, copied) and clipboard(page) == copied
    assert page.element("toast").is_displayed() and page.element("toast").text == f"Copied {copied}"


@pytest.mark.parametrize("button, form", FORMS)
def test_a_click_copies_the_value_where_pages_have_no_clipboard(browse, server, button, form):
    page = browse(server, before=NO_CLIPBOARD)
    page.wait_for_readings(1)
    page.element(button).click()
    copied = wait_for_confirmation(page)
    assert re.fullmatch(form, copied)
    assert clipboard(page) == copied
    assert page.driver.switch_to.active_element.get_attribute("id") == button


@pytest.mark.parametrize("key", [Keys.ENTER, Keys.SPACE])
def test_enter_and_space_copy_the_focused_value(page, key):
    page.driver.execute_script("document.getElementById('copy-hex').focus()")
    page.driver.switch_to.active_element.send_keys(key)
    copied = wait_for_confirmation(page)
    assert clipboard(page) == copied


@pytest.mark.parametrize("button", sampled(["copy-hex", "copy-rgb", "copy-notation"]))
def test_the_name_of_a_copy_button_does_not_change_with_the_readings(page, button):
    name = (
        "return document.getElementById(arguments[0]).computedName ?? document.getElementById(arguments[0]).ariaLabel"
    )
    before = page.driver.execute_script(name, button)
    page.wait_for_readings(4)
    assert before.startswith("Copy ") and page.driver.execute_script(name, button) == before


def test_the_confirmation_of_a_copy_disappears(page):
    page.element("copy-hex").click()
    wait_for_confirmation(page)
    page.wait_for(lambda shown: shown["toast"] == "", "the confirmation to go")
