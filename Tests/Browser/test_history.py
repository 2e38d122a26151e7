"""The history below the picture, and on the kiosk, with the history that `fake_history` makes up."""

import re

import fake_history
import pytest
from Harness import api
from Harness.cases import sampled
from Harness.chromium import set_color_scheme, set_size
from Harness.waiting import wait_until
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

pytestmark = pytest.mark.slow

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


def test_a_span_is_loaded_when_it_is_chosen_and_the_link_to_the_csv_is_that_of_it(strip):
    for span in ("1h", "1m", "10m", "24h", "7d", "31d"):
        strip.choose_span(span)
        wait_until(
            lambda: strip.requests[-1]["span"], f"{span} is not requested", holds=lambda last, span=span: last == span
        )
        assert strip.page.element("history-csv").get_attribute("href").endswith(f"/history.csv?span={span}")


def test_a_problem_is_shown_and_the_request_repeated(open_strip):
    strip = open_strip(problem="The history is being read")
    strip.wait_for_text("problem", r"The history cannot be loaded: The history is being read\. Trying again\.")
    strip.run("fakeHistory.problem = null")
    strip.wait_for_requests(1)
    strip.wait_for_text("problem", "")


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


def test_the_history_is_loaded_again_after_the_connection_was_lost(open_strip, start_server):
    server = start_server(config="[readings]\nrate = 10\n")
    strip = open_strip(on=server)
    server.stop()
    strip.page.wait_for_state("stale")
    server.start()
    strip.wait_for_requests(2)


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


def test_the_band_is_hatched_and_no_line_is_drawn_where_there_was_no_colour(open_strip):
    strip = open_strip(gap=[0.2, 0.8], spread=0)
    wait_until(
        lambda: [strip.pixel(0.4 + step / 200, 0.1) for step in range(40)],
        "the gap is not hatched in grey",
        holds=lambda pixels: (
            min(pixel[3] for pixel in pixels) == 0
            and max(pixel[3] for pixel in pixels) > 100
            and all(max(pixel[:3]) - min(pixel[:3]) <= 2 for pixel in pixels if pixel[3] > 100)
        ),
    )
    colored = strip.run("""
      const canvas = document.getElementById("history-canvas");
      const [from, to] = [Math.round(0.4 * canvas.width), Math.round(0.6 * canvas.width)];
      const { data } = canvas.getContext("2d").getImageData(from, Math.round(canvas.height / 4), to - from, canvas.height / 2);
      let count = 0;
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 60 && Math.max(...data.slice(at, at + 3)) - Math.min(...data.slice(at, at + 3)) > 40) count++;
      return count;
    """)
    assert colored == 0


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


def test_the_lines_can_show_the_lightness_and_the_choice_is_remembered_in_this_browser(strip):
    strip.choose_span("24h")
    strip.pause()
    before = strip.run(IMAGE)
    strip.choose_lines("lightness")
    wait_until(lambda: strip.run(IMAGE), "the strip was not drawn again", holds=lambda image: image != before)
    strip.driver.refresh()
    strip.page.wait_for_readings(1)
    assert strip.page.element("history-span").get_property("value") == "24h"
    assert strip.run("return document.querySelector('input[name=history-lines]:checked').value") == "lightness"
    assert strip.wait_for_requests(1)[0]["span"] == "24h"


# Pause


def test_a_paused_strip_stays_as_it_is_and_loads_what_it_missed_when_it_continues(strip):
    strip.pause()
    strip.page.wait_for_drawing()
    before = strip.run(IMAGE)
    first, *_, last = strip.page.wait_for_readings(8)
    assert last["sequence"] > first["sequence"]
    assert strip.run(IMAGE) == before
    assert re.fullmatch(rf"Paused at {MOMENT}\.", strip.texts()["note"])
    strip.pause()
    strip.wait_for_requests(2)
    assert strip.page.element("history-pause").get_attribute("aria-pressed") == "false"
    assert strip.texts()["note"] == ""
    strip.pause()
    strip.choose_span("1m")
    assert strip.page.element("history-pause").get_attribute("aria-pressed") == "false"


# The cursor


