"""The page that measures absorbances and concentrations, with the cuvettes of the test pattern."""

from urllib.parse import quote

import pytest
from Harness import api
from Harness.chromium import set_size
from Harness.standards import NAMES, add_curve, cuvette, put
from Harness.waiting import stretched, wait_until
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def keeping_server(shared_servers):
    return shared_servers(config=f"[readings]\nrate = 30\nregion = {cuvette(0)}\n")


def state(server):
    return api.get_json(f"{server.url}api/absorbance")


class Page:
    """The page as a user sees it."""

    def __init__(self, dashboard, server):
        self.driver, self.server = dashboard.driver, server
        self.driver.get(f"{server.url}absorbance")
        wait_until(lambda: "Waiting" not in self.text("state"), "there is no reading")

    def element(self, name):
        return self.driver.find_element(By.ID, name)

    def text(self, name):
        return self.element(name).text

    def wait_for(self, name, part):
        wait_until(lambda: self.text(name), f"#{name} lacks {part!r}", stretched(20), holds=lambda text: part in text)

    def rows(self):
        return self.driver.execute_script(
            "return [...document.querySelectorAll('#rows tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
        )

    def add_curve(self, names=NAMES):
        """Adds a curve, and waits until all of it is listed."""
        add_curve(self.server, names)
        wait_until(self.rows, "the standards are not listed", holds=lambda rows: len(rows) == 4)

    def wait_for_focus(self, name):
        wait_until(
            lambda: self.driver.execute_script("return document.activeElement.id"),
            f"#{name} lacks the focus",
            holds=lambda focused: focused == name,
        )


@pytest.fixture
def page(browse, own_server):
    return Page(browse(own_server), own_server)


def test_a_blank_is_measured_by_a_click_and_every_reading_then_has_an_absorbance(page, own_server):
    assert page.text("state") == "Measure the blank first."
    page.element("set-blank").click()
    wait_until(page.rows, "the blank is no standard", holds=lambda rows: [row[0] for row in rows] == ["0"])
    page.wait_for("state", "1 of the 3 levels")
    page.wait_for("absorbance-r", "0.")
    assert "16 readings" in page.text("blank-state")
    assert state(own_server)["blank"]["everywhere"] is False
    api.request(f"{own_server.url}api/settings", "PUT", {"region": cuvette(3)})
    page.wait_for("state", "The blank was measured in another area")
    assert page.text("absorbance-r") == "–"
    page.element("remove-blank").click()
    page.wait_for("blank-state", "Blank: not measured.")
    page.wait_for_focus("set-blank")


def test_the_blank_is_the_standard_of_0_and_the_page_counts_the_readings_below_the_button(page, own_server):
    api.request(f"{own_server.url}api/settings", "PUT", {"rate": 5})
    page.element("set-blank").click()
    page.wait_for("status", "Measuring 3 of 16")
    button, status = page.element("set-blank").rect, page.element("status").rect
    assert 0 < status["y"] - button["y"] < 2 * button["height"]
    wait_until(
        page.rows, "there is no standard of 0", stretched(20), holds=lambda rows: [row[1] for row in rows] == ["0"]
    )
    page.wait_for("state", "1 of the 3 levels")


def test_everything_is_done_by_keyboard(page, own_server):
    page.element("everywhere").send_keys(Keys.SPACE)
    page.element("set-blank").send_keys(Keys.ENTER)
    page.wait_for("status", "Measured.")
    page.wait_for_focus("set-blank")
    assert state(own_server)["blank"]["everywhere"] is True
    page.element("amount").send_keys("1", Keys.ENTER)
    wait_until(page.rows, "the standard is not listed", holds=lambda rows: [row[0] for row in rows] == ["0", "1"])
    page.element("region").send_keys(Keys.ARROW_RIGHT)
    region = wait_until(own_server.reading, "the area stays", holds=lambda one: one["region"] != cuvette(0))["region"]
    assert region == pytest.approx([cuvette(0)[0] + 0.01, *cuvette(0)[1:]])


def test_a_measurement_is_cancelled(page, own_server):
    api.request(f"{own_server.url}api/settings", "PUT", {"rate": 1})
    page.element("set-blank").click()
    wait_until(lambda: page.element("cancel").is_displayed(), "it cannot be cancelled")
    page.element("cancel").click()
    page.wait_for("status", "Cancelled.")
    assert state(own_server)["blank"] is None


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


def test_a_click_on_the_picture_moves_the_area_there_in_its_size_and_a_drag_draws_another_one(page, own_server):
    wait_until(lambda: page.element("picture").get_property("naturalWidth"), "there is no picture")
    before = cuvette(0)
    drag(page, (0, 0))
    region = wait_for_region(own_server, lambda region: region != before)
    assert middle(region) == pytest.approx([0.5, 0.5], abs=0.01)
    assert region[2:] == pytest.approx(before[2:], abs=0.001)
    size = page.element("view").size
    drag(page, (-80, -60), (-40, -30), (-20, -10))
    region = wait_for_region(own_server, lambda region: region[2] > before[2])
    assert region == pytest.approx(
        [0.5 - 80 / size["width"], 0.5 - 60 / size["height"], 60 / size["width"], 50 / size["height"]], abs=0.01
    )
    page.element("region").send_keys(Keys.ARROW_RIGHT)
    wait_for_region(own_server, lambda moved: moved[0] == pytest.approx(region[0] + 0.01, abs=0.001))


