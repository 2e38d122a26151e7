"""The statistics of the reading, in a tab, their definitions, and the histogram."""

import itertools
import json

import fake_readings
import fake_statistics
import pytest
from Harness.chromium import set_size

TABLE = """
return Object.fromEntries([...document.querySelectorAll("#channel-figures tr")].map((row) =>
  [row.dataset.figure, [...row.querySelectorAll("td")].map((cell) => cell.textContent)]));
"""
LIST = """
return Object.fromEntries([...document.querySelectorAll("#figures [data-figure]")].map((place) =>
  [place.dataset.figure, place.textContent]));
"""
OUTLINES = "return [...document.querySelectorAll('#histogram path')].map((path) => path.getAttribute('d'))"

ANCHORS = {
    "mean", "linear", "luminance", "notations", "name", "cct", "duv", "quality", "noise", "settled", "drift",
    "standard-error", "median", "standard-deviation", "clipped", "out-of-gamut", "uneven", "dominant-color",
    "histogram", "samples", "marks", "history", "brightness", "difference",
}  # fmt: skip
"""The definitions that docs/measuring.md has as well."""


@pytest.fixture
def open_panel(browse, server):
    """Opens the tab with these changes to the readings."""

    def open_page(**changes):
        page = browse(server, before=fake_readings.SCRIPT % json.dumps(changes) + fake_statistics.responses())
        page.wait_until_complete()
        page.element("statistics-tab").click()
        page.wait_until("document.querySelector('#channel-figures td').textContent !== ''")
        return page

    return open_page


def run(page, script):
    return page.driver.execute_script(script)


def wait_for_requests(page, count):
    page.wait_until(f"statistics.times.length >= {count}")


# Figures


def test_the_table_has_the_figures_of_each_channel(open_panel):
    assert run(open_panel(**fake_statistics.READING), TABLE) == {
        "mean": ["117.90", "104.62", "92.00"],
        "median": ["118", "109.5", "98"],
        "min": ["0", "1", "2"],
        "max": ["253", "254", "255"],
        "sd": ["55.41", "46.87", "44.00"],
        "low": ["0.00 %", "< 0.01 %", "2.13 %"],
        "high": ["100.00 %", "0.00 %", "0.00 %"],
        "noise": ["0.21", "0.19", "12.00"],
        "linear": ["0.0497", "0.3867", "1.0000"],
    }


def test_the_list_has_the_figures_of_the_colour(open_panel):
    page = open_panel(**fake_statistics.READING)
    assert run(page, LIST) == {
        "noise": "ΔE 0.09",
        "settled": "Yes",
        "drift": "0.02 ± 0.02 ΔE/min",
        "totalDrift": "1.50 ± 0.25 ΔE/min",
        "dominant": "#3FA7D6, 99.85 %",
        "outOfGamut": "1.23 %",
        "uneven": "Yes",
        "pixels": "6,279 of 307,200",
        "luminance": "0.3356",
        "xyz": "0.2803 0.3361 0.6861",
        "xy": "0.2152 0.2581",
        "cct": "5,003 K",
        "duv": "-0.0031",
    }
    assert page.element("dominant-color").get_attribute("fill") == "#3FA7D6"


def test_a_figure_that_is_not_defined_is_a_dash(open_panel):
    page = open_panel(**fake_statistics.NOTHING)
    assert {text for row in run(page, TABLE).values() for text in row} == {"–"}
    assert set(run(page, LIST).values()) == {"–"}
    assert page.element("dominant-color").get_attribute("fill") == "none"


def test_an_even_region_and_an_unsettled_colour_are_reported_as_such(open_panel):
    page = open_panel(**fake_statistics.READING | {"settled": False, "quality": {"grade": "good", "flags": []}})
    shown = run(page, LIST)
    assert (shown["settled"], shown["uneven"]) == ("No", "No")


