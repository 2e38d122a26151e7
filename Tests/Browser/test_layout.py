"""The layout of the dashboard on screens of all sizes. test_geometry.py tests that everything on them is legible."""

import fake_readings
import fake_statistics
import pytest
from Harness.cases import sampled
from Harness.chromium import set_color_scheme, set_size
from selenium.webdriver.common.action_chains import ActionChains

pytestmark = pytest.mark.slow

BOTTOMS = """
const bar = document.querySelector(".actions").getBoundingClientRect();
return [
  bar.bottom > innerHeight - 4 ? bar.top : innerHeight,
  ...arguments[0].map((id) => document.getElementById(id).getBoundingClientRect().bottom),
];
"""


def test_the_picture_and_the_values_are_in_sight_without_scrolling(page):
    for size in ((800, 480), (1024, 768), (1280, 720), (1920, 1080), (3840, 2160)):
        is_small = size == (800, 480)
        values = (
            ["line-r", "line-grade"] if is_small else ["r", "notation-value", "brightness", "advice", "history-canvas"]
        )
        set_size(page.driver, *size)
        bottom, *bottoms = page.driver.execute_script(BOTTOMS, ["view", "hex", *values])
        assert max(bottoms) <= bottom, size


HEIGHTS = """
const height = (selector) => document.querySelector(selector).getBoundingClientRect().height;
const root = document.scrollingElement;
return [root.scrollHeight - root.clientHeight, height(".swatch"), height(".panels"), height(".history-plot")];
"""


def test_only_the_panel_scrolls_on_a_wide_screen_and_the_swatch_is_large(full_page):
    page = full_page()
    for width, height in ((1280, 720), (1280, 800), (1366, 768), (1920, 1080)):
        set_size(page.driver, width, height)
        page.wait_until("document.getElementById('history').checkVisibility()")
        scroll, swatch, panel, plot = page.driver.execute_script(HEIGHTS)
        assert scroll == 0, (width, height)
        assert swatch >= (160 if height >= 800 else 150) and swatch >= 0.25 * (height - 60), (width, height)
        assert panel >= 240 and plot >= 140, (width, height)


ROWS = """
const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 4;
return [...document.querySelectorAll(".value")].filter((row) => row.checkVisibility())
  .map((row) => row.getBoundingClientRect().height / unit);
"""


def test_each_row_of_values_has_one_line_in_two_columns(full_page):
    page = full_page()
    for state in ("live", "held"):
        for size in ((1280, 720), (1280, 800), (1024, 768), (1024, 560), (1000, 700)):
            set_size(page.driver, *size)
            heights = page.driver.execute_script(ROWS)
            assert heights == pytest.approx([9] * len(heights), abs=0.1) and len(heights) >= 2, (state, size)
        page.element("hold").click()


PRESSED = """
const name = (one) => one.id || one.closest("label, [id]").id || one.textContent.trim() || one.className;
const small = [...document.querySelectorAll("button, select, summary, input:not([type=range], [type=file]), .menu a, .links a, .tools a")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one, one.matches("[type=checkbox], [type=radio]") ? one.closest("label, .control").getBoundingClientRect() : one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.height < 43.5 || box.width < 40))
  .map(([one, box]) => `${name(one)} ${Math.round(box.width)}x${Math.round(box.height)}`);
return small;
"""


@pytest.fixture
def finger(driver):
    """A screen that is touched."""
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    yield
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


@pytest.mark.parametrize(("width", "height"), sampled([(390, 844), (1280, 800)]))
def test_everything_that_a_finger_presses_is_44_pixels_high(finger, full_page, width, height):
    page = full_page()
    set_size(page.driver, width, height)
    page.wait_until("matchMedia('(pointer: coarse)').matches")
    found = {}
    for tab in ("samples", "statistics", "controls", "effect", "about"):
        page.driver.execute_script(f"document.getElementById('{tab}-tab').click()")
        page.wait_for_readings(1)
        found[tab] = page.driver.execute_script(PRESSED)
    page.driver.execute_script("document.getElementById('samples-tab').click()")
    for button in ("more", "history-more", "samples-more", "export", "record"):
        page.driver.execute_script(f"document.getElementById('{button}').click()")
        found[button] = page.driver.execute_script(PRESSED)
        page.driver.execute_script("document.querySelector(':popover-open').hidePopover()")
    assert {place: small for place, small in found.items() if small} == {}


