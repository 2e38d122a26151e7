"""The page that measures absorbances and concentrations, with the cuvettes of the test pattern."""

from urllib.parse import quote

import pytest
from control_panel import FAKE_CAMERA
from Harness import api
from Harness.chromium import set_size
from Harness.geometry import legibility_problems
from Harness.standards import NAMES, add_curve, cuvette, put
from Harness.waiting import stretched, wait_until
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from test_accessibility import violations

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def keeping_server(shared_servers):
    return shared_servers(config=f"[readings]\nrate = 30\nregion = {cuvette(0)}\n")


def state(server):
    return api.get_json(f"{server.url}api/absorbance")


class Page:
    """The page as a user sees it."""

    def __init__(self, dashboard, server):
        self.dashboard, self.driver, self.server = dashboard, dashboard.driver, server
        self.open()

    def open(self):
        self.driver.get(f"{self.server.url}absorbance")
        wait_until(lambda: "Waiting" not in self.text("task-state"), "there is no reading")

    def element(self, name):
        return self.driver.find_element(By.ID, name)

    def text(self, name):
        return self.element(name).text

    def wait_for(self, name, part):
        wait_until(lambda: self.text(name), f"#{name} lacks {part!r}", stretched(20), holds=lambda text: part in text)

    def rows(self):
        """The rows of the table: place, what it contains, concentration, absorbance and residual, as they are shown."""
        return self.driver.execute_script("""
          const shown = (cell) => [...cell.childNodes].map((one) => one.hidden ? "" : one.value ?? one.textContent).join(" ").trim();
          return [...document.querySelectorAll('#wells tbody tr')].map((row) => [...row.cells].slice(0, 5).map(shown));
        """)

    def wait_for_rows(self, message, holds):
        return wait_until(self.rows, message, stretched(30), holds=holds)

    def standards(self):
        return [row[0] for row in self.rows() if row[1] == "standard"]

    def say(self, place, role, amount=None):
        """Says what a place contains."""
        self.driver.find_element(By.CSS_SELECTOR, f"[aria-label='What {place} contains']").send_keys(role)
        if amount is not None:
            field = self.driver.find_element(By.CSS_SELECTOR, f"[aria-label='Concentration of {place}']")
            field.clear()
            field.send_keys(amount)

    def measure(self, seconds=40):
        self.element("measure").click()
        wait_until(
            lambda: self.text("status"),
            "it is not measured",
            stretched(seconds),
            holds=lambda text: text == "Measured.",
        )

    def paste(self, text):
        """Pastes a text onto the page, and not into a field."""
        self.driver.execute_script(
            """
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", arguments[0]);
            document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
            """,
            text,
        )

    def add_curve(self, names=NAMES):
        """Adds a curve, and waits until all of it is listed."""
        add_curve(self.server, names)
        self.wait_for_rows("the standards are not listed", lambda rows: len(rows) == 5)

    def wait_for_focus(self, label):
        wait_until(
            lambda: self.driver.execute_script(
                "return document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()"
            ),
            f"{label} lacks the focus",
            holds=lambda focused: focused == label,
        )


@pytest.fixture
def page(browse, own_server):
    return Page(browse(own_server), own_server)


def test_the_blank_is_measured_first_counts_as_the_standard_of_0_and_holds_for_its_area(page, own_server):
    assert page.text("task-state") == "Measure the blank first: water alone."
    assert page.rows() == [["Area", "blank", "0", "–", ""]]
    page.measure()
    rows = page.wait_for_rows("the blank is no standard", lambda rows: len(rows) == 2)
    assert rows[1][:3] == ["0", "standard", "0"]
    page.wait_for("task-state", "1 of the 3 levels")
    # The next solution comes into the same place.
    page.wait_for_focus("Concentration of Area")
    assert "16 readings" in page.text("blank-state")
    assert state(own_server)["blank"]["everywhere"] is False
    api.request(f"{own_server.url}api/settings", "PUT", {"region": cuvette(3)})
    page.wait_for("task-state", "The blank was measured in another area")
    assert page.rows()[0][3] == "–"
    page.element("remove-blank").click()
    page.wait_for("blank-state", "Blank: not measured.")
    page.wait_for_focus("Measure")


