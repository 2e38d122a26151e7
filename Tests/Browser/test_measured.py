"""What was measured besides the colour as it was read: the calibrated colour and the concentration."""

import pytest
from Harness import api
from Harness.chromium import set_size
from Harness.geometry import legibility_problems
from Harness.standards import add_curve, cuvette
from Harness.waiting import stretched, wait_until
from test_accessibility import violations
from test_targets import entry, judged

pytestmark = pytest.mark.slow

CALIBRATED = {
    "hex": "#CA7C33", "rgb": {"r": 202, "g": 124, "b": 51}, "lab": {"l": 58.1, "a": 25, "b": -49.9},
    "linear": {"r": 0.5, "g": 0.2, "b": 0.1},
}  # fmt: skip
CONCENTRATION = {
    "value": 9.386, "low": 9.1, "high": 9.7, "unit": "mg/L", "belowDetection": False, "extrapolated": False,
}  # fmt: skip
SIZES = [(1280, 800), (1280, 720), (1024, 768), (800, 480), (390, 844), (320, 568)]


def test_the_calibrated_colour_has_a_line_and_is_in_the_swatch_if_the_user_wants(full_page):
    page = full_page(calibrated=CALIBRATED)
    assert (page.element("calibrated-label").text, page.element("other-hex").text) == ("Calibrated", "#CA7C33")
    read = page.snapshot()["hex"]
    assert read != "#CA7C33"
    page.element("show-calibrated").click()
    page.wait_for(lambda shown: shown["hex"] == shown["fill"] == "#CA7C33", "the calibrated colour")
    shown = page.snapshot()
    assert (shown["rgb"], shown["name"]) == (["202", "124", "51"], "Calibrated")
    assert page.element("calibrated-label").text == "As read"
    assert page.element("other-hex").text != "#CA7C33"
    page.element("hold").click()
    assert page.element("held-since").text.endswith(", calibrated")
    assert page.snapshot()["heldFill"] == "#CA7C33"
    page.element("hold").click()
    # The choice is remembered.
    page.driver.get(page.driver.current_url)
    page.wait_for(lambda shown: shown["hex"] == "#CA7C33", "the calibrated colour again")


def test_beside_a_target_the_swatch_has_the_colour_that_is_judged(full_page):
    page = full_page(calibrated=CALIBRATED, **judged(entry("Amber", "fail")))
    page.element("show-calibrated").click()
    page.element("targets-tab").click()
    page.wait_until("document.querySelector('.target input')")
    page.driver.find_element("css selector", ".target input").click()
    page.wait_for(lambda shown: shown["hex"] != "#CA7C33", "the colour as it was read")
    assert page.element("calibrated-label").text == "Calibrated"


def test_without_them_there_are_no_lines(full_page):
    page = full_page(calibrated=None, concentration=None)
    assert not page.element("calibrated-row").is_displayed() and not page.element("concentration-row").is_displayed()


def test_the_concentration_has_a_line_with_its_unit_and_what_limits_it(full_page):
    page = full_page(concentration=CONCENTRATION)
    assert page.element("concentration-row").text.split("\n") == ["Concentration", "9.39 mg/L"]
    page.driver.execute_script("fake.concentration.extrapolated = true")
    page.wait_until("document.getElementById('concentration-doubt').textContent === 'extrapolated'")


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_line_of_the_concentration_has_its_place_while_the_noise_is_not_known(full_page, size):
    page = full_page(concentration=None, blank={"inForce": True, "because": None})
    set_size(page.driver, *size)
    tabs = "return document.getElementById('tabs').getBoundingClientRect().top + scrollY"
    before = page.driver.execute_script(tabs)
    assert page.element("concentration").text == "–"
    page.driver.execute_script("fake.concentration = arguments[0]", CONCENTRATION)
    page.wait_until("document.getElementById('concentration').textContent === '9.39 mg/L'")
    assert page.driver.execute_script(tabs) == before


