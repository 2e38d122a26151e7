"""The page reconnects by itself, and never shows an old colour as a live one."""

import itertools
import re

import pytest
from Harness.cases import sampled
from Harness.waiting import wait_until

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

# Date.now() advances by `window.slept` while performance.now() does not, as when the computer is suspended.
SLEEP = """
window.slept = 0;
const { now } = Date;
Date.now = () => now() + window.slept;
"""


@pytest.fixture
def interrupted(start_server):
    """A server that the test stops or suspends."""
    return start_server(config="[readings]\nrate = 10\n")


def seconds_of_silence(shown: dict) -> int:
    return int(re.match(STALE_MESSAGE, shown["noticeMessage"]).group(1))


def test_without_the_server_the_page_counts_the_seconds_and_shows_the_old_colour_only_as_last_seen(browse, interrupted):
    page = browse(interrupted)
    page.wait_for_readings(2)
    # A first grade is no reading: it may be announced once it has lasted.
    assert re.fullmatch("(Quality: .*)?", page.snapshot()["announcement"])
    interrupted.stop()
    shown = page.wait_for(lambda shown: shown["noticeTitle"] == "Connection lost", "that the connection is lost")
    page.driver.execute_script(RECORD_COLORS)
    assert shown["state"] == "stale" and shown["noticeShown"]
    assert not shown["hasColor"] and not shown["readoutShown"]
    assert shown["fill"] == "none" and shown["level"] is None and shown["brightness"] == "–"
    assert "#" not in shown["title"] and shown["themeColor"] == "#808080"
    assert shown["lastSeen"] == shown["hex"]
    page.wait_for(
        lambda shown: shown["announcement"].startswith("Connection lost. No reading since"), "the announcement"
    )
    # This is long enough for several attempts to connect.
    page.wait_for(lambda shown: seconds_of_silence(shown) >= 3, "three seconds of silence")
    assert page.driver.execute_script("return window.sequencesWithColor") == []


def test_after_a_restart_of_the_server_the_page_is_live_again_with_its_focus_and_lower_numbers(browse, interrupted):
    page = browse(interrupted)
    before = page.wait_for_readings(20)[-1]["sequence"]
    page.driver.execute_script("document.getElementById('copy-rgb').focus()")
    interrupted.stop()
    page.wait_for_state("stale")
    page.driver.execute_script(RECORD_COLORS)
    interrupted.start()
    page.wait_for_state("test-pattern")
    assert page.driver.execute_script("return window.sequencesWithColor[0]") < before
    page.wait_for_readings(2)
    assert page.snapshot()["readoutShown"]
    assert page.driver.switch_to.active_element.get_attribute("id") == "copy-rgb"
    page.wait_for(lambda shown: shown["announcement"].startswith("Test pattern"), "the announcement")


def test_a_silent_connection_is_stale_given_up_after_ten_seconds_and_suspended_time_counts(browse, interrupted):
    page = browse(interrupted, before=SLEEP)
    page.wait_for_readings(1)
    interrupted.suspend()
    shown = page.wait_for_state("stale")
    assert shown["noticeTitle"] == "No reading" and not shown["readoutShown"]
    page.driver.execute_script("window.slept = 10_000")
    page.wait_for(lambda shown: shown["noticeTitle"] == "Connection lost", "that the connection is lost")
    page.driver.execute_script("window.slept = 3_600_000")
    page.wait_for(lambda shown: "(1 h 0 min)" in shown["noticeMessage"], "an hour without a reading")
    interrupted.resume()
    page.wait_for_state("test-pattern")


def test_the_page_reconnects_at_once_when_it_comes_online_or_into_view(browse, interrupted):
    page = browse(interrupted, before=COUNT_SOCKETS)
    page.wait_for_readings(1)
    interrupted.stop()
    for target, event in (("window", "online"), ("window", "pageshow"), ("document", "visibilitychange")):
        # After a few failures, the page waits for a second or more between attempts.
        attempt = f"""
          const before = window.sockets.length;
          if (before < 4 || window.sockets.at(-1).readyState !== WebSocket.CLOSED) return null;
          {target}.dispatchEvent(new Event("{event}"));
          return window.sockets.length - before;
        """
        attempts = wait_until(
            lambda attempt=attempt: page.driver.execute_script(attempt),
            "the page does not try to reconnect",
            holds=lambda count: count is not None,
        )
        assert attempts == 1, event


