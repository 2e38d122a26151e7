"""The page finds its way back, and never shows an old colour as a live one."""

import re

import pytest

STALE_MESSAGE = r"No reading since \d\d:\d\d:\d\d \((\d+) s\)\."

RECORD_COLORS = """
const dashboard = document.getElementById("dashboard");
window.sequencesWithColor = [];
new MutationObserver(() => {
  if (dashboard.hasAttribute("data-color")) window.sequencesWithColor.push(Number(dashboard.dataset.sequence));
}).observe(dashboard, { attributes: true });
"""

COUNT_SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...all) {
    super(...all);
    window.sockets.push(this);
  }
};
"""

# What Date.now() says runs on by `window.slept`, as it does while performance.now() stands still in suspend.
SLEEP = """
window.slept = 0;
const now = Date.now;
Date.now = () => now() + window.slept;
"""


def seconds_of_silence(shown: dict) -> int:
    return int(re.match(STALE_MESSAGE, shown["noticeMessage"]).group(1))


def test_page_says_since_when_there_is_no_reading(page, server):
    server.stop()
    shown = page.wait_for_state("stale")
    assert shown["noticeTitle"] == "Connection lost" and shown["noticeShown"]
    assert re.match(STALE_MESSAGE, shown["noticeMessage"])


def test_seconds_without_a_reading_are_counted(page, server):
    server.stop()
    first = seconds_of_silence(page.wait_for_state("stale"))
    page.wait_for(lambda shown: seconds_of_silence(shown) > first, "another second")


def test_page_is_live_again_after_a_restart(page, server):
    server.stop()
    page.wait_for_state("stale")
    server.start()
    page.wait_for_state("test-pattern")
    page.wait_for_readings(2)
    assert page.snapshot()["readoutShown"]


def test_readings_of_a_new_server_count_although_they_start_at_one(page, server):
    before = page.wait_for_readings(20)[-1]["sequence"]
    server.stop()
    page.wait_for_state("stale")
    page.driver.execute_script(RECORD_COLORS)
    server.start()
    page.wait_for_state("test-pattern")
    assert page.driver.execute_script("return window.sequencesWithColor[0]") < before


def test_old_color_is_a_memory_while_the_server_is_gone(page, server):
    server.stop()
    shown = page.wait_for_state("stale")
    assert not shown["hasColor"] and not shown["readoutShown"]
    assert shown["fill"] == "none" and shown["meter"] is None and shown["brightness"] == "–"
    assert "#" not in shown["title"] and shown["themeColor"] != shown["hex"]
    assert shown["lastSeen"] == shown["hex"]


def test_no_color_comes_back_before_the_server_does(page, server):
    server.stop()
    page.wait_for_state("stale")
    page.driver.execute_script(RECORD_COLORS)
    # Long enough for several attempts to connect.
    page.wait_for(lambda shown: seconds_of_silence(shown) >= 3, "three seconds of silence")
    assert page.driver.execute_script("return window.sequencesWithColor") == []


def test_silence_on_an_open_connection_is_stale_too(page, server):
    server.suspend()
    shown = page.wait_for_state("stale")
    assert shown["noticeTitle"] == "No reading" and not shown["readoutShown"]
    server.resume()
    page.wait_for_state("test-pattern")


def test_a_dead_connection_is_given_up(page, server):
    server.suspend()
    page.wait_for(lambda shown: shown["noticeTitle"] == "Connection lost", "the connection to be given up")
    server.resume()
    page.wait_for_state("test-pattern")


def test_changes_of_state_are_announced_and_readings_are_not(page, server):
    assert page.snapshot()["announcement"] == ""
    server.stop()
    shown = page.wait_for_state("stale")
    assert shown["announcement"].startswith("Connection lost. No reading since")
    server.start()
    page.wait_for_state("test-pattern")
    assert page.wait_for(lambda shown: shown["announcement"].startswith("Test pattern"), "the announcement")


def test_focus_comes_back_with_the_button_that_had_it(page, server):
    page.driver.execute_script("document.getElementById('copy-rgb').focus()")
    server.stop()
    page.wait_for_state("stale")
    server.start()
    page.wait_for_state("test-pattern")
    assert page.driver.switch_to.active_element.get_attribute("id") == "copy-rgb"


@pytest.mark.parametrize(
    "target, event", [("window", "online"), ("window", "pageshow"), ("document", "visibilitychange")]
)
def test_page_does_not_wait_when_there_is_reason_to_hope(browse, server, target, event):
    page = browse(server, before=COUNT_SOCKETS)
    page.wait_for_readings(1)
    server.stop()
    # After some failures it waits a second and more between attempts.
    page.wait_until("window.sockets.length >= 4 && window.sockets.at(-1).readyState === WebSocket.CLOSED")
    attempts = page.driver.execute_script(f"""
      const before = window.sockets.length;
      {target}.dispatchEvent(new Event("{event}"));
      return window.sockets.length - before;
    """)
    assert attempts == 1


def test_a_page_that_was_put_away_does_not_come_back_as_live(page):
    hidden = page.driver.execute_script("""
      window.dispatchEvent(new Event("pagehide"));
      return document.getElementById("dashboard").dataset.state;
    """)
    assert hidden == "stale"
    page.driver.execute_script("window.dispatchEvent(new Event('pageshow'))")
    page.wait_for_state("test-pattern")


def test_time_asleep_counts_as_time_without_a_reading(browse, server):
    page = browse(server, before=SLEEP)
    page.wait_for_readings(1)
    server.suspend()
    page.driver.execute_script("window.slept = 3_600_000")
    page.wait_for(lambda shown: "(1 h 0 min)" in shown["noticeMessage"], "an hour without a reading")
    server.resume()
    page.wait_for_state("test-pattern")