def test_the_cursor_is_a_slider_that_says_what_was_measured_until_escape(strip):
    # Otherwise the first moment soon leaves the plot.
    strip.pause()
    strip.press(Keys.HOME)
    shown = strip.texts()
    assert re.fullmatch(MOMENT, shown["time"])
    assert re.fullmatch(r"#[0-9A-F]{6}  R \d+  G \d+  B \d+  L\* \d+\.\d  8 readings", shown["values"])
    assert re.fullmatch(r"R \d+…\d+  G \d+…\d+  B \d+…\d+  L\* \d+\.\d…\d+\.\d", shown["ranges"])
    plot = strip.page.element("history-plot")
    assert plot.aria_role == "slider"
    assert plot.get_attribute("aria-valuetext") == shown["time"]
    assert 0 <= float(plot.get_attribute("aria-valuenow")) < 0.05
    strip.press(Keys.ESCAPE)
    shown = strip.texts()
    assert shown["time"] == shown["values"] == ""
    assert not strip.page.element("history-cursor").is_displayed()


def test_over_a_gap_the_cursor_says_that_there_was_no_reading(open_strip):
    strip = open_strip(gap=[0.4, 0.6])
    strip.pause()
    plot = strip.page.element("history-plot")
    ActionChains(strip.page.driver).move_to_element(plot).perform()
    assert strip.texts()["values"] == "No reading"
    assert re.fullmatch(MOMENT, strip.texts()["time"])
    assert plot.get_attribute("aria-valuetext").endswith(": no reading")
    ActionChains(strip.page.driver).move_to_element_with_offset(plot, plot.size["width"] // 4, 0).perform()
    assert strip.texts()["values"].startswith("#")


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
    # Without a cursor, the first arrow key goes to the newest interval.
    strip.press(Keys.ESCAPE, Keys.ARROW_LEFT)
    assert strip.texts()["time"] == last


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


def test_a_drag_shows_a_part_of_the_span_alone_and_finer_and_a_click_shows_none(strip):
    strip.point_at(0.5)
    ActionChains(strip.driver).click().click().perform()
    assert strip.page.element("history-span").get_property("value") == "10m"
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


@pytest.mark.parametrize("way", sampled(["escape", "list", "pause"]))
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


# Marks and CSV


def test_a_note_is_set_with_its_text_or_without_one(strip):
    strip.write_note("Drop of acid")
    strip.page.element("set-mark").click()
    strip.page.wait_until("document.getElementById('toast').textContent === 'Note added'")
    strip.page.wait_until("document.getElementById('mark-text').value === ''")
    assert not strip.page.element("mark-form").is_displayed()
    strip.write_note()
    strip.page.element("set-mark").click()
    strip.page.wait_until("fakeHistory.posted.length === 2")
    assert strip.run("return fakeHistory.posted") == ["Drop of acid", "Note"]


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


NOTES = [{"share": (300 + 2 * number) / 600, "text": f"Note {number}"} for number in range(6)]
"""Six notes, 2 s apart."""


def test_a_mark_has_its_label_and_the_cursor_near_it_shows_its_text_and_a_quality_that_is_not_good(open_strip):
    mark = {"share": 0.95, "text": "Drop of acid", "kind": "camera"}
    strip = open_strip(before=RECORD_TEXTS, marks=[mark])
    strip.page.wait_until(f"texts.has('{mark['text']}')")
    box = strip.run("return document.getElementById('history-plot').getBoundingClientRect().width")
    # The plot begins 8 units from the left and ends 5 before the right; 8 pixels beside the mark, which moves there.
    strip.point_at((32 + mark["share"] * (box - 52) - 8) / box)
    strip.wait_for_text("ranges", r".*quality fair.*Mark: Drop of acid")


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
    # Swatchcam's own mark cannot be deleted.
    assert strip.page.element("mark-list").find_elements(By.TAG_NAME, "button") == []


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


def test_a_span_without_marks_says_so(strip):
    strip.in_menu("list-marks").click()
    assert strip.page.element("no-marks").text == "There are none."


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


def test_markup_in_a_note_is_text(open_strip):
    texts = ["<img src=x onerror='window.broken = 1'>" * 5, "<b>Acid</b>"]
    strip = open_strip(marks=[{"share": 0.5 + index / 10, "text": text} for index, text in enumerate(texts)])
    strip.in_menu("list-marks").click()
    assert listed_marks(strip) == texts[::-1]
    assert strip.run("return window.broken") is None
    assert strip.page.console() == []


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
