"""The page that calibrates the camera, with the chart of the test pattern."""

import json

import pytest
from Harness import api
from Harness.chromium import set_size
from Harness.geometry import legibility_problems
from Harness.waiting import stretched, wait_until
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from test_accessibility import violations

pytestmark = pytest.mark.slow


def patch(number):
    """The middle of a patch of the test pattern (docs/test-pattern.md)."""
    return [0.07 + 0.1 * (number % 6), 0.11 + 0.16 * (number // 6), 0.06, 0.1]


WHITE = patch(18)
EDGE = [0.3, 0.05, 0.2, 0.3]


CONFIG = f"[readings]\nrate = 30\nregion = {WHITE}\n[camera.controls]\n"


@pytest.fixture(scope="module")
def keeping_server(shared_servers):
    return shared_servers(config=CONFIG)


class Page:
    """The page as a user sees it."""

    def __init__(self, dashboard, server):
        self.driver, self.server = dashboard.driver, server
        self.driver.get(f"{server.url}calibrate")
        self.wait_for_state("not calibrated")

    def element(self, name):
        return self.driver.find_element(By.ID, name)

    def text(self, name):
        return self.element(name).text

    def wait_for(self, name, part, seconds=20):
        wait_until(
            lambda: self.text(name), f"#{name} lacks {part!r}", stretched(seconds), holds=lambda text: part in text
        )

    def wait_for_state(self, part):
        self.wait_for("task-state", part)

    def begin(self, chart="none", card=None, dark=False, flat=False, corners=False):
        self.element("chart").send_keys({"none": "None", "standard": "ColorChecker", "file": "From a file"}[chart])
        # Between corners is the way that is offered first.
        if chart != "none" and not corners:
            self.element("way").send_keys("Patch by patch")
        if flat:
            self.element("with-flat").click()
        if card:
            self.element("with-card").click()
            self.element("reflectance").clear()
            self.element("reflectance").send_keys(str(card))
        if dark:
            self.element("with-dark").click()
        self.element("setup").submit()
        wait_until(lambda: self.element("measuring").is_displayed(), "nothing is asked for")

    def wait_for_picture(self):
        wait_until(lambda: self.element("live").get_attribute("data-shown"), "there is no picture")

    def region(self, region):
        api.request(f"{self.server.url}api/settings", "PUT", {"region": region})
        wait_until(self.server.reading, "the region is not read", holds=lambda reading: reading["region"] == region)

    def measure(self, following):
        self.element("measure").click()
        self.wait_for("asked", following)

    def rows(self):
        return self.driver.execute_script(
            "return [...document.querySelectorAll('#rows tr')].map((row) => [row.cells[0].textContent, row.cells[2].childElementCount])"
        )


@pytest.fixture
def page(browse, own_server):
    return Page(browse(own_server), own_server)


def stored(server):
    return api.request(f"{server.url}api/calibration").json


def test_a_calibration_by_a_card_is_shown_removed_restored_by_undo_and_loaded_from_its_file(page, own_server, tmp_path):
    # A lamp that drifts would change the colour between the calibration and the reading.
    assert api.request(f"{own_server.url}api/controls/lamp_drift", "PUT", {"value": 0}).status == 200
    page.begin(card=90)
    page.measure("All are done")
    page.element("calibrate").click()
    page.wait_for_state("in force")
    before = stored(own_server)["calibration"]
    assert before["card"]["luminance"] == 0.9
    page.wait_for("other-hex", "#")
    calibrated = wait_until(own_server.reading, "nothing is calibrated", holds=lambda reading: reading["calibrated"])
    assert calibrated["calibrated"]["rgb"]["r"] == pytest.approx(calibrated["calibrated"]["rgb"]["b"], abs=8)
    page.element("remove").click()
    page.wait_for_state("not calibrated")
    wait_until(lambda: page.driver.switch_to.active_element.text, "no focus", holds=lambda text: text == "Undo")
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    page.wait_for_state("in force")
    assert stored(own_server)["calibration"] == before
    page.element("remove").click()
    page.wait_for_state("not calibrated")
    palette, file = tmp_path / "palette.json", tmp_path / "calibration.json"
    palette.write_text("[]")
    page.element("calibration-file").send_keys(str(palette))
    page.wait_for("setup-problem", "Send a JSON object with measurements or with a calibration")
    assert stored(own_server)["calibration"] is None
    file.write_text(json.dumps({"calibration": before}))
    page.element("calibration-file").send_keys(str(file))
    page.wait_for_state("in force")


def test_eight_patches_of_a_chart_calibrate_the_camera_and_the_differences_of_each_are_listed(page, own_server):
    page.begin(chart="standard")
    assert page.text("asked") == "dark skin (1 of 24)"
    for number in range(12):
        page.region(patch(number))
        page.measure(f"({number + 2} of 24)")
    page.element("calibrate").click()
    page.wait_for_state("in force")
    fit = stored(own_server)["calibration"]["chart"]
    page.wait_for("verdict", f"{fit['before']['mean']:.1f} before, {fit['after']['mean']:.1f} after")
    assert [name for name, _ in page.rows()][:2] == ["dark skin", "light skin"]
    assert len(page.rows()) == 12


def test_an_unfinished_calibration_survives_a_reload_a_restart_of_the_server_and_a_lost_camera(browse, start_server):
    server = start_server(config=CONFIG)
    page = Page(browse(server), server)
    page.begin(chart="standard")
    page.region(patch(0))
    page.measure("light skin (2 of 24)")
    page.driver.refresh()
    page.wait_for("asked", "light skin (2 of 24)")
    assert page.rows()[:2] == [["dark skin", 1], ["light skin", 0]]
    server.stop()
    page.wait_for_state("connection to Swatchcam is lost")
    server.start()
    page.wait_for_state("not calibrated")
    assert page.text("asked") == "light skin (2 of 24)"
    page.region(patch(1))
    page.measure("blue sky (3 of 24)")
    good = server.config.read_text()
    server.config.write_text(good.replace('"test-pattern"', '"a camera that is not there"'))
    page.wait_for_state("a camera that is not there")
    page.element("measure").click()
    page.wait_for("status", "a camera that is not there")
    assert page.rows()[1:3] == [["light skin", 1], ["blue sky", 0]]
    server.config.write_text(good)
    page.wait_for_state("not calibrated")
    page.region(patch(2))
    page.measure("foliage (4 of 24)")


def test_a_patch_is_skipped_returned_to_by_its_name_cancelled_refused_with_the_reason_and_chosen_by_a_click(
    page, own_server
):
    page.begin(chart="standard")
    page.element("skip").click()
    assert page.text("asked") == "light skin (2 of 24)"
    page.element("back").click()
    assert page.text("asked") == "dark skin (1 of 24)"
    page.driver.find_element(By.XPATH, "//button[text()='foliage']").click()
    assert page.text("asked") == "foliage (4 of 24)"
    assert page.driver.switch_to.active_element.get_attribute("id") == "measure"
    # In one step, because the measurement takes half a second.
    page.driver.execute_script("document.getElementById('measure').click(); document.getElementById('cancel').click();")
    page.wait_for("status", "Cancelled.")
    # The server measures one request at a time, and learns a little later that this one is over.
    areas = {"areas": [EDGE], "readings": 8}
    wait_until(lambda: api.request(f"{own_server.url}api/patches", "POST", areas).status == 200, "the server is busy")
    page.region(EDGE)
    page.element("measure").click()
    page.wait_for("status", "This cannot be used: it is uneven")
    assert page.text("asked") == "foliage (4 of 24)"
    assert page.rows()[3] == ["foliage", 0]
    page.wait_for_picture()
    page.element("view").click()
    region = wait_until(own_server.reading, "the area stays", holds=lambda reading: reading["region"] != EDGE)["region"]
    assert [region[0] + region[2] / 2, region[1] + region[3] / 2] == pytest.approx([0.5, 0.5], abs=0.01)
    assert region[2:] == EDGE[2:]


CHART = [(0.05, 0.08), (0.65, 0.08), (0.65, 0.72), (0.05, 0.72)]
"""The corners of the painted chart (docs/test-pattern.md)."""


def corner(page, number):
    return page.driver.find_element(By.CSS_SELECTOR, f".corner:nth-of-type({number})")


def drag(page, number, place):
    box = page.element("view").rect
    handle = corner(page, number).rect
    x = box["x"] + place[0] * box["width"] - (handle["x"] + handle["width"] / 2)
    y = box["y"] + place[1] * box["height"] - (handle["y"] + handle["height"] / 2)
    ActionChains(page.driver).click_and_hold(corner(page, number)).move_by_offset(
        round(x), round(y)
    ).release().perform()


def begin_with_corners(page):
    page.begin(chart="standard", corners=True)
    assert page.text("asked") == "The whole chart (1 of 1)"
    page.wait_for_picture()


def places(page):
    return page.driver.execute_script("return JSON.parse(localStorage.getItem('swatchcam.calibration')).corners")


def are_close(found, wanted):
    return all(pytest.approx(one, abs=0.01) == list(other) for one, other in zip(found, wanted, strict=True))


def test_a_chart_is_measured_at_once_between_corners_dragged_onto_it_which_survive_a_reload(page, own_server):
    begin_with_corners(page)
    # Each patch then lies on the edge of two.
    for number, (x, y) in enumerate(CHART, 1):
        drag(page, number, (x + 0.05, y + 0.08))
    page.element("measure").click()
    page.wait_for("status", "patches can be used. The first problem of a patch: it is uneven")
    assert page.text("asked") == "The whole chart (1 of 1)"
    for number, place in enumerate(CHART, 1):
        drag(page, number, place)
    assert are_close(places(page), CHART)
    page.measure("All are done")
    assert [name for name, _ in page.rows()][:2] == ["dark skin", "light skin"] and len(page.rows()) == 24
    for size in ((1280, 800), (800, 480), (390, 844), (320, 568)):
        set_size(page.driver, *size)
        assert legibility_problems(page.driver, ignored=["covered"]) == [], size
    set_size(page.driver, 1280, 800)
    assert violations(page.driver) == {}
    assert page.driver.execute_script("return document.documentElement.scrollHeight <= innerHeight")
    before = places(page)
    page.driver.refresh()
    page.wait_for("asked", "All are done")
    assert len(page.rows()) == 24 and places(page) == before
    page.element("calibrate").click()
    page.wait_for_state("in force")
    fit = stored(own_server)["calibration"]["chart"]
    assert len(fit["patches"]) == 24 and sum("reason" not in patch for patch in fit["patches"]) >= 20
    assert fit["after"]["mean"] < fit["before"]["mean"]


def test_a_card_does_not_replace_a_chart_unless_the_user_insists(page, own_server):
    begin_with_corners(page)
    for number, place in enumerate(CHART, 1):
        drag(page, number, place)
    page.measure("All are done")
    page.element("calibrate").click()
    page.wait_for_state("in force")
    page.region(WHITE)
    page.begin(card=90)
    page.measure("All are done")
    page.element("calibrate").click()
    page.wait_for("status", "The calibration in force was made by a chart, and this one was not.")
    assert "force" not in page.text("status").replace("in force", "")
    for size in ((390, 844), (800, 480), (1280, 800)):
        set_size(page.driver, *size)
        assert page.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth"), size
    page.element("replace").click()
    wait_until(lambda: stored(own_server)["calibration"].get("card"), "the chart stays")
    assert "chart" not in stored(own_server)["calibration"]


def test_a_corner_is_moved_by_the_arrow_keys_and_by_a_finger_and_a_wrong_order_is_refused(page):
    begin_with_corners(page)
    for size in ((320, 568), (390, 844), (800, 480), (1920, 1080), (1280, 800)):
        set_size(page.driver, *size)
        assert page.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth"), size
    corner(page, 1).send_keys(Keys.ARROW_LEFT, Keys.ARROW_DOWN, Keys.SHIFT, Keys.ARROW_RIGHT)
    assert places(page)[0] == pytest.approx([0.2 - 0.002 + 0.02, 0.202])
    page.driver.execute_script("""
      const handle = document.querySelector(".corner");
      const box = document.getElementById("view").getBoundingClientRect();
      handle.setPointerCapture = () => {};
      handle.hasPointerCapture = () => true;
      const at = (x, y) => ({ pointerId: 7, pointerType: "touch", clientX: box.left + x * box.width, clientY: box.top + y * box.height, bubbles: true });
      handle.dispatchEvent(new PointerEvent("pointerdown", at(0.218, 0.202)));
      handle.dispatchEvent(new PointerEvent("pointermove", at(0.9, 0.5)));
      handle.dispatchEvent(new PointerEvent("lostpointercapture", at(0.9, 0.5)));
    """)
    assert places(page)[0] == pytest.approx([0.9, 0.5], abs=0.001)
    assert (
        page.driver.execute_script("return getComputedStyle(document.querySelector('.corner')).touchAction") == "none"
    )
    page.element("measure").click()
    page.wait_for("status", "The corners are not those of a chart")


def test_a_scene_that_is_not_a_white_sheet_is_refused_at_once(browse, start_server):
    # In so small a picture, the blinking lamp of the test pattern is off.
    server = start_server(config=f"width = 96\nheight = 72\n{CONFIG}")
    page = Page(browse(server), server)
    page.begin(card=90, flat=True)
    assert page.text("asked") == "A white sheet (1 of 2)"
    page.element("measure").click()
    # The painted scene has a ramp from black to white.
    page.wait_for("status", "This cannot be used: ")
    assert "of its pixels are at the" in page.text("status")
    assert page.text("asked") == "A white sheet (1 of 2)"


def test_the_lens_has_to_be_covered_for_the_dark(page):
    page.begin(dark=True, card=90)
    page.measure("The card of 90 %")
    page.measure("All are done")
    page.element("calibrate").click()
    page.wait_for("status", "The lens is not covered")


def test_something_has_to_be_chosen_such_as_a_chart_from_a_file_whose_names_are_shown_as_text(page, tmp_path):
    page.element("chart").send_keys("None")
    page.element("setup").submit()
    page.wait_for("setup-problem", "Choose a chart, a card, a white sheet or the covered lens.")
    file = tmp_path / "chart.csv"
    file.write_text("name,L,a,b\n<b>Leaf</b>,43.46,-12.74,22.72\nStone,50,0,0\n")
    Select(page.element("chart")).select_by_value("file")
    page.element("chart-file").send_keys(str(file))
    Select(page.element("way")).select_by_value("patches")
    page.element("setup").submit()
    page.wait_for("asked", "<b>Leaf</b> (1 of 2)")
    assert [name for name, _ in page.rows()] == ["<b>Leaf</b>", "Stone"]


def test_everything_is_done_by_keyboard(page, own_server):
    page.element("chart").send_keys("None")
    page.element("with-card").send_keys(Keys.SPACE)
    page.element("reflectance").send_keys(Keys.CONTROL, "a")
    page.element("reflectance").send_keys("90", Keys.ENTER)
    page.wait_for("asked", "The card of 90 %")
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    page.wait_for("asked", "All are done")
    page.element("calibrate").send_keys(Keys.ENTER)
    page.wait_for_state("in force")
