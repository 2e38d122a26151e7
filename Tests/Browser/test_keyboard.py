"""The six tasks of the page, each with nothing but the keyboard: Tab, arrows, Space, Enter, Escape and letters."""

import pytest
from control_panel import FAKE_CAMERA
from Harness import api
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.slow

MAX_TABS = 60
FOCUS = """
const { id, textContent, ariaLabel } = document.activeElement;
return [id, ariaLabel ?? textContent.trim()];
"""


@pytest.fixture
def server(own_server):
    return own_server


@pytest.fixture
def page(browse, server):
    page = browse(server)
    page.wait_until_complete()
    return page


def press(page, *keys: str) -> None:
    ActionChains(page.driver).send_keys(*keys).perform()


def tab_to(page, wanted: str) -> None:
    """Presses Tab until an element with this id or name has the focus, which can then be seen."""
    for _ in range(MAX_TABS):
        press(page, Keys.TAB)
        if wanted in page.driver.execute_script(FOCUS):
            assert page.driver.execute_script("return document.activeElement.matches(':focus-visible')")
            assert page.driver.switch_to.active_element.is_displayed()
            return
    pytest.fail(f"Tab does not reach {wanted}")


def sampled_names(page) -> list[str]:
    return page.driver.execute_script(
        "return [...document.querySelectorAll('#sample-list .sample-name > :first-child')].map((name) => name.textContent)"
    )


def test_one_patch_is_read(page, server):
    tab_to(page, "region")
    # The first arrow selects a spot in the middle of the picture; with Shift, arrows resize the area.
    press(page, *[Keys.ARROW_LEFT] * 3)
    ActionChains(page.driver).key_down(Keys.SHIFT).send_keys(*[Keys.ARROW_LEFT] * 8, *[Keys.ARROW_UP] * 8).key_up(
        Keys.SHIFT
    ).perform()
    page.wait_until("/^Area \\d+ × \\d+ px/.test(document.getElementById('region-hint').textContent)")
    page.wait_for(lambda _: server.reading()["region"][2] < 0.4, "a small area")
    press(page, Keys.HOME)
    page.wait_for(lambda _: server.reading()["region"] == [0, 0, 1, 1], "the whole picture")


def test_the_colour_is_kept_as_a_sample_and_named(page):
    tab_to(page, "sample")
    press(page, Keys.ENTER)
    page.wait_for(lambda _: len(sampled_names(page)) == 1, "a sample")
    tab_to(page, "More about Sample 1")
    press(page, Keys.ENTER)
    tab_to(page, "rename-sample")
    press(page, Keys.ENTER)
    press(page, "Leaf", Keys.ENTER)
    page.wait_for(lambda _: sampled_names(page) == ["Leaf"], "the name")


def test_two_samples_are_compared(page, server):
    for name in ("Leaf", "Stone"):
        assert api.request(f"{server.url}api/samples", "POST", {"name": name, "readings": 1}).status == 201
    page.wait_for(lambda _: len(sampled_names(page)) == 2, "two samples")
    for name in ("Stone", "Leaf"):
        tab_to(page, f"Compare {name}")
        press(page, Keys.SPACE)
    page.wait_until("!document.getElementById('dock').hidden")
    page.wait_until("/^\\d+\\.\\d/.test(document.getElementById('compared-delta').textContent)")
    tab_to(page, "clear-comparison")
    press(page, Keys.ENTER)
    page.wait_until("document.getElementById('dock').hidden")


def test_a_recording_is_started_and_stopped(page, server):
    tab_to(page, "record")
    press(page, Keys.ENTER)
    press(page, "Titration", Keys.ENTER)
    page.wait_until("!document.getElementById('recording').hidden")
    assert server.reading()["recording"]["name"] == "Titration"
    page.wait_until("document.activeElement.id === 'record'")
    press(page, Keys.ENTER)
    page.wait_until("document.getElementById('recording').hidden")


def test_tables_are_exported(page):
    page.driver.execute_script("""
      window.followed = [];
      addEventListener("click", (event) => {
        const link = event.target.closest("a[download]");
        if (!link) return;
        event.preventDefault();
        followed.push(link.id);
      });
    """)
    for menu, link in (("history-more", "history-csv"), ("export", "samples-csv")):
        tab_to(page, menu)
        press(page, Keys.ENTER)
        tab_to(page, link)
        press(page, Keys.ENTER)
        assert page.driver.execute_script("return followed.pop()") == link


def test_the_camera_is_locked(browse, server):
    page = browse(server, f"{{{FAKE_CAMERA}}}")
    page.wait_until("!document.getElementById('lock-now').hidden")
    page.driver.execute_script("camera.slowMethod = 'POST'")
    tab_to(page, "lock-now")
    press(page, Keys.ENTER)
    page.wait_until("camera.unanswered.length === 1")
