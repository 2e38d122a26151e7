"""The history below the picture, and on the kiosk, with the history that `fake_history` makes up."""

import itertools
import re

import fake_history
import pytest
from Harness import api
from Harness.cases import sampled
from Harness.chromium import set_color_scheme, set_size
from Harness.program import ROOT
from Harness.waiting import wait_until
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

MOMENT = r"\d\d:\d\d:\d\d"
RED = {"rgb": {"r": 255, "g": 0, "b": 0}, "mean": None, "hex": "#FF0000"}

COUNT_DRAWINGS = """
window.drawings = 0;
const clear = CanvasRenderingContext2D.prototype.clearRect;
CanvasRenderingContext2D.prototype.clearRect = function (...box) {
  if (this.canvas.id === "history-canvas") drawings++;
  return clear.apply(this, box);
};
"""
# Waits of 9 to 15 s end after 0.1 s, and all waits above 9 s are recorded.
HURRY = """
window.waits = [];
const later = setTimeout;
window.setTimeout = (job, delay, ...rest) => {
  if (delay > 9_000) waits.push(delay);
  return later(job, delay > 9_000 && delay < 15_000 ? 100 : delay, ...rest);
};
"""
# The pixel of the canvas at a share of its plotted width, from the left, and of its height, from the top.
PIXEL = """
const [across, down] = arguments;
const canvas = document.getElementById("history-canvas");
const unit = parseFloat(getComputedStyle(canvas).fontSize) / 3;
const [left, right] = [8 * unit, canvas.clientWidth - 5 * unit];
const x = (left + across * (right - left)) * (canvas.width / canvas.clientWidth);
return [...canvas.getContext("2d").getImageData(Math.round(x), Math.round(down * canvas.height), 1, 1).data];
"""
TEXTS = """
return Object.fromEntries(["time", "values", "ranges", "note", "problem"].map((name) => {
  const element = document.getElementById(`history-${name}`);
  return [name, element.checkVisibility() ? element.innerText.replaceAll("\\u00a0", " ").trim() : ""];
}));
"""
IMAGE = "return document.getElementById('history-canvas').toDataURL()"


class Strip:
    """The strip as a test sees it."""

    def __init__(self, page):
        self.page = page
        self.driver = page.driver

    def run(self, script: str, *arguments):
        return self.driver.execute_script(script, *arguments)

    @property
    def requests(self) -> list[dict]:
        return self.run("return fakeHistory.requests")

    def wait_for_requests(self, count: int) -> list[dict]:
        return wait_until(
            lambda: self.requests, f"fewer than {count} requests", holds=lambda requests: len(requests) >= count
        )

    def texts(self) -> dict[str, str]:
        return self.run(TEXTS)

    def wait_for_text(self, name: str, pattern: str) -> str:
        return wait_until(
            lambda: self.texts()[name], f"no {pattern} in {name}", holds=lambda text: re.fullmatch(pattern, text)
        )

    def choose_span(self, span: str) -> None:
        Select(self.page.element("history-span")).select_by_value(span)

    def choose_lines(self, kind: str) -> None:
        self.run(f"document.querySelector('input[name=history-lines][value={kind}]').click()")

    def in_menu(self, element_id: str):
        """An entry of the menu, which is then open."""
        entry = self.page.element(element_id)
        if not entry.is_displayed():
            self.page.element("history-more").click()
        return entry

    def pause(self) -> None:
        """Pauses the history, or lets it continue."""
        self.in_menu("history-pause").click()

    def write_note(self, *keys: str) -> None:
        """Opens the form of a note, and types these keys."""
        self.page.element("write-note").click()
        self.page.element("mark-text").send_keys(*keys)

    def press(self, *keys: str) -> None:
        self.run("document.getElementById('history-plot').focus()")
        ActionChains(self.driver).send_keys(*keys).perform()

    def point_at(self, share: float) -> None:
        plot = self.page.element("history-plot")
        offset = (share - 0.5) * plot.size["width"]
        ActionChains(self.driver).move_to_element_with_offset(plot, round(offset), 0).perform()

    def pixel(self, across: float, down: float) -> list[int]:
        return self.run(PIXEL, across, down)


@pytest.fixture
def open_strip(browse, server):
    """Opens the dashboard with a history, and returns when the history has been requested."""

    def open_page(before: str = "", on=None, readings: dict | None = None, **changes) -> Strip:
        page = browse(on or server, before=before + fake_history.script(readings, **changes))
        page.wait_for_readings(2)
        strip = Strip(page)
        if not changes.get("problem"):
            strip.wait_for_requests(1)
        page.wait_for_readings(2)
        return strip

    return open_page


@pytest.fixture
def strip(open_strip):
    return open_strip()


# Loading


def test_without_a_history_there_is_no_strip(browse, server):
    page = browse(server, before=fake_history.script({"revisions": {"history": None}}))
    page.wait_for_readings(2)
    assert not page.element("history").is_displayed()
    assert Strip(page).requests == []


def test_ten_minutes_are_loaded_first(strip):
    [request] = strip.requests
    assert request["span"] == "10m"
    assert 150 <= request["points"] <= 600


def test_a_span_that_readings_extend_is_loaded_once(open_strip):
    strip = open_strip(before=HURRY)
    strip.page.wait_for_readings(10)
    assert len(strip.requests) == 1


@pytest.mark.parametrize("span", sampled(["1h", "1m", "10m", "24h", "7d", "31d"]))
def test_a_span_is_loaded_when_it_is_chosen(strip, span):
    strip.choose_span("1m" if span != "1m" else "10m")
    strip.choose_span(span)
    wait_until(lambda: strip.requests[-1]["span"], f"{span} is not requested", holds=lambda last: last == span)


def test_a_longer_span_is_loaded_again_after_ten_seconds(open_strip):
    strip = open_strip(before=HURRY)
    strip.run("waits.length = 0")
    strip.choose_span("1h")
    requests = strip.wait_for_requests(4)
    assert [request["span"] for request in requests[1:4]] == ["1h"] * 3
    # Steps are longer than 10 s where the plot is narrow. Requests have a limit of 20 s.
    step = 3_600_000 / requests[1]["points"]
    assert {round(wait, -2) for wait in strip.run("return waits")} == {max(10_000, round(step, -2)), 20_000}