def test_the_readings_are_counted_beside_the_button_where_the_measurement_is_cancelled(page, own_server):
    api.request(f"{own_server.url}api/settings", "PUT", {"rate": 4})
    page.element("measure").click()
    page.wait_for("status", "Measuring the blank: 3 of 16")
    button, cancel, status = (page.element(name).rect for name in ("measure", "cancel", "status"))
    assert button["x"] < cancel["x"] < status["x"]
    assert abs(status["y"] - button["y"]) < button["height"]
    page.element("cancel").click()
    page.wait_for("status", "Cancelled.")
    page.wait_for_focus("Measure")
    assert state(own_server)["blank"] is None


def test_everything_is_done_by_keyboard(page, own_server):
    page.element("everywhere").send_keys(Keys.SPACE)
    page.element("measure").send_keys(Keys.ENTER)
    page.wait_for("status", "Measured.")
    assert state(own_server)["blank"]["everywhere"] is True
    page.wait_for_focus("Concentration of Area")
    page.driver.switch_to.active_element.send_keys("1", Keys.ENTER)
    wait_until(page.standards, "the standard is not listed", holds=lambda names: names == ["Area", "0", "1"])
    page.element("region").send_keys(Keys.ARROW_RIGHT)
    region = wait_until(own_server.reading, "the area stays", holds=lambda one: one["region"] != cuvette(0))["region"]
    assert region == pytest.approx([cuvette(0)[0] + 0.01, *cuvette(0)[1:]])


def set_wells(server, count=7):
    """A probe in each cuvette, and a lamp that does not change."""
    api.request(f"{server.url}api/controls/lamp_drift", "PUT", {"value": False})
    for number in range(count):
        api.request(f"{server.url}api/probes/W{number}", "PUT", {"region": cuvette(number)})


ROWS = "Well\tmg/L\nW0\tblank\nW1\t1\nW2\t2\nW3\t3\nW4\t4\nW5\t5\nW6\tunknown"


def test_rows_of_a_spreadsheet_say_what_the_wells_contain_and_all_are_measured_by_one_click(page, own_server):
    set_wells(own_server)
    page.wait_for_rows("the probes are not listed", lambda rows: len(rows) == 8)
    page.paste(ROWS)
    rows = page.rows()
    assert [row[1] for row in rows] == ["blank", *["standard"] * 5, "unknown", "unknown"]
    assert [row[2] for row in rows[1:6]] == ["1", "2", "3", "4", "5"]
    page.measure()
    # Red has the best signal, or green if its noise happens to be less.
    page.wait_for("equation", ": slope 0.")
    blank = state(own_server)["blank"]
    assert blank["everywhere"] is True and blank["region"] == pytest.approx(cuvette(0), abs=1e-6)
    assert sorted(standard["name"] for standard in state(own_server)["standards"]) == [f"W{n}" for n in range(6)]
    # Each well has one row, and the unknown its concentration: 3.4 mg/L (docs/test-pattern.md).
    rows = page.wait_for_rows("the unknown is not known", lambda rows: rows[6][2] != "–")
    assert len(rows) == 8 and float(rows[6][2].split()[0]) == pytest.approx(3.4, abs=0.1)
    assert all(abs(float(row[4].replace("−", "-"))) < 0.01 for row in rows[:6])


