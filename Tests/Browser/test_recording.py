"""A recording that is started and stopped on the page."""

import re
from datetime import datetime, timedelta

import pytest
from Harness import api
from Harness.chromium import set_size
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

pytestmark = pytest.mark.slow


@pytest.fixture
def server(own_server):
    return own_server


@pytest.fixture
def recorder(browse, server):
    page = browse(server)
    page.wait_until_complete()
    return page


def start(page, name):
    page.element("record").click()
    page.element("recording-title").send_keys(name, Keys.ENTER)
    page.wait_until("!document.getElementById('recording').hidden")


def stop(page):
    page.element("record").click()
    page.wait_until("document.getElementById('recording').hidden")


def marks(page):
    """The texts of the marks, the newest first."""
    page.element("history-more").click()
    page.element("list-marks").click()
    texts = page.driver.execute_script(
        "return [...document.querySelectorAll('#mark-list span')].map((text) => text.textContent)"
    )
    page.element("close-marks").click()
    return texts


def test_a_recording_has_its_name_its_time_and_marks_and_goes_on_after_a_reload_until_it_is_stopped(
    browse, start_server
):
    server = start_server(config="[readings]\nrate = 20\n")
    recorder = browse(server)
    recorder.wait_until_complete()
    assert recorder.element("recording-csv").get_property("hidden")
    recorder.element("record").click()
    assert "until Swatchcam is restarted" in recorder.element("recording-form").text
    recorder.element("record").click()
    start(recorder, "Titration <b>3</b>")
    recorder.wait_for(
        lambda shown: shown["toast"] == "This recording is kept in memory until Swatchcam is restarted.", "the message"
    )
    recording = server.reading()["recording"]
    assert recording["name"] == "Titration <b>3</b>"
    assert recorder.element("recording").is_displayed()
    times = set()
    recorder.wait_for(
        lambda _: times.add(recorder.element("recording-time").text) or len(times) >= 3, "the elapsed time"
    )
    assert all(re.fullmatch(r"00:00:\d\d", time) for time in times)
    recorder.driver.refresh()
    recorder.wait_until_complete()
    recorder.wait_until("!document.getElementById('recording').hidden")
    assert recorder.element("record").text == "Stop"
    recorder.element("expand").click()
    assert recorder.element("recording-name").text == "Titration <b>3</b>"
    assert recorder.element("recording-words").text.endswith("20 a second. It continues when this page is closed.")
    recorder.element("expand").click()
    stop(recorder)
    assert api.get_json(f"{server.url}api/recording")["recording"]["since"] == recording["since"]
    ends = ["Titration <b>3</b>: end", "Titration <b>3</b>: start"]
    recorder.wait_for(lambda _: marks(recorder)[:2] == ends, "the marks of both ends")


def test_a_recording_that_has_ended_can_be_downloaded_from_the_message_and_from_the_menu(recorder, server):
    name = f"Blüte {'W' * 90}"
    start(recorder, name)
    recorder.wait_for_readings(8)
    stop(recorder)
    button = recorder.element("undo")
    recorder.wait_for(lambda _: button.text == "Download", "the offer to download")
    button.click()
    saved = r"Downloaded swatchcam-Blüte-W+-\d{8}T\d{6}Z\.csv"
    recorder.wait_for(lambda page: re.fullmatch(saved, page["toast"]), "the name of the file")
    # The history's menu has it, too, says which one it is, and is no wider than the screen.
    recorder.element("history-more").click()
    set_size(recorder.driver, 390, 844)
    link = recorder.element("recording-csv")
    recorder.wait_for(lambda _: link.text == f"Download “{name}” as CSV", "the name in the menu")
    assert link.get_attribute("href") == f"{server.url}history.csv?recording=1"
    widths = "const menu = document.getElementById('history-menu'); return menu.scrollWidth - menu.clientWidth"
    assert recorder.driver.execute_script(widths) == 0


def test_on_a_phone_the_name_and_the_time_stay_in_sight_above_the_buttons(recorder):
    set_size(recorder.driver, 390, 844)
    recorder.wait_for_readings(2)
    recorder.driver.execute_script("document.getElementById('record').scrollIntoView({ block: 'center' })")
    start(recorder, "Titration")
    recorder.wait_for(lambda _: recorder.element("recording-time").text, "the elapsed time")
    for name in ("recording-label", "recording-time"):
        box = recorder.element(name).rect
        top, left = recorder.driver.execute_script("return [scrollY, scrollX]")
        assert 0 <= box["y"] - top <= 844 - box["height"] and 0 <= box["x"] - left
        covered = "const box = arguments[0].getBoundingClientRect(); return arguments[0].parentElement.parentElement.contains(document.elementFromPoint(box.x + 1, box.y + 1))"
        assert recorder.driver.execute_script(covered, recorder.element(name))
    assert recorder.element("recording-label").text == "Titration"
    message, running = (recorder.element(name).rect for name in ("toast-box", "recording"))
    assert message["y"] + message["height"] <= running["y"]


def test_on_a_low_and_wide_screen_the_name_and_the_time_are_in_the_bar_and_cover_nothing(recorder):
    set_size(recorder.driver, 800, 480)
    start(recorder, "A titration with a rather long name of the third day")
    bar, recording = recorder.driver.find_element("css selector", ".bar").rect, recorder.element("recording").rect
    assert recording["y"] >= bar["y"] and recording["y"] + recording["height"] <= bar["y"] + bar["height"]
    assert recorder.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    stop(recorder)


def test_a_recording_has_the_length_that_was_chosen_and_says_when_it_ends(recorder, server):
    recorder.element("record").click()
    Select(recorder.element("recording-length")).select_by_visible_text("1 h")
    recorder.element("recording-title").send_keys("Titration", Keys.ENTER)
    recorder.wait_until("!document.getElementById('recording').hidden")
    since, end = (datetime.fromisoformat(server.reading()["recording"][key]) for key in ("since", "endsBy"))
    assert end - since == timedelta(hours=1)
    recorder.wait_for(lambda _: recorder.element("recording-total").text == "of 01:00:00", "the length beside the time")
    recorder.wait_for(lambda shown: re.search(r" It ends at \d\d:\d\d:\d\d", shown["toast"]), "the time of the end")
    recorder.element("expand").click()
    assert re.search(r"It ends at \d\d:\d\d:\d\d", recorder.element("recording-words").text)
    # The next one is as long as it needs to be, unless a length is chosen again.
    stop(recorder)
    recorder.element("record").click()
    assert recorder.element("recording-length").get_property("value") == ""


def test_a_name_that_is_refused_is_explained_and_can_be_corrected(recorder):
    recorder.driver.execute_script("document.getElementById('recording-title').maxLength = 200")
    recorder.element("record").click()
    recorder.element("recording-title").send_keys("x" * 101, Keys.ENTER)
    recorder.wait_until("document.getElementById('toast').textContent.includes('100')")
    assert recorder.element("recording-title").get_property("value") == "x" * 101
    assert not recorder.element("recording").is_displayed()