def test_on_a_phone_the_tabs_take_two_rows_at_most_which_do_not_move_with_the_choice(finger, full_page):
    page = full_page()
    set_size(page.driver, 390, 844)
    places = set()
    for tab in ("samples", "statistics", "effect"):
        page.driver.execute_script(f"document.getElementById('{tab}-tab').click()")
        places.add(
            page.driver.execute_script("""
              const place = (one) => { const { x, y, width } = one.getBoundingClientRect(); return [x, y + scrollY, width].map(Math.round).join(" "); };
              return [...document.querySelectorAll("[role=tab]")].map(place).join(", ");
            """)
        )
    [place] = places
    assert len({box.split()[1] for box in place.split(", ")}) <= 2


def test_on_a_phone_the_line_below_the_picture_has_one_height_whatever_it_says(finger, full_page):
    page = full_page()
    set_size(page.driver, 390, 844)
    top = "return document.getElementById('quality').getBoundingClientRect().top + scrollY"
    tops = set()
    for region in ([0, 0, 1, 1], [0.1, 0.1, 0.3, 0.3]):
        page.driver.execute_script("fake.region = arguments[0]", region)
        for button in ("hold", "hold", "select-area", "select-area"):
            page.wait_for_readings(2)
            tops.add(page.driver.execute_script(top))
            page.driver.execute_script(f"document.getElementById('{button}').click()")
    assert len(tops) == 1


def test_on_a_phone_the_reasons_have_the_same_space_on_both_sides(full_page):
    flags = [{"code": code, "value": 1, "message": "Choose a smaller area. " * 3} for code in ("uneven", "dark")]
    page = full_page(quality={"grade": "fair", "flags": flags})
    set_size(page.driver, 390, 844)
    page.element("reasons").click()
    box = page.element("flags").rect
    assert box["x"] >= 16 and box["x"] + box["width"] <= 390 - 16


OPEN_MENU = """
const { top, bottom } = document.querySelector(":popover-open").getBoundingClientRect();
document.querySelector(":popover-open").hidePopover();
return [top, bottom];
"""


def test_a_menu_stays_on_the_screen_wherever_its_button_is(finger, full_page):
    page = full_page()
    for width, height in ((390, 844), (800, 480)):
        set_size(page.driver, width, height)
        for button in ("samples-more", "export", "history-more"):
            page.driver.execute_script(f"document.getElementById('{button}').scrollIntoView({{ block: 'center' }})")
            page.element(button).click()
            top, bottom = page.driver.execute_script(OPEN_MENU)
            assert top >= 0 and bottom <= height, (width, button)


