"""The hex and RGB values are copied to the clipboard by mouse and by keyboard."""

import re

import pytest
from Harness.waiting import wait_until
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.slow

FORMS = {"copy-hex": r"#[0-9A-F]{6}", "copy-rgb": r"rgb\(\d{1,3} \d{1,3} \d{1,3}\)", "copy-notation": r"oklch\(.+\)"}

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


def copied(page, button, key=None) -> str:
    """Copies by a click, or by this key, and returns the copied text once the page has confirmed it."""
    page.driver.execute_async_script(
        "const done = arguments[0]; (window.clipboardOfTheTest ?? navigator.clipboard).writeText('').then(done)"
    )
    if key:
        page.driver.execute_script("document.getElementById(arguments[0]).focus()", button)
        page.driver.switch_to.active_element.send_keys(key)
    else:
        page.element(button).click()
    value = wait_until(lambda: clipboard(page), "nothing is copied")
    page.wait_for(lambda shown: shown["toast"] == f"Copied {value}", "a confirmation")
    assert page.driver.execute_script(
        "return [...document.querySelectorAll('#' + arguments[0] + ' path')].map((path) => path.checkVisibility())",
        button,
    ) == [False, True]
    return value


def test_live_values_are_copied_by_a_click_and_by_enter_and_space_and_the_confirmation_disappears(page):
    for button, form in FORMS.items():
        value = copied(page, button)
        assert re.fullmatch(form, value)
    for key in (Keys.ENTER, Keys.SPACE):
        assert re.fullmatch(FORMS["copy-hex"], copied(page, "copy-hex", key))
    page.wait_for(lambda shown: shown["toast"] == "", "the confirmation to go")


def test_held_values_are_copied_and_the_page_says_so_in_sight(page):
    page.element("hold").click()
    page.wait_until("document.getElementById('dashboard').hasAttribute('data-held')")
    for button, form in FORMS.items():
        value = copied(page, button)
        assert re.fullmatch(form, value)
        assert page.element("toast").is_displayed() and page.element("toast").text == f"Copied {value}"


def test_a_click_copies_the_value_where_pages_have_no_clipboard(browse, server):
    page = browse(server, before=NO_CLIPBOARD)
    page.wait_for_readings(1)
    value = copied(page, "copy-rgb")
    assert re.fullmatch(FORMS["copy-rgb"], value)
    assert page.driver.switch_to.active_element.get_attribute("id") == "copy-rgb"


def test_the_names_of_the_copy_buttons_do_not_change_with_the_readings(page):
    names = (
        "return arguments[0].map((id) => document.getElementById(id)).map((one) => one.computedName ?? one.ariaLabel)"
    )
    before = page.driver.execute_script(names, [*FORMS])
    page.wait_for_readings(4)
    assert all(name.startswith("Copy ") for name in before)
    assert page.driver.execute_script(names, [*FORMS]) == before