def test_what_the_wells_contain_outlasts_a_reload_is_typed_in_a_form_and_is_taken_back(page, own_server):
    set_wells(own_server, 2)
    page.wait_for_rows("the probes are not listed", lambda rows: len(rows) == 3)
    page.element("paste").click()
    page.element("rows").send_keys("blank\n2,5\nacid\n")
    page.driver.find_element(By.CSS_SELECTOR, "#paste-form button").click()
    page.wait_for("toast", "Filled in 2 places. “acid” is neither a word nor a concentration.")
    page.open()
    page.wait_for_rows(
        "it is forgotten", lambda rows: [row[1:3] for row in rows[:2]] == [["blank", "0"], ["standard", "2.5"]]
    )
    # A row for each place in the order of the table: the area is the last.
    page.paste("3\n4\n5")
    assert [(row[0], row[2]) for row in page.rows()] == [("W0", "3"), ("W1", "4"), ("Area", "5")]
    page.element("undo").click()
    assert [row[1] for row in page.rows()[:2]] == ["blank", "standard"]


def test_a_standard_needs_its_concentration_and_gets_another_one_without_a_new_measurement(page, own_server):
    set_wells(own_server, 2)
    page.wait_for_rows("the probes are not listed", lambda rows: len(rows) == 3)
    page.say("W0", "blank")
    page.say("W1", "standard")
    page.element("measure").click()
    page.wait_for("status", "Type the concentration of W1.")
    page.wait_for_focus("Concentration of W1")
    page.say("W1", "standard", "1")
    page.measure()
    before = next(one for one in state(own_server)["standards"] if one["name"] == "W1")
    page.say("W1", "standard", f"2{Keys.TAB}")
    after = wait_until(
        lambda: next(one for one in state(own_server)["standards"] if one["name"] == "W1"),
        "the concentration stays",
        holds=lambda one: one["concentration"] == 2,
    )
    assert after["absorbance"] == before["absorbance"]


def test_a_well_that_contains_something_else_now_leaves_its_standard_on_the_curve(page, own_server):
    set_wells(own_server, 4)
    add_curve(own_server, [f"W{number}" for number in range(4)])
    page.wait_for_rows(
        "the wells are unknown", lambda rows: [row[1] for row in rows] == ["blank", *["standard"] * 3, "unknown"]
    )
    page.say("W3", "unknown")
    rows = page.wait_for_rows("the standard is gone", lambda rows: len(rows) == 6)
    assert [row[:2] for row in rows if row[0] == "W3"] == [["W3", "unknown"], ["W3", "standard"]]
    assert len(state(own_server)["standards"]) == 4


def middle(region):
    return [region[0] + region[2] / 2, region[1] + region[3] / 2]


def drag(page, *places):
    """Presses the mouse on the first of these places of the picture, in pixels from its middle, and lets go on the last."""
    picture = page.element("view")
    actions = ActionChains(page.driver).move_to_element_with_offset(picture, *places[0]).click_and_hold()
    for place in places[1:]:
        actions.move_to_element_with_offset(picture, *place)
    actions.release().perform()


def wait_for_region(server, holds):
    return wait_until(server.reading, "the area is another one", holds=lambda reading: holds(reading["region"]))[
        "region"
    ]


def test_a_click_on_the_whole_picture_selects_less_than_a_cuvette_or_as_much_as_a_probe(page, own_server):
    api.request(f"{own_server.url}api/settings", "PUT", {"region": [0, 0, 1, 1]})
    page.wait_for("region-hint", "Whole picture.")
    page.dashboard.wait_until("document.getElementById('live').dataset.shown")
    drag(page, (0, 0))
    region = wait_for_region(own_server, lambda region: region[2] < 1)
    # A cuvette of the test pattern is 20 px wide, of 640.
    assert region[2] < 20 / 640 and middle(region) == pytest.approx([0.5, 0.5], abs=0.01)
    set_wells(own_server, 1)
    api.request(f"{own_server.url}api/settings", "PUT", {"region": [0, 0, 1, 1]})
    page.wait_for_rows("the probe is not listed", lambda rows: len(rows) == 2)
    page.wait_for("region-hint", "Whole picture.")
    drag(page, (0, 0))
    region = wait_for_region(own_server, lambda region: region[2] < 1)
    assert region[2:] == pytest.approx(cuvette(0)[2:], abs=0.001)