def test_a_span_whose_steps_are_longer_is_loaded_again_after_a_step(open_strip):
    strip = open_strip(before=HURRY)
    strip.choose_span("31d")
    points = strip.wait_for_requests(2)[-1]["points"]
    strip.page.wait_until("waits.some((wait) => wait > 60_000)")
    wait = strip.run("return waits.find((wait) => wait > 60_000)")
    assert wait == pytest.approx(31 * 86_400_000 / points, abs=1_000)
    assert len(strip.requests) == 2


def test_a_late_response_does_not_replace_that_of_a_newer_request(strip):
    strip.run("fakeHistory.delays = [new Promise((resolve) => { window.release = resolve; })]")
    strip.choose_span("1h")
    strip.wait_for_requests(2)
    strip.choose_span("24h")
    strip.wait_for_requests(3)
    strip.press(Keys.HOME)
    before = strip.wait_for_text("time", r".*\d+ \d\d:\d\d")
    strip.run("release()")
    strip.page.wait_for_readings(4)
    strip.press(Keys.END, Keys.HOME)
    assert strip.texts()["time"] == before


def test_a_problem_is_shown_and_the_request_repeated(open_strip):
    strip = open_strip(problem="The history is being read")
    strip.wait_for_text("problem", r"The history cannot be loaded: The history is being read\. Trying again\.")
    strip.run("fakeHistory.problem = null")
    strip.wait_for_requests(1)
    strip.wait_for_text("problem", "")


def test_the_history_is_loaded_again_after_the_connection_was_lost(open_strip, start_server):
    server = start_server(config="[readings]\nrate = 10\n")
    strip = open_strip(on=server)
    server.stop()
    strip.page.wait_for_state("stale")
    server.start()
    strip.wait_for_requests(2)


def test_after_a_restart_the_page_keeps_its_points_and_notes_and_says_where_the_history_begins(browse, start_server):
    server = start_server(config="[readings]\nrate = 10\n")
    page = browse(server)
    page.wait_until_complete()
    strip = Strip(page)
    strip.choose_span("1m")
    strip.write_note("Acid", Keys.ENTER)
    page.wait_until("document.getElementById('toast').textContent === 'Note added'")
    page.wait_for_readings(10)
    strip.press(Keys.HOME)
    first = strip.texts()["time"]
    strip.press(Keys.ESCAPE)
    server.restart()
    beginning = "Swatchcam started at "
    page.wait_until(f"document.getElementById('history-beginning').textContent.startsWith('{beginning}')")
    strip.in_menu("history-pause")
    assert page.element("history-keeping").is_displayed()
    page.element("history-more").click()
    # Another note makes the page load the history once more.
    api.request(f"{server.url}api/marks", "POST", {"text": "Base"})

    def texts():
        strip.in_menu("list-marks").click()
        shown = strip.run("return [...document.querySelectorAll('#mark-list span')].map((text) => text.textContent)")
        page.element("close-marks").click()
        return shown

    wait_until(texts, "the new note is not listed", holds=lambda shown: "Base" in shown)
    assert "Acid" in texts()
    strip.press(Keys.HOME)
    assert strip.texts()["time"] == first


def test_the_history_is_loaded_again_when_somebody_sets_a_mark(strip):
    strip.run("fakeHistory.marks.push({ share: 0.5, text: 'Acid' }); fake.revisions.history++")
    strip.wait_for_requests(2)


def test_nothing_is_loaded_or_drawn_while_the_strip_is_out_of_sight(browse, server):
    page = browse(server, before=COUNT_DRAWINGS + fake_history.script())
    set_size(page.driver, 390, 500)
    page.driver.refresh()
    page.wait_for_readings(3)
    strip = Strip(page)
    before = strip.run("return drawings")
    page.wait_for_readings(5)
    assert strip.requests == [] and strip.run("return drawings") == before
    strip.run("document.getElementById('history-plot').scrollIntoView({ block: 'center' })")
    strip.wait_for_requests(1)
    page.wait_until(f"drawings > {before}")


# Drawing


def test_the_band_has_the_colours_of_the_history(open_strip):
    strip = open_strip(gap=[2, 2])
    # An hour moves too slowly to change while the pixel is read.
    strip.choose_span("1h")
    expected = strip.run("""
      const { points } = fakeHistory.document("1h", 600);
      const { mean } = points[Math.round(0.25 * points.length)];
      return [mean.r, mean.g, mean.b];
    """)
    wait_until(
        lambda: strip.pixel(0.25, 0.1),
        f"the band is not {expected}",
        holds=lambda pixel: pixel[:3] == pytest.approx(expected, abs=3) and pixel[3] == 255,
    )


def test_the_band_is_hatched_where_there_was_no_colour(open_strip):
    strip = open_strip(gap=[0.2, 0.8])
    wait_until(
        lambda: [strip.pixel(0.4 + step / 200, 0.1) for step in range(40)],
        "the gap is not hatched in grey",
        holds=lambda pixels: (
            min(pixel[3] for pixel in pixels) == 0
            and max(pixel[3] for pixel in pixels) > 100
            and all(max(pixel[:3]) - min(pixel[:3]) <= 2 for pixel in pixels if pixel[3] > 100)
        ),
    )


# `texts` holds those of the newest drawing.
RECORD_TEXTS = """
window.texts = new Set();
const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.clearRect = function (...place) {
  if (this.canvas.id === "history-canvas") texts.clear();
  return clearRect.apply(this, place);
};
CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
  if (this.canvas.id === "history-canvas") texts.add(text);
  return fillText.call(this, text, ...place);
};
"""
# Keeps only one point a minute of the first half.
UNWATCHED = """
const make = fakeHistory.document;
fakeHistory.document = (...all) => {
  const made = make(...all);
  const half = Math.floor(made.points.length / 2);
  const minute = Math.round(60 / made.step);
  made.points = made.points.filter((_, index) => index >= half || index % minute === 0);
  return made;
};
"""
NOT_WATCHED = "not watched: one reading a minute"


