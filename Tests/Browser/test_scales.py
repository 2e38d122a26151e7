"""Scales on the page: made of the probes on a card, and shown as a strip with a pointer."""

import pytest
from Harness import api
from Harness.waiting import wait_until
from selenium.webdriver import Keys

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
    # With typed colours, a lamp that drifts is a reason to give no value.
    assert api.request(f"{own_server.url}api/controls/lamp_drift", "PUT", {"value": 0}).status == 200
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
    page.element("scales").find_element("css selector", "button[aria-label^=Delete]").click()
    wait_until(lambda: not page.element("scales").is_displayed(), "the scale stays")


def choose(page, identifier: str, value: str) -> None:
    page.element(identifier).find_element("css selector", f"option[value={value}]").click()


def test_colours_that_are_typed_become_a_scale_with_their_errors(page, own_server):
    page.element("probes-tab").click()
    choose(page, "scale-source", "typed")
    page.element("scale-name").send_keys("Typed")
    page.element("scale-colors").send_keys("0 #F3F3F3\n2 rgb(160 160 160) ± 0.2\n4,5 lab(20 0 0)")
    page.element("scale-form").find_element("tag name", "button").click()
    wait_until(lambda: shown(page), "there is no value", holds=lambda text: text.startswith(("1.9", "2.0")))
    [scale] = api.get_json(f"{own_server.url}api/scales")["scales"]
    assert scale["points"][1:] == [
        {"value": 2, "color": "rgb(160 160 160)", "error": 0.2},
        {"value": 4.5, "color": "lab(20 0 0)"},
    ]


def test_a_line_that_is_no_colour_makes_no_scale_and_is_named(page, own_server):
    page.element("probes-tab").click()
    choose(page, "scale-source", "typed")
    page.element("scale-name").send_keys("Typed")
    page.element("scale-colors").send_keys("0 #F3F3F3\nblue 7")
    page.element("scale-form").find_element("tag name", "button").click()
    wait_until(lambda: "“blue 7” is not a value and a colour" in page.element("toast").text, "there is no message")
    assert api.get_json(f"{own_server.url}api/scales")["scales"] == []


def test_samples_that_are_named_by_their_values_become_a_scale(page, own_server):
    for index in (0, 2, 4):
        assert api.request(f"{own_server.url}api/settings", "PUT", {"region": patch(index)}).status == 200
        assert api.request(f"{own_server.url}api/samples", "POST", {"name": f"{index}", "readings": 8}).status == 201
    page.element("probes-tab").click()
    choose(page, "scale-source", "samples")
    lines = wait_until(lambda: page.element("scale-colors").get_attribute("value"), "no colours are filled in")
    assert [line.split()[0] for line in lines.splitlines()] == ["0", "2", "4"] and lines.count("±") == 3
    page.element("scale-name").send_keys("Taught")
    page.element("scale-form").find_element("tag name", "button").click()
    wait_until(lambda: shown(page), "there is no value", holds=lambda text: text.startswith(("3.9", "4.0")))


def test_the_form_says_which_probe_gets_which_value_and_reads_another_probe(page, own_server):
    page.element("probes-tab").click()
    choose(page, "scale-read", "'card 2'")
    page.element("scale-values").send_keys("0 1 3 4")
    pairs = wait_until(lambda: page.element("scale-pairs").text, "nothing is said")
    assert pairs == "card 0 = 0, card 1 = 1, card 3 = 3, card 4 = 4, card 5 is not in the scale"
    page.element("scale-name").send_keys("Grey")
    page.element("scale-form").find_element("tag name", "button").click()
    value = wait_until(lambda: shown(page), "there is no value", holds=lambda text: text[:1].isdigit())
    assert float(value) == pytest.approx(2, abs=0.2)


def timer_button(page):
    return page.element("scales").find_element("css selector", ".scale-head button")


def start_with_mouse(page):
    timer_button(page).click()
    field = page.element("scales").find_element("css selector", ".scale-timer input")
    field.clear()
    field.send_keys("1")
    page.element("scales").find_element("css selector", ".scale-timer button").click()


def start_with_keys(page):
    timer_button(page).send_keys(Keys.ENTER)
    # The field has the focus, and its text is selected.
    page.driver.switch_to.active_element.send_keys("1", Keys.ENTER)


def start_with_a_finger(page):
    tap(page, timer_button(page))
    page.driver.switch_to.active_element.send_keys("1")
    tap(page, page.element("scales").find_element("css selector", ".scale-timer button"))


def tap(page, button) -> None:
    page.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", button)
    place = page.driver.execute_script("return arguments[0].getBoundingClientRect()", button)
    finger = {"x": place["x"] + place["width"] / 2, "y": place["y"] + place["height"] / 2}
    for kind, points in (("touchStart", [finger]), ("touchEnd", [])):
        page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize("start", [start_with_mouse, start_with_keys, start_with_a_finger])
def test_a_scale_is_read_after_a_time(page, own_server, start):
    make_scale(page)
    wait_until(lambda: shown(page), "there is no value", holds=lambda text: text.startswith(("1.9", "2.0")))
    start(page)
    wait_until(lambda: "kept among the samples" in page.element("toast").text, "it is not read", timeout=20)
    [sample] = api.get_json(f"{own_server.url}api/samples")["samples"]
    assert sample["name"] == "Grey after 1 s"
    page.element("samples-tab").click()
    row = wait_until(lambda: page.element("sample-list").text, "the sample is not listed")
    assert "Grey after 1 s" in row and "Grey 2.0" in row


def test_a_wait_shows_what_is_left_and_is_cancelled(page, own_server):
    make_scale(page)
    wait_until(lambda: page.element("scales").is_displayed(), "there is no scale")
    assert api.request(f"{own_server.url}api/scales/Grey/read", "POST", {"after": 3700}).status == 202
    label = wait_until(lambda: timer_button(page).text, "nothing is left", holds=lambda text: text.startswith("Cancel"))
    assert label.startswith("Cancel (1:01:")
    timer_button(page).click()
    wait_until(lambda: timer_button(page).text == "Timer", "it is not cancelled")
    assert api.get_json(f"{own_server.url}api/samples")["samples"] == []


def test_an_edit_of_the_configuration_changes_the_colours_of_the_strip(browse, start_server):
    def config(last: str) -> str:
        points = (
            f'{{ value = 0, color = "#F3F3F3" }}, {{ value = 1, color = "#808080" }}, {{ value = 2, color = "{last}" }}'
        )
        return f'[[scales]]\nname = "Grey"\npoints = [{points}]\n'

    server = start_server(config=config("#111111"))
    page = browse(server)

    def last() -> str:
        return page.driver.execute_script(
            "return [...document.querySelectorAll('.scale rect:not([class])')].at(-1)?.getAttribute('fill') ?? ''"
        )

    wait_until(last, "there is no strip", holds=lambda color: color == "#111111")
    server.config.write_text(server.config.read_text().replace("#111111", "#222222"))
    wait_until(last, "the strip stays", holds=lambda color: color == "#222222")