def test_a_click_on_the_picture_moves_the_area_there_in_its_size_and_a_drag_draws_another_one(page, own_server):
    page.dashboard.wait_until("document.getElementById('live').dataset.shown")
    before = cuvette(0)
    drag(page, (0, 0))
    region = wait_for_region(own_server, lambda region: region != before)
    assert middle(region) == pytest.approx([0.5, 0.5], abs=0.01)
    assert region[2:] == pytest.approx(before[2:], abs=0.001)
    page.wait_for("region-hint", "Drag for another area, click to move it.")
    size = page.element("view").size
    drag(page, (-80, -60), (-40, -30), (-20, -10))
    region = wait_for_region(own_server, lambda region: region[2] > before[2])
    assert region == pytest.approx(
        [0.5 - 80 / size["width"], 0.5 - 60 / size["height"], 60 / size["width"], 50 / size["height"]], abs=0.01
    )
    page.element("region").send_keys(Keys.ARROW_RIGHT)
    wait_for_region(own_server, lambda moved: moved[0] == pytest.approx(region[0] + 0.01, abs=0.001))


def test_the_picture_the_readout_and_the_head_are_those_of_the_dashboard_and_nothing_scrolls(page, own_server):
    places = """
      return ["view", "readout", "copy-hex", "r", "notation", "noise", "quality", "state"].map((id) => {
        const { x, y } = document.getElementById(id).getBoundingClientRect();
        return [id, Math.round(x), ...(["view", "readout", "state"].includes(id) ? [Math.round(y)] : [])];
      });
    """
    set_wells(own_server)
    shown = {}
    for path in ("", "absorbance", "calibrate"):
        page.driver.get(own_server.url + path)
        page.dashboard.wait_until("document.getElementById('live').dataset.shown")
        page.dashboard.wait_until("document.querySelectorAll('.probe').length === 7")
        shown[path] = [one for one in page.driver.execute_script(places) if one[0] != "state"]
        assert page.driver.execute_script("return document.documentElement.scrollHeight <= innerHeight"), path
    assert shown["absorbance"] == shown["calibrate"] == shown[""]


def test_probes_are_set_on_the_picture_as_a_grid_in_the_area(page):
    drag(page, (-80, -60), (-40, -30), (-20, -10))
    page.wait_for("region-hint", "px.")
    page.element("grid").click()
    # The first number is selected, and Tab selects the second.
    wait_until(
        lambda: page.driver.execute_script("return document.activeElement.id"),
        "nothing is selected",
        holds=lambda focused: focused == "grid-rows",
    )
    ActionChains(page.driver).send_keys("2", Keys.TAB, "3", Keys.ENTER).perform()
    rows = page.wait_for_rows("the probes are not listed", lambda rows: len(rows) == 7)
    assert [row[0] for row in rows] == ["A1", "A2", "A3", "B1", "B2", "B3", "Area"]
    assert len(page.driver.find_elements(By.CSS_SELECTOR, ".probe")) == 6


def test_an_area_over_several_wells_has_no_concentration(page, own_server):
    page.add_curve()
    page.wait_for_rows("there is no concentration", lambda rows: " to " in rows[0][2])
    set_wells(own_server, 2)
    left = cuvette(0)[0] - 0.01
    api.request(f"{own_server.url}api/settings", "PUT", {"region": [left, 0.34, 0.1, 0.1]})
    page.wait_for("task-state", "The area covers several places")
    page.wait_for("concentration-doubt", "over several wells")
    assert page.text("concentration") == "–"
    page.wait_for_rows(
        "the area has a concentration", lambda rows: [row[2] for row in rows if row[0] == "Area"] == ["–"]
    )
    assert page.driver.find_element(By.CSS_SELECTOR, "#plot .sample").get_attribute("d") == ""