def test_the_plot_says_where_nobody_watched(open_strip):
    strip = open_strip(before=RECORD_TEXTS, gap=[2, 2])
    assert NOT_WATCHED not in strip.run("return [...texts]")
    strip.run(UNWATCHED)
    strip.choose_span("1h")
    strip.page.wait_until(f"texts.has('{NOT_WATCHED}')")


def test_a_minute_without_a_camera_does_not_count_as_not_watched(open_strip):
    strip = open_strip(before=RECORD_TEXTS, gap=[0.4, 0.53])
    # On this screen, the words would fit into a gap of 80 s.
    set_size(strip.driver, 1920, 1080)
    strip.choose_span("10m")
    strip.page.wait_for_readings(10)
    assert strip.run("return document.getElementById('history-canvas').clientWidth") > 900
    assert [text for text in strip.run("return [...texts]") if text.startswith("not watched")] == []


def test_no_line_crosses_a_gap(open_strip):
    strip = open_strip(gap=[0.2, 0.8], spread=0)
    strip.page.wait_for_readings(2)
    colored = strip.run("""
      const canvas = document.getElementById("history-canvas");
      const [from, to] = [Math.round(0.4 * canvas.width), Math.round(0.6 * canvas.width)];
      const { data } = canvas.getContext("2d").getImageData(from, Math.round(canvas.height / 4), to - from, canvas.height / 2);
      let count = 0;
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 60 && Math.max(...data.slice(at, at + 3)) - Math.min(...data.slice(at, at + 3)) > 40) count++;
      return count;
    """)
    assert colored == 0


def test_readings_extend_the_band(open_strip):
    strip = open_strip(readings=RED)
    strip.choose_span("1m")
    wait_until(
        lambda: strip.pixel(0.997, 0.1),
        "the newest colour is not in the band",
        holds=lambda pixel: pixel == [255, 0, 0, 255],
    )


def test_a_reading_costs_one_drawing_at_most(open_strip):
    strip = open_strip(before=COUNT_DRAWINGS)
    strip.choose_span("1m")
    strip.wait_for_requests(2)
    strip.page.wait_for_readings(5)
    before = strip.run("return drawings")
    strip.page.wait_for_readings(20)
    # The first and the last one may be drawn in the frame after.
    assert 0 < strip.run("return drawings") - before <= 22


def test_the_canvas_has_the_pixels_of_the_screen(strip):
    metrics = {"width": 1280, "height": 800, "deviceScaleFactor": 2, "mobile": False}
    strip.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    strip.page.wait_until(
        "Math.abs(document.getElementById('history-canvas').width - 2 * document.getElementById('history-canvas').clientWidth) <= 2"
    )


def test_the_colours_of_the_strip_follow_the_colour_scheme(strip):
    light = strip.run("return getComputedStyle(document.querySelector('[data-color-role=ink]')).color")
    strip.pause()
    before = strip.run(IMAGE)
    set_color_scheme(strip.driver, "dark")
    wait_until(lambda: strip.run(IMAGE), "the strip was not drawn again", holds=lambda image: image != before)
    assert strip.run("return getComputedStyle(document.querySelector('[data-color-role=ink]')).color") != light


def test_the_lines_can_show_the_lightness(strip):
    strip.pause()
    before = strip.run(IMAGE)
    strip.choose_lines("lightness")
    wait_until(lambda: strip.run(IMAGE), "the strip was not drawn again", holds=lambda image: image != before)


def test_span_and_lines_are_remembered_in_this_browser(strip):
    strip.choose_span("24h")
    strip.choose_lines("lightness")
    strip.driver.refresh()
    strip.page.wait_for_readings(1)
    assert strip.page.element("history-span").get_property("value") == "24h"
    assert strip.run("return document.querySelector('input[name=history-lines]:checked').value") == "lightness"
    assert strip.wait_for_requests(1)[0]["span"] == "24h"


# Pause


def test_a_paused_strip_stays_as_it_is_while_readings_continue(strip):
    strip.pause()
    strip.page.wait_for_drawing()
    before = strip.run(IMAGE)
    first, *_, last = strip.page.wait_for_readings(8)
    assert last["sequence"] > first["sequence"]
    assert strip.run(IMAGE) == before
    assert re.fullmatch(rf"Paused at {MOMENT}\.", strip.texts()["note"])


def test_a_strip_that_continues_loads_what_it_missed(strip):
    strip.pause()
    strip.pause()
    strip.wait_for_requests(2)
    assert strip.page.element("history-pause").get_attribute("aria-pressed") == "false"
    assert strip.texts()["note"] == ""


def test_another_span_ends_a_pause(strip):
    strip.pause()
    strip.choose_span("1m")
    assert strip.page.element("history-pause").get_attribute("aria-pressed") == "false"


# The cursor


def test_the_keyboard_cursor_says_what_was_measured(strip):
    # Otherwise the first moment soon leaves the plot.
    strip.pause()
    strip.press(Keys.HOME)
    shown = strip.texts()
    assert re.fullmatch(MOMENT, shown["time"])
    assert re.fullmatch(r"#[0-9A-F]{6}  R \d+  G \d+  B \d+  L\* \d+\.\d  8 readings", shown["values"])
    assert re.fullmatch(r"R \d+…\d+  G \d+…\d+  B \d+…\d+  L\* \d+\.\d…\d+\.\d", shown["ranges"])


def test_the_cursor_names_the_quality_if_it_is_not_good(open_strip):
    strip = open_strip(gap=[0.95, 2])
    strip.press(Keys.END)
    # Live readings follow the gap.
    strip.pause()
    strip.point_at(0.92)
    assert strip.texts()["ranges"].endswith("quality fair")


@pytest.mark.slow
def test_the_cursor_names_the_mark_in_its_interval(open_strip):
    strip = open_strip(marks=[{"share": 0.3, "text": "Acid"}])
    strip.pause()
    strip.press(Keys.HOME)
    for _ in range(400):
        if "Mark: Acid" in strip.texts()["ranges"]:
            return
        strip.press(Keys.ARROW_RIGHT)
    raise AssertionError("no interval names the mark")


def is_later(time: str, other: str) -> bool:
    """Whether a time of the day is less than half a day after another."""
    seconds, other_seconds = (
        sum(int(part) * unit for part, unit in zip(clock.split(":"), (3600, 60, 1), strict=True))
        for clock in (time, other)
    )
    return 0 < (seconds - other_seconds) % 86_400 < 43_200


