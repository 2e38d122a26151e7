"""Probes on the page: setting them on the picture and as a grid, their list, and deleting them."""

import pytest
from Harness import api
from Harness.waiting import wait_until
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

pytestmark = pytest.mark.slow

# Patches of the test pattern, in white and in black.
WHITE = [0.08, 0.6, 0.06, 0.08]
BLACK = [0.57, 0.6, 0.04, 0.08]


@pytest.fixture
def page(browse, own_server):
    """The page with the tab of probes open."""
    page = browse(own_server)
    page.wait_until_complete()
    page.wait_until("document.getElementById('live').dataset.shown")
    page.element("probes-tab").click()
    return page


def probes(server) -> list[dict]:
    return api.get_json(f"{server.url}api/probes")["probes"]


def wait_for_probes(server, *names):
    wait_until(
        lambda: [probe["name"] for probe in probes(server)],
        f"not the probes {names}",
        holds=lambda found: found == list(names),
    )


def put(server, name, region, **more):
    assert api.request(f"{server.url}api/probes/{name}", "PUT", {"region": region, **more}).status in (200, 201)


def listed(page) -> list[list[str]]:
    return page.driver.execute_script(
        "return [...document.querySelectorAll('#probe-list tr')].map((row) =>"
        " [row.children[1].textContent, row.children[2].textContent, row.querySelector('.verdict').textContent])"
    )


def wait_until_listed(page, *names):
    wait_until(
        lambda: [row[0] for row in listed(page)], f"the page does not list {names}", holds=lambda at: at == list(names)
    )


def frames(page) -> list[str]:
    return page.driver.execute_script(
        "return [...document.querySelectorAll('.probe')].map((frame) => frame.textContent)"
    )


def in_menu(page, name, item):
    page.driver.find_element(By.CSS_SELECTOR, f"[aria-label='More about {name}']").click()
    page.element(item).click()


def test_a_click_on_the_picture_sets_a_probe_of_a_twentieth_of_its_width_a_drag_one_of_any_size(page, own_server):
    page.element("add-probes").click()
    view = page.element("view")
    ActionChains(page.driver).move_to_element(view).click().perform()
    wait_for_probes(own_server, "P1")
    assert probes(own_server)[0]["region"] == pytest.approx([0.475, 0.4667, 0.05, 0.0667], abs=0.005)
    wait_until_listed(page, "P1")
    assert frames(page) == ["P1"]
    width, height = view.size["width"], view.size["height"]
    ActionChains(page.driver).move_to_element(view).click_and_hold().move_by_offset(
        round(width / 4), round(height / 4)
    ).release().perform()
    wait_for_probes(own_server, "P1", "P2")
    assert probes(own_server)[1]["region"] == pytest.approx([0.5, 0.5, 0.25, 0.25], abs=0.01)
    # The area stays.
    assert api.get_json(f"{own_server.url}api/settings")["region"] == [0, 0, 1, 1]


def test_the_frame_of_the_area_cuts_no_name_of_a_probe(page, own_server):
    put(own_server, "A1", [0.5, 0.5, 0.03, 0.05])
    wait_until_listed(page, "A1")
    api.request(f"{own_server.url}api/settings", "PUT", {"region": [0.4, 0.4, 0.2, 0.12]})
    page.wait_until("/^Area/.test(document.getElementById('region-hint').textContent)")
    uppermost = page.driver.execute_script(
        """document.getElementById("probes").style.pointerEvents = "auto";
        const { left, top, width, height } = document.querySelector(".probe span").getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2).textContent;"""
    )
    assert uppermost == "A1"


def test_once_the_button_is_released_or_the_tab_is_left_a_click_selects_the_area_again(page, own_server):
    button = page.element("add-probes")
    button.click()
    page.element("samples-tab").click()
    page.element("probes-tab").click()
    assert button.get_attribute("aria-pressed") == "false"
    ActionChains(page.driver).move_to_element(page.element("view")).click().perform()
    wait_until(
        lambda: api.get_json(f"{own_server.url}api/settings")["region"],
        "the area is the whole picture",
        holds=lambda region: region != [0, 0, 1, 1],
    )
    assert probes(own_server) == []


def test_the_area_becomes_a_probe_so_that_the_keyboard_can_place_one(page, own_server):
    api.request(f"{own_server.url}api/settings", "PUT", {"region": WHITE})
    page.wait_until(f"document.getElementById('region').style.width === '{WHITE[2] * 100:g}%'")
    page.element("add-area").click()
    wait_for_probes(own_server, "P1")
    assert probes(own_server)[0]["region"] == WHITE