def test_a_page_restored_from_the_back_forward_cache_is_stale_at_first(page):
    hidden = page.driver.execute_script("""
      window.dispatchEvent(new Event("pagehide"));
      return document.getElementById("dashboard").dataset.state;
    """)
    assert hidden == "stale"
    page.driver.execute_script("window.dispatchEvent(new Event('pageshow'))")
    page.wait_for_state("test-pattern")


def test_after_sleep_the_old_colour_is_gone_before_anything_else_happens(browse, server):
    page = browse(server, before=SLEEP)
    for target, event in (("window", "pageshow"), ("document", "visibilitychange"), ("window", "focus")):
        page.wait_for_state("test-pattern")
        page.wait_for_readings(1)
        states = page.driver.execute_script(f"""
          const dashboard = document.getElementById("dashboard");
          const before = dashboard.dataset.state;
          window.slept += 3_600_000;
          {target}.dispatchEvent(new Event("{event}"));
          return [before, dashboard.dataset.state, dashboard.hasAttribute("data-color")];
        """)
        assert states == ["test-pattern", "stale", False], event


DELIVER_AN_OLD_READING = """
const dashboard = document.getElementById("dashboard");
const { onmessage } = sockets[0];
sockets[0].onmessage = (message) => {
  sockets[0].onmessage = null;
  onmessage(message);
  window.before = dashboard.dataset.state;
  window.slept = 3_600_000;
  onmessage(message);
  window.after = [dashboard.dataset.state, dashboard.hasAttribute("data-color")];
};
"""


def test_a_reading_that_waited_in_the_socket_during_sleep_is_not_shown_as_current(browse, server):
    page = browse(server, before=SLEEP + COUNT_SOCKETS)
    page.wait_for_readings(2)
    page.driver.execute_script(DELIVER_AN_OLD_READING)
    page.wait_until("window.after")
    assert page.driver.execute_script("return [before, ...after]") == ["test-pattern", "stale", False]


@pytest.mark.slow
def test_the_page_is_live_again_after_its_clock_was_set(browse, server):
    page = browse(server, before=SLEEP + COUNT_SOCKETS)
    page.wait_for_readings(2)
    page.driver.execute_script("window.slept = 3_600_000")
    page.wait_until("sockets.length > 1")
    page.wait_for_state("test-pattern")
    page.driver.execute_script("sockets.length = 0")
    page.wait_for_readings(20)
    assert page.driver.execute_script("return sockets.length") == 0


COUNT_TIMERS = """
window.fired = 0;
for (const name of ["setTimeout", "setInterval"]) {
  const set = window[name];
  window[name] = (job, ...rest) => set(() => {
    window.fired++;
    job();
  }, ...rest);
}
window.arrivals = [];
window.WebSocket = class extends WebSocket {
  constructor(...all) {
    super(...all);
    this.addEventListener("message", () => arrivals.push(performance.now()));
  }
};
"""

CHECK_PERIOD = 100
"""Milliseconds by which a reading is late when the page first looks for it, and between one look and the next."""


@pytest.mark.slow
def test_no_timer_runs_between_readings_that_are_in_time(browse, server):
    # There are ten readings a second, so that a busy machine delays none of them by much.
    page = browse(server, before=COUNT_TIMERS)
    page.wait_for_readings(10)
    before, first = page.driver.execute_script("return [fired, arrivals.length - 1]")
    page.wait_for_readings(40)
    fired, arrivals = page.driver.execute_script("return [fired, arrivals]")
    gaps = [later - earlier for earlier, later in itertools.pairwise(arrivals[first:])]
    late = sum(max(0, int((gap - 100) // CHECK_PERIOD)) for gap in gaps)
    # The timers for the icon of the tab, and those for late readings.
    assert fired - before <= 10 + late


@pytest.mark.parametrize("hours", sampled([-1, 1]))
def test_the_clocks_of_server_and_browser_need_not_agree(browse, server, hours):
    page = browse(server, before=SLEEP + f"window.slept = {hours} * 3_600_000;")
    page.wait_for_readings(20)
    assert page.snapshot()["state"] == "test-pattern"