def test_the_arrow_keys_move_the_cursor_and_the_ends_stop_it(strip):
    strip.pause()
    strip.press(Keys.HOME)
    first = strip.texts()["time"]
    strip.press(Keys.ARROW_LEFT)
    assert strip.texts()["time"] == first
    strip.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert is_later(strip.texts()["time"], first)
    strip.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert strip.texts()["time"] == first
    strip.press(Keys.END)
    last = strip.texts()["time"]
    assert is_later(last, first)
    strip.press(Keys.ARROW_RIGHT)
    assert strip.texts()["time"] == last


def test_the_first_arrow_key_goes_to_the_newest_interval(strip):
    strip.pause()
    strip.press(Keys.END)
    last = strip.texts()["time"]
    strip.press(Keys.ESCAPE, Keys.ARROW_LEFT)
    assert strip.texts()["time"] == last


def test_escape_removes_the_cursor(strip):
    strip.press(Keys.END, Keys.ESCAPE)
    shown = strip.texts()
    assert shown["time"] == shown["values"] == ""
    assert not strip.page.element("history-cursor").is_displayed()


def test_the_cursor_is_announced_only_when_it_moves(strip):
    strip.press(Keys.END)
    output = strip.page.driver.find_element("css selector", "output[for=history-plot]")
    assert output.aria_role == "status"
    strip.run("""
      window.announcements = 0;
      new MutationObserver((changes) => { announcements += changes.length; })
        .observe(document.querySelector("output[for=history-plot]"), { subtree: true, childList: true, characterData: true });
    """)
    strip.page.wait_for_readings(5)
    assert strip.run("return announcements") == 0
    strip.press(Keys.HOME)
    assert strip.run("return announcements") > 0


def test_the_slider_has_the_moment_as_its_value(strip):
    # Otherwise the first moment soon leaves the plot.
    strip.pause()
    strip.press(Keys.HOME)
    plot = strip.page.element("history-plot")
    assert plot.aria_role == "slider"
    assert plot.get_attribute("aria-valuetext") == strip.texts()["time"]
    assert 0 <= float(plot.get_attribute("aria-valuenow")) < 0.05


def test_the_cursor_moves_with_its_moment(strip):
    strip.choose_span("1m")
    strip.wait_for_requests(2)
    strip.page.wait_for_readings(2)
    strip.press(Keys.END)
    moment = strip.texts()["time"]
    place = "document.getElementById('history-cursor').getBoundingClientRect().left"
    before = strip.run(f"return {place}")
    strip.page.wait_until(f"{place} < {before} - 10")
    assert strip.texts()["time"] == moment


def test_the_pointer_shows_the_values_below_it(strip):
    strip.pause()
    strip.point_at(0.2)
    early = strip.texts()["time"]
    strip.point_at(0.8)
    assert is_later(strip.texts()["time"], early)
    ActionChains(strip.driver).move_to_element(strip.page.element("hex")).perform()
    assert strip.texts()["time"] == ""


# A part of the span


def drag(strip, start: float, end: float) -> None:
    plot = strip.page.element("history-plot")
    strip.point_at(start)
    distance = round((end - start) * plot.size["width"])
    ActionChains(strip.driver).click_and_hold().move_by_offset(distance, 0).perform()


def shown_part(strip) -> list[float]:
    """The ends of what the note says is shown, in seconds of the day."""
    note = strip.wait_for_text("note", rf"{MOMENT} to {MOMENT}\. Esc shows all\.")
    return [int(h) * 3600 + int(m) * 60 + int(s) for h, m, s in re.findall(r"(\d\d):(\d\d):(\d\d)", note)]


def test_a_drag_shows_a_part_of_the_span_alone_and_finer(strip):
    drag(strip, 0.6, 0.8)
    assert strip.page.element("history-selection").is_displayed()
    ActionChains(strip.driver).release().perform()
    assert not strip.page.element("history-selection").is_displayed()
    start, end = shown_part(strip)
    # A fifth of the plot, which is most of the element.
    assert (end - start) % 86_400 == pytest.approx(130, abs=12)
    assert strip.page.element("history-span").get_attribute("value") == "part"
    request = strip.wait_for_requests(2)[-1]
    assert request["points"] == 2000 and 180 < float(request["span"].removesuffix("s")) < 300
    # The part stays while readings come in.
    strip.page.wait_for_readings(10)
    assert shown_part(strip) == [start, end]
    assert len(strip.requests) == 2


def test_the_band_of_a_part_has_the_colours_of_that_time(open_strip):
    # The gap is in the middle of the plot.
    strip = open_strip(gap=[0.4, 0.6])
    strip.page.wait_until("document.getElementById('history-canvas').width > 0")
    strip.run("fakeHistory.gap = [2, 2]")
    drag(strip, 0.1, 0.3)
    ActionChains(strip.driver).release().perform()
    strip.wait_for_requests(2)
    wait_until(
        lambda: strip.pixel(0.5, 0.02)[3], "the part is not drawn without a gap", holds=lambda alpha: alpha == 255
    )


@pytest.mark.parametrize("way", ["escape", "list", "pause"])
def test_a_part_is_left_by_escape_and_by_choosing_a_span(strip, way):
    drag(strip, 0.3, 0.8)
    ActionChains(strip.driver).release().perform()
    shown_part(strip)
    if way == "escape":
        strip.press(Keys.ESCAPE)
    elif way == "list":
        strip.choose_span("1h")
    else:
        strip.pause()
    span = "1h" if way == "list" else "10m"
    assert strip.page.element("history-span").get_attribute("value") == span
    assert strip.wait_for_requests(3)[2]["span"] == span
    strip.wait_for_text("note", rf"Paused at {MOMENT}\." if way == "pause" else "")


def test_keys_select_a_part_and_show_it(strip):
    strip.press(Keys.END, *[Keys.PAGE_DOWN] * 3)
    ActionChains(strip.driver).key_down(Keys.SHIFT).send_keys(*[Keys.PAGE_DOWN] * 3).key_up(Keys.SHIFT).perform()
    assert strip.page.element("history-selection").is_displayed()
    strip.press(Keys.ENTER)
    start, end = shown_part(strip)
    # 30 intervals of 2 s, and the last one.
    assert (end - start) % 86_400 == pytest.approx(62, abs=4)
    strip.press(Keys.ARROW_LEFT)
    assert strip.texts()["time"]
    strip.press(Keys.ESCAPE)
    assert strip.page.element("history-span").get_attribute("value") == "10m"