def test_an_area_over_several_wells_has_no_concentration(full_page, server):
    page = full_page(concentration=CONCENTRATION, region=[0.05, 0.05, 0.9, 0.9])
    assert page.element("concentration").text == "9.39 mg/L"
    for number in range(2):
        api.request(f"{server.url}api/probes/A{number + 1}", "PUT", {"region": cuvette(number)})
    page.wait_until("document.getElementById('concentration-doubt').textContent === 'over several wells'")
    assert page.element("concentration").text == "–"
    api.request(f"{server.url}api/settings", "DELETE")


def test_nothing_is_cut_at_any_size_and_axe_finds_nothing(full_page):
    longest = CONCENTRATION | {"value": -12345678.9, "low": None, "high": None, "unit": "micromoles per litre"}
    page = full_page(calibrated=CALIBRATED, concentration=longest | {"extrapolated": True})
    for state in ("live", "held"):
        for size in SIZES:
            set_size(page.driver, *size)
            page.wait_for_readings(1)
            assert legibility_problems(page.driver) == [], (state, size)
        page.driver.execute_script("document.getElementById('hold').click()")
    set_size(page.driver, 1280, 800)
    assert violations(page.driver) == {}


def test_probes_and_samples_have_their_concentrations(browse, start_server):
    server = start_server(config=f"[readings]\nrate = 20\nregion = {cuvette(0)}\n")
    add_curve(server, ["Blank", "Weak", "Middle", "Strong"])
    for number in range(2):
        api.request(f"{server.url}api/probes/A{number + 1}", "PUT", {"region": cuvette(number)})
    api.request(f"{server.url}api/samples", "POST", {"readings": 16, "name": "Unknown"})
    page = browse(server)
    page.wait_until_complete()
    page.element("probes-tab").click()
    cells = wait_until(
        lambda: page.driver.execute_script(
            "return [...document.querySelectorAll('#probe-list .concentration')].map((cell) => cell.checkVisibility() ? cell.textContent : '')"
        ),
        "the probes have no concentrations",
        stretched(20),
        holds=lambda texts: len(texts) == 2 and all(text.endswith(" mg/L") for text in texts),
    )
    assert float(cells[0].split()[0].replace("−", "-")) < float(cells[1].split()[0])
    page.element("samples-tab").click()
    page.wait_until("document.querySelector('#sample-list .remark-cell')?.textContent.includes('mg/L')")


def test_probes_and_samples_have_their_calibrated_colours(browse, start_server):
    server = start_server(config="[readings]\nrate = 20\n")
    api.request(f"{server.url}api/probes/A1", "PUT", {"region": cuvette(0)})
    light = {"linear": {"r": 0.4, "g": 0.3, "b": 0.2}, "uneven": False, "readings": 16}
    light |= {key: {"r": 0, "g": 0, "b": 0} for key in ("clippedLow", "clippedHigh")}
    body = {"measurements": {"card": {"luminance": 0.18, "measured": light}}}
    assert api.request(f"{server.url}api/calibration", "PUT", body).status == 200
    wait_until(lambda: server.reading()["calibrated"], "no reading is calibrated")
    sample = api.request(f"{server.url}api/samples", "POST", {"readings": 16, "name": "A long name of a leaf"}).json
    page = browse(server)
    page.wait_until_complete()
    remark = f"calibrated {sample['calibrated']['hex']}"
    page.wait_until(f"document.querySelector('#sample-list .remark-cell')?.textContent.startsWith('{remark}')")
    for size in SIZES:
        set_size(page.driver, *size)
        assert legibility_problems(page.driver, ignored=["covered"]) == [], size
    set_size(page.driver, 1280, 800)
    page.element("probes-tab").click()
    page.wait_until("/^#[0-9A-F]{6}$/.test(document.querySelector('#probe-list .calibrated')?.textContent)")
    texts = page.driver.execute_script(
        "return [...document.querySelectorAll('#probe-list .hex-cell')].filter((cell) => cell.checkVisibility()).map((cell) => cell.textContent)"
    )
    assert len(texts) == 2 and texts[0] != texts[1]
