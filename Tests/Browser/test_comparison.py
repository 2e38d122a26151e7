"""Colours to show to a camera, and their differences from what it reads."""

import pytest
from Harness.api import ask
from Harness.waiting import wait_until
from selenium.webdriver.common.by import By

# L*, a*, b* of two colours and their difference: table 1 of Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference
# Formula", Color Research and Application 30 (2005).
PAIRS = [
    (50, 2.6772, -79.7751, 50, 0, -82.7485, 2.0425),
    (50, 3.1571, -77.2803, 50, 0, -82.7485, 2.8615),
    (50, 2.8361, -74.02, 50, 0, -82.7485, 3.4412),
    (50, -1.3802, -84.2814, 50, 0, -82.7485, 1.0000),
    (50, -1.1848, -84.8006, 50, 0, -82.7485, 1.0000),
    (50, -0.9009, -85.5211, 50, 0, -82.7485, 1.0000),
    (50, 0, 0, 50, -1, 2, 2.3669),
    (50, -1, 2, 50, 0, 0, 2.3669),
    (50, 2.49, -0.001, 50, -2.49, 0.0009, 7.1792),
    (50, 2.49, -0.001, 50, -2.49, 0.001, 7.1792),
    (50, 2.49, -0.001, 50, -2.49, 0.0011, 7.2195),
    (50, 2.49, -0.001, 50, -2.49, 0.0012, 7.2195),
    (50, -0.001, 2.49, 50, 0.0009, -2.49, 4.8045),
    (50, -0.001, 2.49, 50, 0.001, -2.49, 4.8045),
    (50, -0.001, 2.49, 50, 0.0011, -2.49, 4.7461),
    (50, 2.5, 0, 50, 0, -2.5, 4.3065),
    (50, 2.5, 0, 73, 25, -18, 27.1492),
    (50, 2.5, 0, 61, -5, 29, 22.8977),
    (50, 2.5, 0, 56, -27, -3, 31.9030),
    (50, 2.5, 0, 58, 24, 15, 19.4535),
    (50, 2.5, 0, 50, 3.1736, 0.5854, 1.0000),
    (50, 2.5, 0, 50, 3.2972, 0, 1.0000),
    (50, 2.5, 0, 50, 1.8634, 0.5757, 1.0000),
    (50, 2.5, 0, 50, 3.2592, 0.335, 1.0000),
    (60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644),
    (63.0109, -31.0961, -5.8663, 62.8187, -29.7946, -4.0864, 1.2630),
    (61.2901, 3.7196, -5.3901, 61.4292, 2.248, -4.962, 1.8731),
    (35.0831, -44.1164, 3.7933, 35.0232, -40.0716, 1.5901, 1.8645),
    (22.7233, 20.0904, -46.694, 23.0331, 14.973, -42.5619, 2.0373),
    (36.4612, 47.858, 18.3852, 36.2715, 50.5065, 21.2231, 1.4146),
    (90.8027, -2.0831, 1.441, 91.1528, -1.6435, 0.0447, 1.4441),
    (90.9257, -0.5406, -0.9208, 88.6381, -0.8985, -0.7239, 1.5381),
    (6.7747, -0.2908, -2.4247, 5.8714, -0.0985, -2.2286, 0.6377),
    (2.0776, 0.0795, -1.135, 0.9033, -0.0636, -0.5514, 0.9082),
]

COMPUTE = """
const [pairs, done] = arguments;
import("/resources/color-difference.js").then(({ ciede2000 }) => {
  done(pairs.map(([L1, a1, b1, L2, a2, b2]) => ciede2000([L1, a1, b1], [L2, a2, b2])));
});
"""

LAB = """
const [color, done] = arguments;
import("/resources/color-difference.js").then(({ lab }) => done(lab(color)));
"""


@pytest.fixture
def walk(driver, shared_servers):
    """The page that compares, with a clock that runs ten times as fast, and readings to match."""
    server = shared_servers(config="[readings]\nrate = 40\n")
    script = "const slow = setTimeout; window.setTimeout = (f, ms, ...rest) => slow(f, ms / 10, ...rest);"
    added = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    driver.get(f"{server.url}test")
    yield driver
    driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": added["identifier"]})
    driver.get("about:blank")


def test_ciede2000_gives_the_published_differences(page):
    computed = page.driver.execute_async_script(COMPUTE, PAIRS)
    # The paper gives four decimals.
    assert computed == pytest.approx([pair[6] for pair in PAIRS], abs=0.00006)


@pytest.mark.parametrize(
    ("color", "lab"),
    [((255, 255, 255), (100, 0, 0)), ((0, 0, 0), (0, 0, 0)), ((255, 0, 0), (53.24, 80.09, 67.20))],
)
def test_lab_of_an_srgb_colour_is_right(page, color, lab):
    assert page.driver.execute_async_script(LAB, color) == pytest.approx(lab, abs=0.02)


@pytest.mark.parametrize(
    ("name", "fill"), [("red", "#FF0000"), ("white", "#FFFFFF"), ("3fa7d6", "#3FA7D6"), ("000000", "#000000")]
)
def test_a_solid_colour_fills_the_screen_and_links_back_to_the_dashboard(driver, server, name, fill):
    driver.get(f"{server.url}test/{name}")
    rect = driver.find_element(By.CSS_SELECTOR, "rect")
    assert rect.get_attribute("fill") == fill
    assert rect.size == driver.execute_script("return { width: innerWidth, height: innerHeight }")
    driver.find_element(By.LINK_TEXT, "Swatchcam").click()
    assert driver.current_url == server.url
    driver.get("about:blank")


@pytest.mark.parametrize("name", ["", "grey", "fff", "3fa7d6aa", "12345g", "%23ff0000", "red/"])
def test_a_path_that_names_no_colour_is_not_found(server, name):
    assert ask(f"{server.url}test/{name}").status == 404


def test_the_walk_lists_what_was_read_beside_what_was_shown(walk):
    walk.find_element(By.ID, "start").click()
    status = walk.find_element(By.ID, "status")
    wait_until(lambda: status.text, "the walk does not end", timeout=60, holds=lambda text: text.startswith("Done."))
    rows = walk.find_elements(By.CSS_SELECTOR, "tbody tr")
    assert len(rows) == 16
    cells = [cell.text for cell in rows[0].find_elements(By.TAG_NAME, "td")]
    # The test pattern is read: a colour that is not red.
    assert cells[0] == "#FF0000" and cells[1].startswith("#") and float(cells[2]) > 0


def test_the_stop_button_ends_the_walk(walk):
    walk.find_element(By.ID, "start").click()
    walk.find_element(By.ID, "stop").click()
    assert walk.find_element(By.ID, "status").text == "Stopped."
    assert not walk.find_element(By.ID, "show").is_displayed()