def test_a_click_shows_no_part(strip):
    strip.point_at(0.5)
    ActionChains(strip.driver).click().perform()
    strip.page.wait_for_readings(3)
    assert strip.page.element("history-span").get_attribute("value") == "10m"
    assert strip.texts()["note"] == ""


# Marks and CSV


def test_a_note_is_set_with_its_text(strip):
    strip.write_note("Drop of acid")
    strip.page.element("set-mark").click()
    strip.page.wait_until("document.getElementById('toast').textContent === 'Note added'")
    assert strip.run("return fakeHistory.posted") == ["Drop of acid"]
    strip.page.wait_until("document.getElementById('mark-text').value === ''")
    assert not strip.page.element("mark-form").is_displayed()


def test_the_enter_key_sets_a_note(strip):
    strip.write_note("Drop of acid", Keys.ENTER)
    strip.page.wait_until("fakeHistory.posted.length === 1")


def test_a_note_is_about_the_moment_at_which_its_form_was_opened(strip):
    before = strip.run("return dashboard.dataset.time")
    strip.page.element("write-note").click()
    after = strip.run("return dashboard.dataset.time")
    label = strip.page.element("mark-form").find_element(By.TAG_NAME, "label").text
    strip.page.wait_for_readings(12)
    # The field has the focus, so that nothing that is typed is lost.
    ActionChains(strip.driver).send_keys("Drop of acid", Keys.ENTER).perform()
    strip.page.wait_until("fakeHistory.posted.length === 1")
    assert strip.run("return fakeHistory.posted") == ["Drop of acid"]
    [time] = strip.run("return fakeHistory.times")
    assert before <= time <= after
    clock = strip.run("return new Date(arguments[0]).toTimeString().slice(0, 8)", time)
    assert label == f"Note at {clock}"


def test_a_note_needs_no_text(strip):
    strip.write_note()
    strip.page.element("set-mark").click()
    strip.page.wait_until("fakeHistory.posted.length === 1")
    assert strip.run("return fakeHistory.posted") == ["Note"]


def test_a_note_that_was_refused_keeps_its_text(strip):
    strip.run("fakeHistory.problem = 'The history is full'")
    strip.write_note("Drop of acid", Keys.ENTER)
    strip.page.wait_until("document.getElementById('toast').textContent === 'The history is full'")
    assert strip.page.element("mark-text").get_attribute("value") == "Drop of acid"


def test_a_large_history_has_no_more_than_eight_values_beside_it(open_strip):
    strip = open_strip(before=RECORD_TEXTS)
    strip.page.element("expand").click()
    strip.page.wait_until("document.getElementById('history-canvas').clientHeight > 400")
    strip.choose_lines("lightness")
    strip.page.wait_until("texts.has('L*')")
    assert 2 <= len([text for text in strip.run("return [...texts]") if text.isdigit()]) <= 8


def test_the_newest_note_can_be_read_at_the_right_end(open_strip):
    text = "Drop of acid"
    strip = open_strip(before=RECORD_TEXTS, marks=[{"share": 0.99, "text": text}])
    strip.page.wait_until(f"texts.has('{text}')")


NOTES = [{"share": (300 + 2 * number) / 600, "text": f"Note {number}"} for number in range(6)]
"""Six notes, 2 s apart."""


def test_a_label_is_whole_or_left_out_and_notes_come_before_what_swatchcam_marks(open_strip):
    marks = [
        {"share": 0.5, "text": "The camera that was chosen", "kind": "camera"},
        {"share": 0.52, "text": "Titration: start", "kind": "recording"},
        {"share": 0.54, "text": "Drop of acid, the first of three"},
        {"share": 0.56, "text": "Area: the whole picture", "kind": "region"},
        {"share": 0.98, "text": "A note that is much too long to have room anywhere " * 3},
    ]
    strip = open_strip(before=RECORD_TEXTS, marks=marks)
    strip.page.wait_until("texts.has('Drop of acid, the first of three')")
    shown = [mark["text"] for mark in marks if mark["text"] in strip.run("return [...texts]")]
    assert shown == ["Titration: start", "Drop of acid, the first of three"]
    assert not any("…" in text for text in strip.run("return [...texts]"))


def test_the_newest_of_notes_at_one_moment_has_its_label(open_strip):
    strip = open_strip(before=RECORD_TEXTS, marks=NOTES)
    strip.page.wait_until("texts.has('Note 5')")


def test_the_cursor_near_a_mark_shows_its_text(open_strip):
    strip = open_strip(marks=[{"share": 0.7, "text": "Drop of acid", "kind": "camera"}])
    box = strip.run("return document.getElementById('history-plot').getBoundingClientRect().width")
    # The plot begins 8 units from the left and ends 5 before the right; 8 pixels beside the mark, which moves there.
    share = (32 + 0.7 * (box - 52) - 8) / box
    strip.point_at(share)
    strip.wait_for_text("ranges", r".*Mark: Drop of acid")


def test_nothing_that_is_said_of_the_start_of_the_program_lies_over_the_lines(open_strip):
    strip = open_strip()
    strip.run("""
      const make = fakeHistory.document;
      fakeHistory.document = (...all) => {
        const made = make(...all);
        made.points = made.points.slice(-100);
        return { ...made, begins: made.points[0].time };
      };
    """)
    strip.choose_span("10m")
    strip.choose_span("1h")
    strip.page.wait_until(
        "document.getElementById('history-beginning').textContent.startsWith('Swatchcam started at ')"
    )
    boxes = strip.run("""
      return ["history-beginning", "history-canvas"].map((id) => document.getElementById(id).getBoundingClientRect().toJSON());
    """)
    # The band is 6 units high.
    assert boxes[0]["bottom"] - boxes[1]["top"] <= 24
    strip.page.element("history-more").click()
    assert "history.folder" in strip.page.element("history-keeping").text


