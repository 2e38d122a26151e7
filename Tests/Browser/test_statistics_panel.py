"""The statistics of the reading, in a tab, their definitions, and the histogram."""

import itertools
import json

import fake_readings
import fake_statistics
import pytest
from Harness.chromium import set_size

pytestmark = pytest.mark.slow

TABLE = """
return Object.fromEntries([...document.querySelectorAll("#channel-figures tr")].map((row) =>
  [row.dataset.figure, [...row.querySelectorAll("td")].map((cell) => cell.textContent)]));
"""
LIST = """
return Object.fromEntries([...document.querySelectorAll("#figures [data-figure]")].map((place) =>
  [place.dataset.figure, place.textContent]));
"""
OUTLINES = "return [...document.querySelectorAll('#histogram path')].map((path) => path.getAttribute('d'))"


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


def test_each_figure_stands_in_its_place(open_panel):
    page = open_panel(**fake_statistics.READING)
    table, figures = run(page, TABLE), run(page, LIST)
    assert (table["mean"], table["low"]) == (["117.90", "104.62", "92.00"], ["0.00 %", "< 0.01 %", "2.13 %"])
    assert figures["pixels"] == "6,279 of 307,200"
    assert (len(table), len(figures)) == (9, 11)
    assert run(page, "return document.querySelector('[data-color-figure=cct]').textContent") == "5,003 K"
    assert "–" not in [text for row in table.values() for text in row] + list(figures.values())
    assert page.element("dominant-color").get_attribute("fill") == "#3FA7D6"


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
    assert {text for row in run(page, TABLE).values() for text in row} | set(run(page, LIST).values()) == {"–"}
    assert page.element("dominant-color").get_attribute("fill") == "none"
    assert run(page, OUTLINES) == ["", "", ""]


# Definitions


def test_the_definitions_look_alike_and_have_the_width_of_the_page(browse, server):
    page = browse(server)
    page.driver.get(server.url + "measuring")
    looks = run(
        page,
        """
        return [...document.querySelectorAll("section[id]")].flatMap((section) =>
          [...section.querySelectorAll(":scope > p")].map((text) => {
            const { font, color } = getComputedStyle(text);
            return `${font} ${color} ${Math.round(section.offsetWidth)}`;
          }));
        """,
    )
    assert len(looks) > 20 and len(set(looks)) == 1
    assert int(looks[0].split()[-1]) > 500


def test_one_link_leads_from_the_figures_to_their_definitions(open_panel):
    page = open_panel()
    link = page.element("statistics-help")
    assert link.accessible_name == "What the figures mean"
    assert link.get_attribute("href").endswith("/measuring")
    # Definitions open beside the page, and the entry of the menu in its place, like its neighbours.
    links = "[...document.querySelectorAll('main a[href^=\"./measuring\"]')]"
    assert set(run(page, f"return {links}.map((link) => link.target)")) == {"measuring"}
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
    assert len(labels) >= 22
    assert {headings.get(label, label) for label in labels} <= defined


def test_the_reasons_for_the_quality_link_to_its_definition(browse, server):
    page = browse(server)
    page.wait_until_complete()
    [link] = run(page, "return [...document.querySelectorAll('.values a')].map((link) => link.getAttribute('href'))")
    page.driver.get(server.url + link.lstrip("/"))
    assert run(page, "return document.querySelector(':target').id") == "quality"


# The histogram


def test_a_histogram_is_the_outline_of_its_counts_also_logarithmic_which_is_remembered(open_panel, server):
    page = open_panel()
    page.wait_until("document.querySelector('#histogram path').getAttribute('d') !== ''")
    assert run(page, OUTLINES) == [
        "M0 100H0V0.0H1V100H255V50.0H256V100Z",
        "M0 100H0V100H10V0.0H12V100H256V100Z",
        # A hundredth of the highest bar would not be seen.
        "M0 100H0V100H128V98.0H129V100H256V100Z",
    ]
    page.element("histogram-logarithmic").click()
    # log(1 + 1) / log(1 + 100) = 0.1502
    assert run(page, OUTLINES)[2] == "M0 100H0V100H128V85.0H129V100H256V100Z"
    page.driver.get(server.url)
    page.wait_until_complete()
    assert page.element("histogram-logarithmic").is_selected()


def test_the_histogram_is_requested_at_most_every_two_seconds(open_panel):
    page = open_panel()
    wait_for_requests(page, 3)
    times = run(page, "return statistics.times")
    assert all(later - earlier >= 2000 for earlier, later in itertools.pairwise(times))


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
        pytest.param("document.getElementById('hold').click()", id="a colour is held"),
        pytest.param(
            "document.querySelector('.panels').style.marginTop = '300vh'", id="the panels are scrolled out of sight"
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


def test_the_histogram_is_beside_its_figures_where_the_panel_has_36_rem(open_panel):
    page = open_panel()
    # A single column, then the right one of two.
    for width, columns in [(570, 1), (580, 2), (1140, 1), (1160, 2)]:
        set_size(page.driver, width, 800)
        page.wait_until(
            "getComputedStyle(document.querySelector('.statistics')).gridTemplateColumns.split(' ')"
            f".filter((column) => column.endsWith('px')).length === {columns}"
        )