def test_the_figures_are_those_of_the_held_reading(open_panel):
    page = open_panel(luminance=0.25)
    page.element("hold").click()
    run(page, "fake.luminance = 0.75")
    page.wait_for_readings(3)
    assert run(page, LIST)["luminance"] == "0.2500"
    page.element("hold").click()
    page.wait_until("document.querySelector('[data-figure=luminance]').textContent === '0.7500'")


def test_without_a_colour_all_figures_are_dashes_and_the_histogram_is_empty(open_panel):
    page = open_panel(**fake_statistics.READING)
    page.wait_until("document.querySelector('#histogram path').getAttribute('d') !== ''")
    run(page, "Object.assign(fake, { state: 'busy', rgb: null, hex: null, statistics: null })")
    page.wait_until("document.querySelector('#channel-figures td').textContent === '–'")
    assert run(page, OUTLINES) == ["", "", ""]


# Definitions


def test_the_page_of_definitions_has_every_definition(browse, server):
    page = browse(server)
    page.driver.get(server.url + "measuring")
    found = set(run(page, "return [...document.querySelectorAll('section[id]')].map(({ id }) => id)"))
    assert found >= ANCHORS


def test_all_definitions_look_alike(browse, server):
    page = browse(server)
    page.driver.get(server.url + "measuring")
    styles = run(
        page,
        "return [...document.querySelectorAll('section[id] > p')].map((text) =>"
        " { const { font, color } = getComputedStyle(text); return `${font} ${color}`; })",
    )
    assert len(set(styles)) == 1


def test_every_definition_has_the_width_of_the_page(browse, server):
    page = browse(server)
    page.driver.get(server.url + "measuring")
    widths = run(page, "return [...document.querySelectorAll('section[id]')].map((one) => Math.round(one.offsetWidth))")
    assert len(set(widths)) == 1 and widths[0] > 500


def test_definitions_open_beside_the_page_that_asks_for_them(open_panel):
    page = open_panel()
    links = "[...document.querySelectorAll('a[href^=\"/measuring\"]')]"
    assert set(run(page, f"return {links}.map((link) => link.target)")) == {"measuring"}
    assert run(page, f"return {links}.length") >= 4


def test_one_link_leads_from_the_figures_to_their_definitions(open_panel):
    page = open_panel()
    link = page.element("statistics-help")
    assert link.accessible_name == "What the figures mean"
    assert link.get_attribute("href").endswith("/measuring")
    assert run(page, "return document.querySelectorAll('#statistics-panel a').length") == 0
    page.element("samples-tab").click()
    assert not link.is_displayed()


def test_every_figure_of_the_tab_is_defined(open_panel, server):
    page = open_panel()
    # Rows that share a definition or have it under another heading.
    headings = {
        "Minimum": "Median, minimum and maximum", "Maximum": "Median, minimum and maximum",
        "Median": "Median, minimum and maximum", "Clipped at 0": "Clipped", "Clipped at 255": "Clipped",
        "Total drift": "Drift", "XYZ": "Notations", "xy": "Notations",
    }  # fmt: skip
    labels = run(
        page,
        "return [...document.querySelectorAll('#statistics-panel :is(tbody th, dt)')].map((label) => label.textContent)",
    )
    page.driver.get(server.url + "measuring")
    defined = set(run(page, "return [...document.querySelectorAll('h3')].map((heading) => heading.textContent)"))
    assert len(labels) == 22
    assert {headings.get(label, label) for label in labels} <= defined


def test_the_reasons_for_the_quality_link_to_its_definition(browse, server):
    page = browse(server)
    page.wait_until_complete()
    [link] = run(page, "return [...document.querySelectorAll('.values a')].map((link) => link.getAttribute('href'))")
    page.driver.get(server.url + link.lstrip("/"))
    assert run(page, "return document.querySelector(':target').id") == "quality"


# The histogram


def test_a_channels_histogram_is_the_outline_of_its_counts(open_panel):
    page = open_panel()
    page.wait_until("document.querySelector('#histogram path').getAttribute('d') !== ''")
    assert run(page, OUTLINES) == [
        "M0 100H0V0.0H1V100H255V50.0H256V100Z",
        "M0 100H0V100H10V0.0H12V100H256V100Z",
        # A hundredth of the highest bar would not be seen.
        "M0 100H0V100H128V98.0H129V100H256V100Z",
    ]