def test_notes_that_are_too_close_for_their_labels_can_all_be_read_in_a_list(open_strip):
    strip = open_strip(marks=NOTES)
    strip.in_menu("list-marks").click()
    items = strip.page.element("mark-list").find_elements(By.TAG_NAME, "li")
    assert [item.is_displayed() for item in items] == [True] * 6
    times, texts = zip(
        *(re.fullmatch(rf"({MOMENT})\s+(Note \d)\s+Delete", item.text).groups() for item in items), strict=True
    )
    assert list(texts) == [f"Note {number}" for number in range(5, -1, -1)]
    assert len(set(times)) == 6
    strip.page.element("close-marks").click()
    assert not strip.page.element("marks").is_displayed()


def listed_marks(strip) -> list[str]:
    items = strip.page.element("mark-list").find_elements(By.CSS_SELECTOR, "li span")
    return [item.text for item in items]


def delete_note(strip, text: str) -> None:
    strip.page.element("mark-list").find_element(By.CSS_SELECTOR, f"button[aria-label='Delete {text}']").click()


OWN = {"share": 0.9, "text": "Lamp on", "kind": "camera"}


def test_a_note_is_deleted_from_the_list_once_that_can_no_longer_be_undone(open_strip):
    strip = open_strip(marks=[*NOTES[:2], OWN])
    strip.in_menu("list-marks").click()
    delete_note(strip, "Note 0")
    assert listed_marks(strip) == ["Lamp on", "Note 1"]
    assert strip.page.element("toast").text == "“Note 0” deleted"
    assert strip.run("return document.activeElement.getAttribute('aria-label')") == "Delete Note 1"
    assert strip.run("return fakeHistory.deleted") == []
    # Another message takes the place of the offer.
    delete_note(strip, "Note 1")
    strip.page.wait_until("fakeHistory.deleted.join() === 'Note 0'")
    assert strip.run("return document.activeElement.id") == "close-marks"
    assert listed_marks(strip) == ["Lamp on"]


def test_the_deletion_of_a_note_can_be_undone(open_strip):
    strip = open_strip(marks=NOTES[:2])
    strip.in_menu("list-marks").click()
    delete_note(strip, "Note 0")
    assert strip.page.element("undo").is_displayed()
    strip.page.element("undo").click()
    assert strip.run("return document.activeElement.id") == "history-more"
    strip.in_menu("list-marks").click()
    assert listed_marks(strip) == ["Note 1", "Note 0"]
    assert strip.run("return fakeHistory.deleted") == []


def test_a_note_is_deleted_when_the_page_is_left(open_strip):
    strip = open_strip(marks=NOTES[:2])
    strip.in_menu("list-marks").click()
    delete_note(strip, "Note 0")
    strip.run("dispatchEvent(new Event('pagehide'))")
    assert strip.run("return fakeHistory.deleted") == ["Note 0"]


def test_a_note_that_cannot_be_deleted_is_listed_again(open_strip):
    strip = open_strip(marks=NOTES[:2])
    strip.in_menu("list-marks").click()
    delete_note(strip, "Note 0")
    strip.run("fakeHistory.problem = 'The disk is full'")
    delete_note(strip, "Note 1")
    strip.page.wait_until("document.getElementById('toast').textContent === 'The disk is full'")
    strip.page.wait_until("document.getElementById('mark-list').textContent.includes('Note 0')")


def test_a_mark_that_swatchcam_has_set_cannot_be_deleted(open_strip):
    strip = open_strip(marks=[OWN])
    strip.in_menu("list-marks").click()
    assert listed_marks(strip) == ["Lamp on"]
    assert strip.page.element("mark-list").find_elements(By.TAG_NAME, "button") == []


def test_a_span_without_marks_says_so(strip):
    strip.in_menu("list-marks").click()
    assert strip.page.element("no-marks").text == "There are none in this span."


def test_read_only_access_sets_no_marks(browse, start_server):
    token, view_token = "a-token-of-more-than-forty-letters-0123456789", "view-of-more-than-forty-letters-0123456789"
    server = start_server(config=f'[web]\ntoken = "{token}"\nview_token = "{view_token}"\n')
    page = browse(server, before=fake_history.script())
    field = page.element("token")
    field.send_keys(view_token)
    field.submit()
    page.wait_until("document.getElementById('dashboard')")
    page.wait_for_readings(1)
    assert page.element("history").is_displayed()
    missing = "return ['set-mark', 'write-note', 'note-in-menu', 'record'].filter((id) => document.getElementById(id))"
    assert page.driver.execute_script(missing) == []


def test_the_link_to_the_csv_is_that_of_the_shown_span(strip):
    strip.choose_span("7d")
    assert strip.page.element("history-csv").get_attribute("href").endswith("/history.csv?span=7d")


def test_hostile_marks_and_points_do_not_break_the_page(open_strip):
    strip = open_strip(
        marks=[{"share": 0.5, "text": "<img src=x onerror='window.broken = 1'>" * 20}, {"share": 0.6, "text": None}],
    )
    strip.run("""
      const make = fakeHistory.document;
      fakeHistory.document = (...all) => {
        const made = make(...all);
        made.points.splice(5, 0, null, {}, { time: "x" }, { ...made.points[4], mean: { r: "1", g: null, b: 2 } });
        made.marks.push(null, { time: 5 });
        return made;
      };
    """)
    strip.choose_span("1h")
    strip.wait_for_requests(2)
    strip.press(Keys.HOME)
    assert "#" in strip.wait_for_text("values", "#.*")
    assert strip.run("return window.broken") is None
    assert strip.page.console() == []


# The data, without the page

USE_SERIES = """
const [done] = arguments;
const source = document.querySelector("script[type=module]").src;
Promise.all(["history-series.js", "history-scale.js"].map((name) => import(new URL(name, source)))).then(([{ Series }, scale]) => {
  const at = Date.UTC(2026, 0, 31, 12);
  const reading = (seconds, r = 10, more = {}) => ({
    time: new Date(at + seconds * 1_000).toISOString(), rgb: { r, g: 20, b: 30 }, color: { lab: `lab(${r} 1.9 3.8)` },
    quality: { grade: "good" }, rate: { wanted: 4, reading: 4 }, ...more,
  });
  const range = (value) => ({ r: value, g: 20, b: 30 });
  const point = (seconds, r, n = 4) => ({
    time: new Date(at + seconds * 1_000).toISOString(), n, mean: range(r), min: range(r - 1), max: range(r + 1),
    lightness: { mean: r, min: r - 1, max: r + 1 }, quality: "good",
  });
  const made = (points, step = 2) => ({ from: "", to: new Date(at).toISOString(), step, points, marks: [] });
  JOB
}).then(done, (problem) => done(String(problem.stack)));
"""