def test_a_curve_shows_its_points_its_figures_and_the_concentration_with_its_interval_also_after_a_reload(page):
    page.add_curve()
    page.wait_for("equation", "Channel red: slope 0.1")
    page.wait_for("limit", "mg/L, from the scatter about the line")
    page.wait_for("concentration", "mg/L")
    page.wait_for_rows("there is no interval", lambda rows: " to " in rows[0][2])
    wait_until(
        lambda: page.driver.find_elements(By.CSS_SELECTOR, "#plot circle"),
        "the standards are not drawn",
        holds=lambda circles: len(circles) == 4,
    )
    rows = page.rows()[1:]
    assert rows[1][:4] == ["Weak", "standard", "1", "0.1190"]
    assert all(float(row[4].removeprefix("−")) < 0.002 for row in rows)
    page.driver.refresh()
    page.wait_for("equation", "Channel red")
    page.wait_for_rows("the standards are others", lambda shown: shown[1:] == rows)


def test_channel_and_unit_are_chosen_on_the_page_and_a_deleted_standard_is_put_back(page, own_server):
    page.add_curve()
    page.wait_for("equation", "Channel red")
    Select(page.element("channel")).select_by_value("green")
    page.wait_for("equation", "Channel green")
    page.element("unit").clear()
    page.element("unit").send_keys("drops", Keys.TAB)
    page.wait_for("limit", "drops")
    page.wait_for("unit-heading", "drops")
    assert (state(own_server)["unit"], state(own_server)["channel"]) == ("drops", "green")
    before = state(own_server)["standards"][1]
    # In one step, because the page may redraw the list in between.
    page.driver.execute_script("""document.querySelector("[aria-label='Delete Weak']").click()""")
    page.wait_for_rows("the standard stays", lambda rows: len(rows) == 4)
    page.wait_for("toast", "“Weak” deleted")
    page.element("undo").click()
    page.wait_for_rows("the standard is not back", lambda rows: len(rows) == 5)
    after = next(standard for standard in state(own_server)["standards"] if standard["name"] == "Weak")
    assert after["absorbance"] == before["absorbance"]


def test_every_figure_of_the_page_is_defined(page, own_server):
    page.driver.get(own_server.url + "measuring")
    defined = page.driver.execute_script(
        "return [...document.querySelectorAll('#solutions ~ section h3')].map((heading) => heading.textContent)"
    )
    assert {"Absorbance", "Concentration", "Residual", "Limit of detection", "Calibrated"} <= set(defined)


SIZES = ((320, 568), (390, 844), (800, 480), (1024, 768), (1280, 800), (1920, 1080))


def test_hostile_names_and_units_are_shown_as_text_and_nothing_overflows_at_any_size(page, own_server):
    names = ("<img src=x onerror=alert(1)>", "&lt;b&gt;", "'\"`", "x" * 60)
    page.add_curve(names)
    page.wait_for("equation", "Channel red")
    put(own_server, "", {"unit": "<b>mg</b>"})
    for number, name in enumerate(("<b>A2</b>", "y" * 60), 1):
        api.request(f"{own_server.url}api/probes/{quote(name, safe='')}", "PUT", {"region": cuvette(number)})
    page.wait_for_rows(
        "the standards are not listed", lambda rows: [row[0] for row in rows] == ["<b>A2</b>", "y" * 60, "Area", *names]
    )
    page.wait_for("unit-heading", "<b>mg</b>")
    page.paste("<b>A2</b>\tstandard\t1e12")
    for size in SIZES:
        set_size(page.driver, *size)
        assert page.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth"), size


def test_the_longest_figures_and_ordinary_names_are_whole_at_every_size_and_axe_finds_nothing(page, own_server):
    set_wells(own_server, 3)
    add_curve(own_server, ("Water from the tap", "W1", "W2", "Third dilution"))
    put(own_server, "", {"unit": "micromol/L of nitrate"[:20]})
    page.wait_for("unit-heading", "micromol/L of nitrat")
    page.say("W0", "standard", "123456.789")
    for size in SIZES:
        set_size(page.driver, *size)
        assert page.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth"), size
        assert legibility_problems(page.driver, ignored=["covered"]) == [], size
    # All columns are in sight, also with a longer heading and a negative absorbance.
    put(own_server, "", {"unit": ""})
    page.wait_for("unit-heading", "Concentration")
    for size in ((360, 740), (375, 812), (390, 844), (1280, 800)):
        set_size(page.driver, *size)
        assert page.driver.execute_script(
            "return document.getElementById('task').scrollWidth <= document.getElementById('task').clientWidth"
        ), size
        assert violations(page.driver) == {}, size