def test_the_probes_are_drawn_on_the_picture(page, own_server):
    for number, name in enumerate(("A1", "A2")):
        api.request(f"{own_server.url}api/probes/{name}", "PUT", {"region": cuvette(number)})
    wait_until(
        lambda: page.driver.execute_script(
            "return [...document.querySelectorAll('.probe')].map((one) => one.textContent)"
        ),
        "the probes are not drawn",
        holds=lambda names: names == ["A1", "A2"],
    )
    boxes = page.driver.execute_script("""
      const view = document.getElementById("view").getBoundingClientRect();
      return [...document.querySelectorAll(".probe")].map((one) => {
        const { left, width } = one.getBoundingClientRect();
        return [(left - view.left) / view.width, width / view.width];
      });
    """)
    assert boxes == [pytest.approx([cuvette(number)[0], cuvette(number)[2]], abs=0.002) for number in range(2)]


def test_a_curve_shows_its_points_its_figures_and_the_concentration_with_its_interval_also_after_a_reload(page):
    page.add_curve()
    page.wait_for("equation", "Channel red: slope 0.1")
    page.wait_for("limit", "mg/L, from the scatter about the line")
    page.wait_for("concentration", "mg/L")
    assert page.text("interval").startswith("95 %: ")
    wait_until(
        lambda: page.driver.find_elements(By.CSS_SELECTOR, "#plot circle"),
        "the standards are not drawn",
        holds=lambda circles: len(circles) == 4,
    )
    rows = page.rows()
    assert rows[1][:3] == ["Weak", "1", "0.1190"]
    assert all(float(row[3].removeprefix("−")) < 0.002 for row in rows)
    page.driver.refresh()
    page.wait_for("equation", "Channel red")
    assert page.rows() == rows


def test_probes_are_listed_with_their_concentrations_and_what_limits_them(page, own_server):
    for number, name in ((1, "A1"), (6, "<b>A2</b>")):
        api.request(f"{own_server.url}api/probes/{quote(name, safe='')}", "PUT", {"region": cuvette(number)})
    page.add_curve()
    listed = """return [...document.querySelectorAll('#probe-rows tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"""
    rows = wait_until(
        lambda: page.driver.execute_script(listed),
        "the probes are not listed",
        stretched(20),
        holds=lambda rows: len(rows) == 2 and all(row[1] != "–" for row in rows),
    )
    assert [row[0] for row in rows] == ["A1", "<b>A2</b>"]
    assert page.text("probes-unit") == "mg/L"
    assert {row[3] for row in rows} <= {
        "",
        "below detection",
        "extrapolated",
    }
    for name in ("A1", "<b>A2</b>"):
        api.request(f"{own_server.url}api/probes/{quote(name, safe='')}", "DELETE")
    wait_until(lambda: not page.element("probes").is_displayed(), "the list of no probes stays")


def test_channel_and_unit_are_chosen_on_the_page_and_a_deleted_standard_is_put_back(page, own_server):
    page.add_curve()
    page.wait_for("equation", "Channel red")
    Select(page.element("channel")).select_by_value("green")
    page.wait_for("equation", "Channel green")
    page.element("unit").clear()
    page.element("unit").send_keys("drops", Keys.TAB)
    page.wait_for("limit", "drops")
    assert (state(own_server)["unit"], state(own_server)["channel"]) == ("drops", "green")
    before = state(own_server)["standards"][1]
    # In one step, because the page may redraw the list in between.
    page.driver.execute_script("""document.querySelector("[aria-label='Delete Weak']").click()""")
    wait_until(page.rows, "the standard stays", holds=lambda rows: len(rows) == 3)
    page.wait_for_focus("undo")
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    wait_until(page.rows, "the standard is not back", holds=lambda rows: len(rows) == 4)
    after = next(standard for standard in state(own_server)["standards"] if standard["name"] == "Weak")
    assert after["absorbance"] == before["absorbance"]


def test_hostile_names_and_units_are_shown_as_text_and_nothing_overflows_at_any_size(page, own_server):
    names = ("<img src=x onerror=alert(1)>", "&lt;b&gt;", "'\"`", "x" * 60)
    page.add_curve(names)
    page.wait_for("equation", "Channel red")
    put(own_server, "", {"unit": "<b>mg</b>"})
    wait_until(page.rows, "the standards are not listed", holds=lambda rows: [row[0] for row in rows] == list(names))
    page.wait_for("unit-label", "<b>mg</b>")
    for size in ((320, 568), (390, 844), (800, 480), (1280, 800), (1920, 1080)):
        set_size(page.driver, *size)
        assert page.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth"), size


def test_without_a_camera_there_is_no_broken_picture_and_nothing_to_press(browse, start_server):
    server = start_server("/dev/video-none")
    page = Page(browse(server), server)
    page.wait_for("state", "There is no camera at /dev/video-none.")
    assert not page.driver.execute_script(
        "return document.getElementById('picture').checkVisibility({ visibilityProperty: true })"
    )
    assert [page.element(name).is_enabled() for name in ("set-blank", "set-dark", "measure")] == [False] * 3