@pytest.fixture(scope="module")
def server_of_modules(shared_servers):
    """A server that has the single modules, not bundles."""
    return shared_servers(config=f'[web]\nresources = "{ROOT / "Resources"}"\n')


@pytest.fixture
def use_series(driver, server_of_modules):
    """Runs JavaScript that uses a series, and returns its result."""
    if driver.current_url != server_of_modules.url:
        driver.get(server_of_modules.url)
    return lambda job: driver.execute_async_script(USE_SERIES.replace("JOB", job))


def test_readings_of_one_interval_are_averaged(use_series):
    assert use_series("""
      const series = new Series();
      series.begin(60_000, 2_000);
      for (const [seconds, r] of [[0, 10], [0.5, 20], [1, 60], [2, 7]]) series.add(reading(seconds, r));
      return series.points.map(({ time, n, r }) => [time - at, n, r.mean, r.min, r.max]);
    """) == [[0, 3, 30, 10, 60], [2000, 1, 7, 7, 7]]


def test_the_lightness_of_readings_is_that_of_cielab(use_series):
    assert use_series("""
      const series = new Series();
      series.begin(60_000, 2_000);
      series.add(reading(0, 10, { color: { lab: { l: 48.4, a: 1.9, b: 3.8 } } }));
      return series.points[0].l;
    """) == {"mean": 48.4, "min": 48.4, "max": 48.4}


def test_a_repeated_reading_counts_once(use_series):
    job = "const series = new Series(); series.add(reading(0)); series.add(reading(0)); return series.points[0].n;"
    assert use_series(job) == 1


def test_an_interval_has_the_worst_quality_of_its_readings(use_series):
    assert (
        use_series("""
      const series = new Series();
      for (const [index, grade] of ["good", "poor", "fair"].entries()) series.add(reading(index / 10, 10, { quality: { grade } }));
      return series.points[0].quality;
    """)
        == "poor"
    )


def test_readings_after_a_document_extend_it(use_series):
    assert use_series("""
      const series = new Series();
      series.begin(600_000, 2_000);
      series.replace(made([point(-4, 50), point(-2, 60)]));
      series.add(reading(0.5, 70));
      return series.points.map(({ time, r }) => [(time - at) / 1_000, r.mean]);
    """) == [[-4, 50], [-2, 60], [0, 70]]


def test_readings_that_came_before_a_document_are_counted_once(use_series):
    """They belong to the last interval, which the server had counted, and to a later one, which it had not."""
    assert use_series("""
      const series = new Series();
      series.begin(600_000, 2_000);
      for (const seconds of [0, 0.5, 1, 1.5, 2, 2.5]) series.add(reading(seconds, 10));
      series.replace(made([point(-2, 50), point(0, 50, 4)]));
      return series.points.map(({ time, n, r }) => [(time - at) / 1_000, n, r.mean]);
    """) == [[-2, 4, 50], [0, 4, 50], [2, 2, 10]]


def test_readings_replace_an_interval_that_a_document_has_only_in_part(use_series):
    assert use_series("""
      const series = new Series();
      series.begin(600_000, 2_000);
      for (const seconds of [0, 0.5, 1]) series.add(reading(seconds, 10));
      series.replace(made([point(-2, 50), point(0, 50, 2)]));
      return series.points.map(({ n, r }) => [n, r.mean]);
    """) == [[4, 50], [3, 10]]


def test_what_the_page_has_from_before_a_restart_stays_however_often_the_history_is_loaded(use_series):
    assert use_series("""
      const series = new Series();
      series.begin(600_000, 2_000);
      const mark = (seconds, text) => ({ time: new Date(at + seconds * 1_000).toISOString(), kind: "user", text });
      const begins = (seconds) => ({ begins: new Date(at + seconds * 1_000).toISOString() });
      series.replace({ ...made([point(-8, 10), point(-6, 20)]), ...begins(-9), marks: [mark(-7, "Acid")] });
      // The first interval of the new history has begun before the restart.
      const restarted = { ...made([point(-2, 30), point(0, 40)]), ...begins(-1), marks: [mark(0, "Base")] };
      for (let count = 0; count < 3; count++) series.replace(restarted);
      return [series.points.map(({ time, r }) => [(time - at) / 1_000, r.mean]), series.marks.map(({ text }) => text)];
    """) == [[[-8, 10], [-6, 20], [-2, 30], [0, 40]], ["Acid", "Base"]]


def test_a_history_that_survives_restarts_replaces_what_the_page_has(use_series):
    assert use_series("""
      const series = new Series();
      series.begin(600_000, 2_000);
      series.replace({ ...made([point(-8, 10)]), begins: null });
      series.replace({ ...made([point(-2, 30)]), begins: null });
      return series.points.map(({ r }) => r.mean);
    """) == [30]


def test_points_older_than_the_span_are_dropped(use_series):
    assert use_series("""
      const series = new Series();
      series.begin(60_000, 1_000);
      for (let seconds = 0; seconds <= 100; seconds++) series.add(reading(seconds));
      return [series.points.length, series.points[0].time - at];
    """) == [61, 40000]


def test_a_reading_without_a_colour_moves_the_span_forward(use_series):
    assert use_series("""
      const series = new Series();
      series.begin(60_000, 1_000);
      series.add(reading(0));
      series.add(reading(59, 0, { rgb: null }));
      const before = series.points.length;
      series.add(reading(70, 0, { rgb: null }));
      return [before, series.points.length, series.end - at];
    """) == [1, 0, 70000]


