"""Scales on the page: made of the probes on a card, and shown as a strip with a pointer."""

import pytest
from Harness import api
from Harness.waiting import wait_until

pytestmark = pytest.mark.slow

GREYS = 6


def patch(column: int, row: int = 3) -> list[float]:
    """The middle of a patch of the test pattern's chart."""
    return [0.07 + 0.1 * column, 0.11 + 0.16 * row, 0.06, 0.10]


@pytest.fixture
def page(browse, own_server):
    for index in range(GREYS):
        url = f"{own_server.url}api/probes/card%20{index}"
        assert api.request(url, "PUT", {"region": patch(index)}).status == 201
    assert api.request(f"{own_server.url}api/settings", "PUT", {"region": patch(2)}).status == 200
    page = browse(own_server)
    page.wait_until_complete()
    return page


def make_scale(page, values: str = "0, 1, 2, 3, 4, 5") -> None:
    page.element("probes-tab").click()
    page.element("scale-name").send_keys("Grey")
    page.element("scale-values").send_keys(values)
    page.element("scale-unit").send_keys("mg/L")
    page.element("scale-form").find_element("tag name", "button").click()


def shown(page) -> str:
    return page.driver.execute_script("return document.querySelector('.scale-value')?.textContent ?? ''")


def test_probes_and_typed_values_become_a_scale_with_its_value(page, own_server):
    assert not page.element("scales").is_displayed()
    make_scale(page)
    value = wait_until(lambda: shown(page), "there is no value", holds=lambda text: text.startswith(("1.9", "2.0")))
    assert float(value) == pytest.approx(2, abs=0.1)
    colors = page.driver.execute_script(
        "return [...document.querySelectorAll('.scale rect:not([class])')].map((cell) => cell.getAttribute('fill'))"
    )
    assert len(set(colors)) == GREYS and all(color.startswith("#") for color in colors)
    assert page.driver.execute_script("return document.querySelector('.scale-pointer').getAttribute('d')")
    [scale] = api.get_json(f"{own_server.url}api/scales")["scales"]
    assert [point["probe"] for point in scale["points"]] == [f"card {index}" for index in range(GREYS)]


def test_a_colour_that_is_not_on_the_scale_has_words_and_no_pointer(page, own_server):
    make_scale(page)
    assert api.request(f"{own_server.url}api/settings", "PUT", {"region": patch(0, 1)}).status == 200
    wait_until(lambda: shown(page), "it has a value", holds=lambda text: text == "not on this scale")
    assert not page.driver.execute_script("return document.querySelector('.scale-pointer').getAttribute('d')")


def test_more_values_than_probes_make_no_scale_and_a_message_says_so(page, own_server):
    make_scale(page, "0 1 2 3 4 5 6")
    wait_until(lambda: "7 values and 6 probes" in page.element("toast").text, "there is no message")
    assert api.get_json(f"{own_server.url}api/scales")["scales"] == []


def test_a_scale_is_deleted(page):
    make_scale(page)
    wait_until(lambda: page.element("scales").is_displayed(), "there is no scale")
    page.element("scales").find_element("tag name", "button").click()
    wait_until(lambda: not page.element("scales").is_displayed(), "the scale stays")