COVERED = """
const { left, top, right, bottom } = document.getElementById("notice-line").getBoundingClientRect();
const overlaps = (box) => box.width && box.left < right && box.right > left && box.top < bottom && box.bottom > top;
const others = document.querySelectorAll(".state, .switcher, .more, .head, .actions, .views, .tools, .quality, .value, .history, .panels");
return [...others].filter((one) => overlaps(one.getBoundingClientRect())).map((one) => one.className);
"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (800, 480)])
def test_on_a_small_screen_a_long_name_of_a_camera_shares_the_first_row_with_the_state_and_the_menu(
    full_page, width, height
):
    page = full_page()
    set_size(page.driver, width, height)
    state, camera, more = (
        page.driver.find_element("css selector", name).rect for name in (".state", ".switcher", ".more")
    )
    assert state["x"] < camera["x"] < more["x"] and state["y"] >= 4
    assert more["y"] < state["y"] + state["height"] / 2 < more["y"] + more["height"]


def test_a_notice_covers_nothing(full_page):
    page = full_page(notices=[{"topic": "camera", "message": "No camera was found."}])
    for size in ((390, 844), (320, 568), (800, 480), (640, 400), (390, 400), (1280, 800)):
        set_size(page.driver, *size)
        page.wait_until("document.getElementById('notice-line').checkVisibility()")
        assert page.driver.execute_script(COVERED) == [], size


MARGINS = """
const line = document.getElementById("notice-line").getBoundingClientRect();
return [line.left, innerWidth - line.right, line.top];
"""


def test_a_notice_of_one_long_sentence_keeps_to_the_margins(full_page):
    sentence = (
        "/etc/swatchcam/config.toml:3: camera.fps: 900 is out of range 1...240, so that the nearest value is used."
    )
    page = full_page(notices=[{"topic": "configuration", "message": sentence}])
    for size in ((390, 844), (320, 568), (800, 480), (740, 360), (844, 390), (1024, 768), (1280, 800)):
        set_size(page.driver, *size)
        page.wait_until("document.getElementById('notice-line').checkVisibility()")
        page.wait_for_drawing()
        left, right, top = page.driver.execute_script(MARGINS)
        assert left >= 16 and right >= 16 and top >= 8, size


def test_a_low_and_wide_screen_has_two_columns(full_page):
    page = full_page()
    for size in ((800, 480), (844, 390), (740, 360)):
        set_size(page.driver, *size)
        view, hex_value, advice, more = page.driver.execute_script(
            "return ['view', 'hex', 'advice', 'more'].map((id) => document.getElementById(id).getBoundingClientRect().toJSON())"
        )
        assert view["x"] + view["width"] <= min(hex_value["x"], advice["x"]), size
        assert view["width"] >= 0.3 * size[0] and view["y"] + view["height"] <= size[1], size
        assert advice["y"] + advice["height"] <= size[1], size
        # The menu is at the right end, whatever else is in the bar.
        assert more["x"] >= size[0] - 70, size


def test_the_export_does_not_cover_the_head_of_the_table(finger, full_page):
    page = full_page()
    set_size(page.driver, 1024, 768)
    page.wait_until("matchMedia('(pointer: coarse)').matches")
    head, button = (page.driver.find_element("css selector", name).rect for name in (".samples thead", "#export"))
    assert button["y"] + button["height"] <= head["y"] + 1


def test_a_small_screen_shows_the_picture_with_what_is_below_it(full_page):
    page = full_page()
    set_size(page.driver, 800, 480)
    tools, actions = (page.driver.find_element("class name", name).rect for name in ("tools", "actions"))
    assert tools["y"] + tools["height"] <= actions["y"]


def test_delete_stands_apart_from_rename(full_page):
    page = full_page()
    page.driver.execute_script("document.getElementById('sample-menu').showPopover()")
    rename, delete = (page.element(name).rect for name in ("rename-sample", "delete-sample"))
    assert delete["y"] - (rename["y"] + rename["height"]) >= 12


def test_the_bar_above_the_history_does_not_move_with_a_recording(full_page):
    page = full_page()
    places = """
      return [...document.querySelectorAll(".history-bar > :not(form, .menu)")].map((one) => Math.round(one.getBoundingClientRect().x));
    """
    before = page.driver.execute_script(places)
    page.driver.execute_script(
        "fake.recording = { name: 'Titration', since: new Date().toISOString(), endsBy: new Date().toISOString() }"
    )
    page.wait_until("document.getElementById('record-label').textContent === 'Stop'")
    assert page.driver.execute_script(places) == before


def test_the_overlay_fits_on_the_screen(page):
    page.element("more").click()
    page.element("overlay").click()
    page.wait_until("document.getElementById('dashboard').hasAttribute('data-overlay')")
    for size in ((800, 480), (390, 844), (1280, 800)):
        set_size(page.driver, *size)
        page.wait_until("document.documentElement.scrollHeight <= innerHeight")


IN_FRONT = """
const box = document.getElementById("hex").getBoundingClientRect();
const top = document.elementFromPoint(box.left + 5, box.top + box.height / 2);
return [box.top, box.bottom, Boolean(top.closest(".head"))];
"""


def test_on_a_phone_the_colour_is_above_the_picture_and_stays_in_sight_while_a_narrow_page_scrolls(page):
    for width, height in ((320, 568), (390, 844)):
        set_size(page.driver, width, height)
        head, view = page.driver.execute_script(
            "return ['.head', '#view'].map((name) => document.querySelector(name).getBoundingClientRect().toJSON())"
        )
        assert head["bottom"] <= view["top"] < height
    for width, height in ((390, 844), (800, 480)):
        set_size(page.driver, width, height)
        page.driver.execute_script("scrollTo(0, document.documentElement.scrollHeight)")
        page.wait_until("scrollY > 200")
        top, bottom, is_in_front = page.driver.execute_script(IN_FRONT)
        assert 0 <= top < bottom <= height * 0.3 and is_in_front, width


WRITTEN = """
const swatch = document.querySelector(".swatch").getBoundingClientRect();
const texts = [...document.querySelectorAll(".side *")].filter((element) =>
  element.checkVisibility() && [...element.childNodes].some((node) => node instanceof Text && node.data.trim()));