def test_the_list_shows_live_colours_verdicts_the_reference_and_names_as_text(page, own_server):
    put(own_server, "White", WHITE, reference=True)
    put(own_server, "Black", BLACK)
    put(own_server, "%3Cimg%20src%3Dx%3E", WHITE)
    api.request(f"{own_server.url}api/targets/Paper", "PUT", {"color": "white", "tolerance": 100})
    wait_until_listed(page, "White (reference)", "Black", "<img src=x>")
    assert page.driver.execute_script("return document.querySelectorAll('.probe[data-reference]').length") == 1
    assert "<img src=x>" in frames(page)
    wait_until(lambda: listed(page)[0][2], "there is no verdict", holds=lambda verdict: verdict == "Pass")
    white, black, _ = (int(row[1][1:3], 16) for row in listed(page))
    assert white - black > 100
    status = page.element("reference-status")

    def wait_for_light():
        wait_until(lambda: status.text, "the light is not told", holds=lambda text: "Light on White since" in text)

    wait_for_light()
    page.element("reset-reference").click()
    wait_for_light()
    api.request(f"{own_server.url}api/probes", "DELETE")
    page.wait_until("document.getElementById('reference').hidden")


def test_probes_are_deleted_and_brought_back_and_the_focus_stays_in_the_list(page, own_server):
    put(own_server, "White", WHITE, reference=True)
    put(own_server, "Black", BLACK)
    wait_until_listed(page, "White (reference)", "Black")
    in_menu(page, "White", "delete-probe")
    wait_for_probes(own_server, "Black")
    wait_until_listed(page, "Black")
    page.wait_until("document.activeElement.getAttribute('aria-label') === 'More about Black'")
    page.element("undo").click()
    wait_for_probes(own_server, "White", "Black")
    assert probes(own_server)[0]["reference"]
    wait_until_listed(page, "White (reference)", "Black")
    page.element("delete-probes").click()
    wait_for_probes(own_server)
    wait_until_listed(page)
    page.wait_until("document.getElementById('undo').checkVisibility()")
    page.element("undo").click()
    wait_for_probes(own_server, "White", "Black")


def test_a_grid_is_laid_out_in_the_area(page, own_server):
    api.request(f"{own_server.url}api/settings", "PUT", {"region": [0.25, 0.25, 0.5, 0.5]})
    page.wait_until("document.getElementById('region').style.width === '50%'")
    page.element("grid").click()
    for field, value in (("grid-rows", "2"), ("grid-columns", "3")):
        page.element(field).clear()
        page.element(field).send_keys(value)
    page.driver.find_element(By.CSS_SELECTOR, "#grid-form button").click()
    wait_for_probes(own_server, "A1", "A2", "A3", "B1", "B2", "B3")
    assert probes(own_server)[0]["region"] == pytest.approx([0.291667, 0.3125, 0.083333, 0.125], abs=1e-6)


def test_a_probe_is_renamed_and_made_the_reference_in_its_menu(page, own_server):
    put(own_server, "P1", WHITE)
    wait_until_listed(page, "P1")
    in_menu(page, "P1", "reference-probe")
    wait_until_listed(page, "P1 (reference)")
    page.driver.find_element(By.CSS_SELECTOR, "[aria-label='More about P1']").click()
    field = page.element("probe-name")
    field.clear()
    field.send_keys("Paper\n")
    wait_for_probes(own_server, "Paper")
    assert probes(own_server)[0]["reference"]


# How many pixels of the history have a strong colour: red, green, or blue.
STRONG = """
const canvas = document.getElementById("history-canvas");
const { data } = canvas.getContext("2d").getImageData(0, canvas.height / 3, canvas.width, canvas.height / 2);
const counts = [0, 0, 0];
for (let index = 0; index < data.length; index += 4) {
  const [r, g, b] = data.slice(index, index + 3);
  if (r > 1.6 * Math.max(g, b)) counts[0]++;
  if (g > 1.4 * Math.max(r, b)) counts[1]++;
  if (b > 1.6 * Math.max(r, g)) counts[2]++;
}
return counts;
"""


def test_the_history_has_a_line_for_each_probe_in_its_colour(browse, start_server):
    # The history of this server has no other probes.
    server = start_server(config="[readings]\nrate = 20\n")
    page = browse(server)
    page.wait_until_complete()
    choice = page.element("history-probes")
    assert not choice.is_displayed()
    put(server, "Red", [0.27, 0.43, 0.06, 0.1])
    put(server, "Blue", [0.07, 0.43, 0.06, 0.1])
    wait_until(choice.is_displayed, "the lines of probes are not offered")
    page.driver.execute_script("document.querySelector('input[name=history-lines][value=probes]').click()")
    wait_until(
        lambda: page.driver.execute_script(STRONG),
        "the lines of the probes are not drawn",
        holds=lambda counts: counts[0] > 20 and counts[2] > 20 and counts[1] == 0,
    )