def test_a_logarithmic_histogram_shows_few_pixels_beside_many_and_is_remembered(open_panel, server):
    page = open_panel()
    page.wait_until("document.querySelector('#histogram path').getAttribute('d') !== ''")
    page.element("histogram-logarithmic").click()
    # log(1 + 1) / log(1 + 100) = 0.1502
    assert run(page, OUTLINES)[2] == "M0 100H0V100H128V85.0H129V100H256V100Z"
    page.driver.get(server.url)
    page.wait_until_complete()
    assert page.element("histogram-logarithmic").is_selected()


@pytest.mark.slow
def test_the_histogram_is_requested_at_most_every_two_seconds(open_panel):
    page = open_panel()
    wait_for_requests(page, 3)
    times = run(page, "return statistics.times")
    assert all(later - earlier >= 2000 for earlier, later in itertools.pairwise(times))


@pytest.mark.slow
def test_one_request_for_the_histogram_is_under_way_at_a_time(open_panel):
    page = open_panel()
    run(page, "statistics.keepsWaiting = true")
    page.wait_until("statistics.waiting.length === 1")
    count = len(run(page, "return statistics.times"))
    # At 10 readings a second, there is time for another one.
    page.wait_for_readings(25)
    assert len(run(page, "return statistics.times")) == count
    run(page, "statistics.keepsWaiting = false; statistics.waiting[0]()")
    wait_for_requests(page, count + 1)


@pytest.mark.parametrize(
    "leave",
    [
        pytest.param("document.getElementById('effect-tab').click()", id="another tab is open"),
        pytest.param("document.getElementById('hold').click()", id="a colour is held", marks=pytest.mark.slow),
        pytest.param(
            "document.querySelector('.panels').style.marginTop = '300vh'",
            id="the panels are scrolled out of sight",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_histogram_is_not_requested_while_it_is_not_shown_live(open_panel, leave):
    page = open_panel()
    wait_for_requests(page, 1)
    run(page, leave)
    page.wait_for_readings(2)
    count = len(run(page, "return statistics.times"))
    page.wait_for_readings(25)
    assert len(run(page, "return statistics.times")) == count


def test_a_histogram_that_stays_while_a_colour_is_held_says_its_time(open_panel):
    page = open_panel()
    page.wait_until("document.querySelector('#histogram path').getAttribute('d') !== ''")
    page.element("hold").click()
    local = run(page, "return new Date('2026-11-20T19:30:00.250Z').toTimeString().slice(0, 8)")
    page.wait_until(f"document.getElementById('histogram-note').textContent === 'at {local}'")


def test_a_histogram_that_cannot_be_loaded_is_explained_until_it_can(open_panel):
    page = open_panel()
    run(page, "statistics.error = 'Swatchcam is stopping.'")
    page.wait_until("document.getElementById('histogram-note').textContent === 'Swatchcam is stopping.'")
    run(page, "statistics.error = null")
    page.wait_until("document.getElementById('histogram-note').textContent === ''")


@pytest.mark.parametrize(
    ("width", "columns"),
    [
        pytest.param(570, 1, id="a narrow single column"),
        pytest.param(580, 2, id="a wide single column"),
        pytest.param(1140, 1, id="the narrow right of two columns"),
        pytest.param(1160, 2, id="the wide right of two columns"),
    ],
)
def test_the_histogram_is_beside_its_figures_where_the_panel_has_36_rem(open_panel, width, columns):
    page = open_panel()
    set_size(page.driver, width, 800)
    page.wait_until(
        "getComputedStyle(document.querySelector('.statistics')).gridTemplateColumns.split(' ')"
        f".filter((column) => column.endsWith('px')).length === {columns}"
    )


def test_the_panels_are_not_a_query_container_so_their_styles_are_calculated_once(open_panel):
    page = open_panel()
    assert run(page, "return getComputedStyle(document.querySelector('.panels')).containerType") == "normal"