return [swatch.top, swatch.bottom, ...texts.map((element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return [element.id, range.getBoundingClientRect().top];
})];
"""


def test_nothing_is_written_on_the_upper_part_of_a_colour(full_page):
    """The eye compares what is not written on."""
    page = full_page()
    for state in ("live", "held"):
        for size in ((800, 480), (390, 844), (740, 360), (320, 568), (1280, 800)):
            set_size(page.driver, *size)
            top, bottom, *texts = page.driver.execute_script(WRITTEN)
            share = 0.5 if size[0] >= 1000 else 0.25
            # A line of text has blank parts above and below its letters.
            assert len(texts) >= 2
            assert [name for name, above in texts if above < top + share * (bottom - top) - 4] == [], (state, size)
        page.element("hold").click()


SMALL = """
return [...document.querySelectorAll("button, select, input, .panel a")].filter((element) => {
  // The label of a check box belongs to it.
  const target = element.matches("[type=checkbox], [type=radio]") ? element.closest("label") : element;
  const { width, height } = target.getBoundingClientRect();
  return element.checkVisibility() && Math.min(width, height) < 24;
}).map((element) => element.id || element.textContent);
"""


def test_every_target_measures_24_pixels_at_least_and_the_camera_list_keeps_room_for_a_name(full_page):
    """WCAG 2.2, 2.5.8. Check boxes had 15 pixels on a 4K screen."""
    page = full_page()
    page.wait_until("document.getElementById('camera-choice').checkVisibility()")
    for size in ((320, 568), (844, 800), (1280, 800), (3840, 2160)):
        set_size(page.driver, *size)
        assert page.driver.execute_script(SMALL) == [], size
        assert page.element("camera-choice").size["width"] >= 100, size


@pytest.mark.parametrize("scheme", sampled(["light", "dark"]))
def test_the_focus_ring_is_seen_on_the_page_and_on_any_colour(page, scheme):
    set_color_scheme(page.driver, scheme)

    def ring(element_id):
        return page.driver.execute_script(
            """
            const element = document.getElementById(arguments[0]);
            element.focus({ focusVisible: true });
            const { outlineColor, outlineWidth, color } = getComputedStyle(element);
            return [outlineColor, parseFloat(outlineWidth), color, getComputedStyle(document.body).color];
            """,
            element_id,
        )

    color, width, _, ink = ring("hold")
    assert color == ink and width >= 2
    # On a swatch, it has the colour in which the text there can be read.
    color, width, text, _ = ring("copy-hex")
    assert color == text and width >= 2
    # On a picture, a black line and a white one lie side by side.
    page.driver.execute_script("document.getElementById('region').focus({ focusVisible: true })")
    outline, shadow = page.driver.execute_script(
        "const { outlineColor, boxShadow } = getComputedStyle(document.activeElement); return [outlineColor, boxShadow]"
    )
    assert outline == "rgb(255, 255, 255)" and shadow.startswith("rgb(0, 0, 0)")


def test_nothing_but_the_swatch_changes_its_size_when_a_colour_is_held(page):
    boxes = """
      return [...document.querySelectorAll(
        ".bar button, #view, .channel, .quality, .tabs button, .panel, .history-bar > *, .history-plot")]
        .filter((element) => element.checkVisibility())
        .map((element) => [element.id || element.className, JSON.stringify(element.getBoundingClientRect())].join(" "));
    """
    size = "return getComputedStyle(document.getElementById('hex')).fontSize"
    before, size_before = page.driver.execute_script(boxes), page.driver.execute_script(size)
    page.element("hold").click()
    page.wait_until("document.getElementById('dashboard').hasAttribute('data-split')")
    assert page.driver.execute_script(boxes) == before
    assert page.driver.execute_script(size) == size_before


# The widest text that each field can have

NOTATIONS = {
    "hsl": "hsl(359.9 99.9% 99.9%)",
    "hwb": "hwb(359.9 99.9% 99.9%)",
    "lab": "lab(99.9 -86.2 -107.9)",
    "lch": "lch(99.9 133.8 359.9)",
    "oklab": "oklab(0.999 -0.234 -0.312)",
    "oklch": "oklch(0.999 0.323 359.9)",
}
WIDEST = fake_statistics.READING | {
    "hex": "#DDDDDD",
    "rgb": {"r": 255, "g": 255, "b": 255},
    "brightness": 1,
    "noise": {"r": 10.25, "g": 10.25, "b": 10.25, "deltaE": 100.25},
    "mean": {"r": 255, "g": 255, "b": 255},
    "statistics": fake_statistics.READING["statistics"]
    | {
        "pixels": 50_000,
        "regionPixels": 8_294_400,
        "min": {"r": 255, "g": 255, "b": 255},
        "max": {"r": 255, "g": 255, "b": 255},
        "clipped": {"low": {"r": 1, "g": 1, "b": 1}, "high": {"r": 1, "g": 0.00001, "b": 1}},
        "dominant": {"hex": "#DDDDDD", "share": 1},
    },
    "drift": {"deltaEPerMinute": 123.45, "standardError": 12.34},
    "totalDrift": {"deltaEPerMinute": 123.45, "standardError": 12.34},
    "color": fake_readings.MUCH["color"]
    | {
        "css": NOTATIONS,
        "xyz": {"x": 0.9505, "y": 1, "z": 1.0888},
        "xy": {"x": 0.3127, "y": 0.329},
        "cct": 25_000,
        "duv": -0.0123,
    },
    "recording": {"since": "2026-11-20T19:30:00.000Z", "name": "A long night"},
}

CUT_FIELDS = """
return [...document.querySelectorAll(".fixed, .actions button, .history-bar button, #record-label")]
  .filter((field) => field.checkVisibility() && field.scrollWidth > field.clientWidth && getComputedStyle(field).display !== "inline")
  .map((field) => `${field.id || field.parentElement.id || field.parentElement.className} ${field.textContent}: ` +
    `${field.scrollWidth} in ${field.clientWidth}`);