def test_a_clock_that_was_set_back_begins_a_new_series(use_series):
    assert use_series("""
      const series = new Series();
      series.add(reading(100, 10));
      const answers = [series.add(reading(99.5, 20)), series.add(reading(0, 30)), series.add(reading(1, 40))];
      return [answers, series.points.map(({ r }) => r.mean)];
    """) == [[True, False, True], [35]]


def test_readings_do_not_extend_a_long_span(use_series):
    job = "const series = new Series(); series.begin(3_600_000, 10_000); series.add(reading(0)); return series.points.length;"
    assert use_series(job) == 0


def test_the_series_is_bounded_whatever_the_server_sends(use_series):
    assert use_series("""
      const series = new Series();
      series.begin(600_000, 2_000);
      const document = made(Array.from({ length: 9_000 }, (_, index) => point(index / 1_000 - 10, 5)), 0.001);
      document.marks = Array.from({ length: 9_000 }, () => ({ time: new Date(at).toISOString(), text: "x".repeat(9_000) }));
      series.replace(document);
      return [series.points.length, series.marks.length, series.marks[0].text.length];
    """) == [2000, 1000, 200]


@pytest.mark.parametrize("document", ["null", "{}", "{ step: -1, points: [] }", "{ step: 1, points: 5 }"])
def test_an_invalid_document_is_refused(use_series, document):
    job = (
        f"try {{ new Series().replace({document}); return 'accepted'; }} catch (problem) {{ return problem.message; }}"
    )
    assert use_series(job) == "Swatchcam sent an unexpected history"


def test_slow_readings_do_not_make_a_gap(use_series):
    assert use_series("""
      const series = new Series();
      series.begin(600_000, 2_000);
      for (const seconds of [0, 10, 20]) series.add(reading(seconds, 10, { rate: { wanted: 0.1, reading: 0.1 } }));
      series.add(reading(60, 10, { rate: { wanted: 0.1, reading: 0.1 } }));
      return series.points.slice(1).map((point, index) => series.isGap(series.points[index], point));
    """) == [False, False, True]


@pytest.mark.parametrize(("time", "index"), [(-99, 0), (0, 0), (2.9, 0), (3.1, 1), (5.5, 1), (99, 2)])
def test_the_point_at_a_time_is_the_nearest_one(use_series, time, index):
    assert (
        use_series(f"""
      const series = new Series();
      series.begin(600_000, 2_000);
      series.replace(made([point(0, 5), point(4, 5), point(6, 5)]));
      return series.indexNear(at + {time} * 1_000);
    """)
        == index
    )


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 255, [0, 50, 100, 150, 200, 250]),
        (100, 100, [90, 95, 100, 105, 110]),
        (0, 40, [0, 10, 20, 30, 40]),
        (1, 3, [0, 2, 4, 6, 8, 10]),
        (253, 255, [246, 248, 250, 252, 254]),
    ],
)
def test_a_value_axis_has_round_numbers_around_its_values(use_series, low, high, ticks):
    scale = use_series(f"return scale.valueScale({low}, {high}, {{ top: 255, leastRange: 16, mostTicks: 6 }})")
    assert scale["ticks"] == ticks
    assert 0 <= scale["low"] <= low and high <= scale["high"] <= 255


@pytest.mark.parametrize(
    ("span", "room", "steps"),
    [(60, 7, 10), (600, 90, 120), (3600, 500, 600), (86400, 9000, 10800), (604800, 70000, 86400)],
)
def test_a_time_axis_has_full_seconds_minutes_hours_or_days(use_series, span, room, steps):
    times = use_series(f"""
      const offset = new Date(at).getTimezoneOffset() * 60;
      return scale.timeTicks(at + 1_234, at + {span} * 1_000, {room} * 1_000).map(({{ time }}) => time / 1_000 - offset);
    """)
    assert len(times) >= 2
    assert {second - first for first, second in itertools.pairwise(times)} == {steps}
    assert {time % steps for time in times} == {0}


# The kiosk


@pytest.fixture
def kiosk(browse, server):
    """Opens the kiosk with its history, and returns when it shows a colour."""

    def open_page(on=None, before="", **changes) -> Strip:
        page = browse(on or server, before=before + fake_history.script(**changes))
        page.driver.get(f"{(on or server).url}kiosk?show=history")
        page.wait_until("document.getElementById('kiosk')?.hasAttribute('data-color')")
        return Strip(page)

    return open_page


def test_the_kiosk_shows_the_colour_with_the_history_of_ten_minutes(kiosk):
    strip = kiosk(gap=[2, 2])
    assert strip.wait_for_requests(1)[0]["span"] == "10m"
    wait_until(lambda: strip.pixel(0.5, 0.1), "the kiosk has no band", holds=lambda pixel: pixel[3] == 255)
    assert strip.page.element("hex").is_displayed()
    # Chromium may warn about the pixels that this test reads.
    assert [entry for entry in strip.page.console() if "getImageData" not in entry["message"]] == []


def test_the_configuration_chooses_the_history_for_the_kiosk(browse, start_server):
    server = start_server(config='[kiosk]\nshow = "history"\n')
    page = browse(server)
    page.driver.get(f"{server.url}kiosk")
    assert page.element("history-canvas").is_displayed()


def test_the_kiosk_loads_the_history_again_after_the_server_was_away(kiosk, start_server):
    server = start_server(config="[readings]\nrate = 10\n")
    strip = kiosk(on=server)
    strip.wait_for_requests(1)
    server.stop()
    strip.page.wait_until("!document.getElementById('kiosk').hasAttribute('data-color')")
    server.start()
    strip.wait_for_requests(2)


def test_the_kiosk_says_why_there_is_no_history_and_tries_again(kiosk):
    strip = kiosk(problem="The history is being read")
    strip.page.wait_until(
        "document.getElementById('history-problem').textContent === 'History: The history is being read'"
    )
    strip.run("fakeHistory.problem = null")
    strip.page.wait_until("document.getElementById('history-problem').textContent === ''")


def test_a_kiosk_without_the_history_loads_no_scripts_for_it(browse, server):
    page = browse(server)
    page.driver.get(f"{server.url}kiosk")
    page.wait_until("'script' in document.getElementById('kiosk').dataset")
    loaded = page.driver.execute_script("return performance.getEntriesByType('resource').map(({ name }) => name)")
    assert [name for name in loaded if "history" in name] == []
