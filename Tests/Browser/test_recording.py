"""A recording that is started and stopped on the page."""

import csv
import io
import re
from datetime import datetime, timedelta

import pytest
from Harness import api
from Harness.chromium import set_size
from Harness.waiting import wait_until
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select


@pytest.fixture
def server(start_server):
    """A server for each test, which records on it."""
    return start_server(config="[readings]\nrate = 10\n")


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


def rows(server):
    """The rows of the recording's table."""
    text = api.request(f"{server.url}history.csv?recording=1").text
    return list(csv.DictReader(io.StringIO(text)))


def marks(page):
    """The texts of the marks, the newest first."""
    page.element("history-more").click()
    page.element("list-marks").click()
    texts = page.driver.execute_script(
        "return [...document.querySelectorAll('#mark-list span')].map((text) => text.textContent)"
    )
    page.element("close-marks").click()
    return texts


def test_a_recording_starts_with_its_name_and_the_bar_shows_how_long_it_lasts(recorder, server):
    start(recorder, "Titration")
    recording = server.reading()["recording"]
    assert recording["name"] == "Titration"
    assert recorder.element("recording").is_displayed()
    assert recorder.element("record").text == "Stop"
    times = set()
    recorder.wait_for(
        lambda _: times.add(recorder.element("recording-time").text) or len(times) >= 3, "the elapsed time"
    )
    assert all(re.fullmatch(r"00:00:\d\d", time) for time in times)


def test_a_recording_that_would_not_survive_a_restart_says_so(recorder):
    recorder.element("record").click()
    assert "until Swatchcam is restarted" in recorder.element("recording-form").text
    recorder.element("record").click()
    start(recorder, "Titration")
    recorder.wait_for(
        lambda shown: shown["toast"] == "This recording is kept in memory until Swatchcam is restarted.", "the message"
    )


def test_a_recording_that_has_ended_can_be_downloaded_from_the_message(recorder):
    start(recorder, "Blüte 1")
    recorder.wait_for_readings(8)
    stop(recorder)
    button = recorder.element("undo")
    recorder.wait_for(lambda _: button.text == "Download", "the offer to download")
    button.click()
    saved = r"Downloaded swatchcam-Blüte-1-\d{8}T\d{6}Z\.csv"
    recorder.wait_for(lambda page: re.fullmatch(saved, page["toast"]), "the name of the file")
    # The history's menu has it, too, and says which one it is.
    recorder.element("history-more").click()
    recorder.wait_for(
        lambda _: recorder.element("recording-csv").text == "Download “Blüte 1” as CSV", "the name in the menu"
    )


def test_the_history_menu_is_no_wider_than_the_screen_however_long_the_name(recorder):
    start(recorder, "W" * 100)
    recorder.element("history-more").click()
    set_size(recorder.driver, 390, 844)
    recorder.wait_for(lambda _: "WWW" in recorder.element("recording-csv").text, "the name in the menu")
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


def test_the_history_has_a_mark_at_both_ends(recorder):
    start(recorder, "Titration")
    recorder.wait_for(lambda _: marks(recorder)[:1] == ["Titration: start"], "the mark of the start")
    stop(recorder)
    recorder.wait_for(lambda _: marks(recorder)[:2] == ["Titration: end", "Titration: start"], "both marks")


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


def test_a_recording_survives_a_reload_of_the_page(recorder, server):
    start(recorder, "Titration")
    since = server.reading()["recording"]["since"]
    recorder.driver.refresh()
    recorder.wait_until("!document.getElementById('recording').hidden")
    assert recorder.element("record").text == "Stop"
    stop(recorder)
    assert api.get_json(f"{server.url}api/recording")["recording"]["since"] == since


def test_every_reading_is_kept_while_no_page_is_open(recorder, server):
    start(recorder, "Titration")
    recorder.driver.get("about:blank")
    before = len(rows(server))
    wait_until(lambda: len(rows(server)), "the recording does not go on", holds=lambda now: now >= before + 8)


def test_the_table_has_the_readings_of_just_that_time(recorder, server):
    recorder.wait_for_readings(8)
    assert recorder.element("recording-csv").get_property("hidden")
    start(recorder, "Titration")
    recorder.wait_for_readings(20)
    stop(recorder)
    recording = api.get_json(f"{server.url}api/recording")["recording"]
    recorder.element("history-more").click()
    link = recorder.element("recording-csv")
    assert link.is_displayed()
    assert link.get_attribute("href") == f"{server.url}history.csv?recording=1"
    times = [row["time_iso"] for row in rows(server)]
    assert len(times) >= 4
    assert recording["since"] <= times[0] and times[-1] <= recording["until"]
    # It stays as it is.
    recorder.wait_for_readings(8)
    assert [row["time_iso"] for row in rows(server)] == times


def test_a_recording_without_a_name_is_called_recording(recorder, server):
    start(recorder, "")
    assert server.reading()["recording"]["name"] == "Recording"


def test_the_large_history_names_the_recording(recorder):
    start(recorder, "Titration <b>3</b>")
    recorder.element("expand").click()
    assert recorder.element("recording-name").text == "Titration <b>3</b>"
    assert recorder.element("recording-words").text.endswith("10 a second. It continues when this page is closed.")


def test_a_name_that_is_refused_is_explained_and_can_be_corrected(recorder):
    recorder.driver.execute_script("document.getElementById('recording-title').maxLength = 200")
    recorder.element("record").click()
    recorder.element("recording-title").send_keys("x" * 101, Keys.ENTER)
    recorder.wait_until("document.getElementById('toast').textContent.includes('100')")
    assert recorder.element("recording-title").get_property("value") == "x" * 101
    assert not recorder.element("recording").is_displayed()