def test_the_camera_is_locked_by_the_button_in_the_head(browse, own_server):
    page = browse(own_server)
    for path in ("absorbance", "calibrate"):
        page.driver.get(f"{own_server.url}{path}")
        page.wait_until("document.getElementById('task-state').textContent !== 'Waiting for a reading.'")
        assert not page.element("how-to-lock").is_displayed(), path
    page = browse(own_server, before=FAKE_CAMERA)
    page.driver.get(f"{own_server.url}absorbance")
    page.wait_until("document.getElementById('lock-now').checkVisibility()")
    assert page.element("how-to-lock").is_displayed()
    assert page.element("lock-now").get_attribute("aria-pressed") == "false"
    page.driver.execute_script(
        "camera.answers['api/controls'] = { controls: camera.controls, lock: { phase: 'locked' } }"
    )
    page.element("lock-now").click()
    page.wait_until("document.getElementById('lock-now').ariaPressed === 'true'")


def test_without_a_camera_there_is_no_broken_picture_and_nothing_to_press(browse, start_server):
    server = start_server("/dev/video-none")
    page = Page(browse(server), server)
    page.wait_for("task-state", "There is no camera at /dev/video-none.")
    assert page.element("no-picture").is_displayed() and page.text("region-hint") == ""
    assert [page.element(name).is_enabled() for name in ("measure", "set-dark", "select-area")] == [False] * 3


def test_an_example_of_a_unit_is_whole_looks_like_an_example_and_leaves_the_buttons_in_one_row(page):
    assert page.element("unit").get_attribute("placeholder") == "such as mg/L"
    style, width, room = page.driver.execute_script(
        """const field = document.getElementById("unit"), style = getComputedStyle(field, "::placeholder"), own = getComputedStyle(field);
        const context = document.createElement("canvas").getContext("2d");
        context.font = `${style.fontStyle} ${own.fontSize} ${own.fontFamily}`;
        return [style.fontStyle, context.measureText(field.placeholder).width, field.clientWidth - 2 * parseFloat(own.paddingLeft)];"""
    )
    assert style == "italic" and width <= room
    assert page.element("paste").rect["y"] == page.element("unit").rect["y"]


def test_on_a_phone_a_box_stands_beside_the_first_line_of_its_sentence(page):
    set_size(page.driver, 390, 844)
    box, line = page.driver.execute_script(
        """const box = document.getElementById("everywhere"), range = new Range();
        range.selectNodeContents(box.nextSibling);
        return [box.getBoundingClientRect(), range.getClientRects()[0]].map(({ top, bottom }) => [top, bottom]);"""
    )
    assert box[0] < line[1] and line[0] < box[1]


@pytest.mark.parametrize("width", [1280, 390])
def test_the_list_of_probes_has_room_for_a_concentration(browse, own_server, width):
    set_wells(own_server, 3)
    add_curve(own_server)
    page = browse(own_server)
    set_size(page.driver, width, 844)
    page.driver.execute_script("document.getElementById('probes-tab').click()")
    cell = "document.querySelector('#probe-list .concentration')"
    wait_until(lambda: page.driver.execute_script(f"return {cell}?.textContent"), "there is no concentration")
    # A number and its unit stand on two lines at most.
    assert (
        page.driver.execute_script(
            f"const range = new Range(); range.selectNodeContents({cell}); return range.getClientRects().length"
        )
        <= 2
    )
    root = "document.documentElement"
    assert page.driver.execute_script(f"return {root}.scrollWidth <= {root}.clientWidth")