"""


def set_screen(page, width, height, ratio=1):
    page.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": width < 500},
    )


@pytest.mark.parametrize("ratio", sampled([1, 2]))
@pytest.mark.parametrize(
    ("width", "height"), sampled([(1280, 720), (390, 844), (800, 480), (320, 568), (1024, 768), (3840, 2160)], 2)
)
def test_no_field_is_too_narrow_for_its_widest_text(full_page, width, height, ratio):
    page = full_page(**WIDEST)
    set_screen(page, width, height, ratio)
    cut = {}
    for state in ("live", "held"):
        for notation in ("hex", "rgb", *NOTATIONS):
            page.driver.execute_script(
                "const list = document.getElementById('notation'); list.value = arguments[0];"
                "list.dispatchEvent(new Event('change'))",
                notation,
            )
            if found := page.driver.execute_script(CUT_FIELDS):
                cut[state, notation] = found
        page.element("hold").click()
    page.driver.execute_script("document.getElementById('statistics-tab').click()")
    page.driver.execute_script("document.getElementById('figures').scrollIntoView()")
    page.wait_until("document.querySelector('#figures [data-figure=pixels]').textContent.includes('8,294,400')")
    cut["statistics"] = page.driver.execute_script(CUT_FIELDS)
    page.driver.execute_script("document.getElementById('sample').firstChild.data = '256 of 256'")
    cut["sampling"] = page.driver.execute_script(CUT_FIELDS)
    assert {place: found for place, found in cut.items() if found} == {}


GRADES = """
return [...document.querySelectorAll(".grade")].filter((grade) => grade.checkVisibility()).flatMap((grade) => {
  const row = grade.closest(".line, .quality").getBoundingClientRect();
  const word = grade.querySelector("span");
  const range = document.createRange();
  range.selectNodeContents(word);
  const own = grade.getBoundingClientRect();
  const advice = document.querySelector(".advice").getBoundingClientRect();
  const boxes = [range.getBoundingClientRect(), grade.querySelector("svg").getBoundingClientRect()];
  const isWhole = boxes.every(({ left, right, top, bottom }) =>
    left >= own.left - 0.5 && right <= own.right + 0.5 && top >= row.top && bottom <= row.bottom);
  return isWhole && (grade.closest(".line") || boxes[0].right + 4 <= advice.left) ? [] : [word.id];
});
"""


def test_every_grade_is_shown_completely(full_page):
    """`Good` read `Gooc`, and the sign lost its bottom."""
    page = full_page()
    cut = {}
    for grade in ("good", "fair", "poor"):
        page.driver.execute_script("fake.quality = { grade: arguments[0], flags: [] }", grade)
        page.wait_until(f"document.getElementById('grade').textContent.toLowerCase() === '{grade}'")
        assert page.driver.execute_script("return document.querySelectorAll('.grade > svg').length") == 2
        for screen in ((1280, 800, 1), (1280, 800, 2), (390, 844, 1), (390, 844, 2)):
            set_screen(page, *screen)
            if found := page.driver.execute_script(GRADES):
                cut[grade, screen] = found
    assert cut == {}


ADVICE = [
    "100.0 % of the pixels are at the top of green: lower the exposure or the gain, or dim the light.",
    "100.0 % of the pixels are more saturated than sRGB can hold: the colour is stronger than it reads.",
    (
        "100.0 % of the pixels are at the bottom of green: add light or raise the exposure; for a saturated colour, lower "
        "the camera's saturation."
    ),
    "120 frames were lost in the last 60 s: choose a smaller picture or a lower frame rate, or check the cable.",
    "The colour is changing.",
]


def test_every_advice_fits_into_its_row_which_keeps_its_size(full_page):
    page = full_page()
    sizes = ((1280, 720), (390, 844), (800, 480), (1024, 768), (1024, 560), (320, 568))
    rows = set()
    for message in ADVICE:
        flags = [{"code": "one", "value": 1, "message": message}, {"code": "two", "value": 1, "message": "x"}]
        page.driver.execute_script("fake.quality = { grade: 'poor', flags: arguments[0] }", flags)
        page.wait_until(f"{message!r}.startsWith(document.getElementById('advice').textContent.slice(0, -1))")
        for size in sizes:
            set_size(page.driver, *size)
            row, text = page.driver.execute_script("""
              const range = document.createRange();
              range.selectNodeContents(document.getElementById("advice"));
              return [document.getElementById("quality"), range].map((one) => one.getBoundingClientRect().toJSON());
            """)
            assert row["top"] <= text["top"] and text["bottom"] <= row["bottom"], (message, size)
            rows.add((size, row["top"], row["height"]))
    assert len(rows) == len(sizes)


BROKEN_WORDS = """
const broken = [];
for (const element of document.querySelectorAll("h1, h2, h3, button, [role=tab], th, label, legend")) {
  if (!element.checkVisibility()) continue;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const { index, 0: word } of texts.currentNode.textContent.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
}
return broken;
"""


def test_no_word_of_a_heading_or_a_button_is_broken(full_page):
    """The heading of the history read `Histor y`, even in the moving picture of README.md."""
    page = full_page()
    for size in ((1280, 800), (1120, 700), (1024, 768), (1000, 700), (800, 480), (390, 844), (320, 568)):
        set_size(page.driver, *size)
        assert page.driver.execute_script(BROKEN_WORDS) == [], size


# What moves

WATCH_SHIFTS = """
window.shifts = [];
const name = (node) => node?.nodeType === Node.TEXT_NODE ? name(node.parentElement) : node && (node.id || node.className || node.localName);
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    for (const { node, previousRect: from, currentRect: to } of sources) {
      const element = node instanceof Element ? node : node?.parentElement;
      const place = element?.closest(".panel, .swatch, .relation, .history-moment")?.className.split(" ")[0] ?? "page";
      shifts.push([place, `${name(node)}: ${[from.x, from.y, to.x, to.y].map(Math.round)} (${value.toFixed(4)})`]);
    }
  }
}).observe({ type: "layout-shift", buffered: true });
"""


def shifts(page, *, allowed=()):
    """What has moved since the last call, except in the places that may."""
    # The observer hears of shifts after a frame.
    page.wait_for_readings(2)
    page.wait_for_drawing()
    found = page.driver.execute_script("return shifts.splice(0)")
    return [what for place, what in found if place not in allowed]


@pytest.mark.parametrize(
    ("width", "height", "readings"), sampled([(390, 844, 50), (1280, 800, 200), (800, 480, 100), (1920, 1080, 100)])
)
def test_nothing_moves_while_the_page_is_used(page, width, height, readings):
    """By the browser's own measure of layout shifts. 200 readings take 20 s."""
    set_size(page.driver, width, height)
    page.wait_until("document.getElementById('live').dataset.shown")
    page.wait_for_readings(2)
    page.driver.execute_script(WATCH_SHIFTS)
    page.wait_for_readings(2)
    page.driver.execute_script("shifts.length = 0")
    for _ in range(readings // 50):
        page.wait_for_readings(50)
    assert shifts(page) == [], "while values changed"
    # Once, on the user's command, the swatch makes room for a line about the difference.
    page.driver.execute_script("document.getElementById('hold').click()")
    page.wait_until("document.getElementById('relation-words').textContent !== ''")
    assert shifts(page, allowed=["swatch", "relation", "panel"]) == [], "when a colour was held"
    page.wait_for_readings(20)
    assert shifts(page) == [], "while a colour was held"
    page.driver.execute_script("document.getElementById('hold').click()")
    assert shifts(page, allowed=["swatch", "relation", "panel"]) == [], "when readings continued"
    page.driver.execute_script("document.getElementById('sample').click()")
    page.wait_until("document.getElementById('sample-list').children.length > 0")
    assert shifts(page, allowed=["panel"]) == [], "when a sample was taken"
    page.driver.execute_script("document.getElementById('history-plot').scrollIntoView({ block: 'center' })")
    shifts(page, allowed=["panel"])
    plot = page.element("history-plot")
    for place in (-0.4, -0.1, 0.2, 0.45):
        ActionChains(page.driver).move_to_element_with_offset(plot, round(place * plot.size["width"]), 0).perform()
        page.wait_for_readings(1)
    # The box with the values follows the pointer.
    assert shifts(page, allowed=["panel", "history-moment"]) == [], "while the pointer was over the history"
