"""The quality of the reading, beside the readout and on the kiosk."""

import pytest

GOOD = {"quality": {"grade": "good", "flags": []}, "noise": {"r": 0, "g": 0, "b": 0, "deltaE": 0.2345}, "settled": True}
CLIPPED = {"code": "clipped-high", "value": 0.031, "message": "3.1 % of the pixels are at the top of red."}
UNEVEN = {"code": "uneven", "value": 0.3, "message": "From pixel to pixel, green varies by 30 %."}
LONG = {
    "code": "drift",
    "value": 2,
    "message": f"The colour is changing: {'wait until the lamp is warm, ' * 5}then measure.",
}
HOSTILE = {"code": "<b>new</b>", "value": 1, "message": "<img src=x onerror='document.title=1'> is on."}


def fair(*flags):
    return {"quality": {"grade": "fair", "flags": list(flags)}, "noise": None, "settled": False}


def poor(*flags):
    return fair(*flags) | {"quality": {"grade": "poor", "flags": list(flags)}}


def text(page, name):
    return page.driver.execute_script("return document.getElementById(arguments[0]).textContent", name)


def wait_until_shown(page, name, wanted):
    page.wait_until(f"document.getElementById('{name}').textContent === {wanted!r}")


def change(page, reading):
    page.driver.execute_script("Object.assign(fake, arguments[0])", reading)


def test_a_good_reading_shows_its_grade_its_noise_and_that_it_is_settled(full_page):
    page = full_page(**GOOD)
    wait_until_shown(page, "grade", "Good")
    assert text(page, "noise") == "0.23"
    assert text(page, "advice") == "Steady. Nothing to improve."


def test_noise_that_is_not_known_yet_is_shown_as_a_dash(full_page):
    page = full_page(**fair(UNEVEN))
    wait_until_shown(page, "grade", "Fair")
    assert text(page, "noise") == "–"


def test_nothing_is_good_before_its_noise_is_known(full_page):
    page = full_page(**GOOD | {"noise": None, "settled": None})
    wait_until_shown(page, "advice", "Measuring…")
    assert text(page, "grade") == "–"
    change(page, GOOD)
    wait_until_shown(page, "grade", "Good")


def test_where_readings_are_too_rare_for_the_noise_to_be_known_a_good_one_is_called_so(full_page):
    page = full_page(**GOOD | {"noise": None, "settled": None, "rate": {"wanted": 0.1}})
    wait_until_shown(page, "grade", "Good")


def test_a_reading_that_is_not_settled_says_so_unless_there_is_something_to_do(full_page):
    page = full_page(**GOOD | {"settled": False})
    wait_until_shown(page, "advice", "Not steady yet.")
    change(page, fair(UNEVEN))
    wait_until_shown(page, "advice", UNEVEN["message"])


def test_the_advice_is_the_first_reason_and_a_button_leads_to_the_others(full_page):
    page = full_page(**fair(CLIPPED, UNEVEN))
    wait_until_shown(page, "advice", CLIPPED["message"])
    assert page.element("reasons").text == "Why?"


def test_a_single_reason_needs_no_list(full_page):
    page = full_page(**fair(UNEVEN))
    wait_until_shown(page, "advice", UNEVEN["message"])
    assert not page.element("reasons").is_displayed()


def test_a_long_reason_is_shortened_to_its_first_clause_and_the_list_has_all_of_it(full_page):
    page = full_page(**fair(LONG))
    wait_until_shown(page, "advice", "The colour is changing.")
    page.element("reasons").click()
    assert page.element("flag-list").text == LONG["message"]


def test_a_click_on_the_reasons_says_what_to_do(full_page):
    page = full_page(**fair(CLIPPED, UNEVEN))
    wait_until_shown(page, "grade", "Fair")
    page.element("reasons").click()
    lines = page.element("flag-list").text.splitlines()
    assert lines == [CLIPPED["message"], UNEVEN["message"]]


def test_the_reasons_close_when_the_reading_is_good_again(full_page):
    page = full_page(**fair(CLIPPED, UNEVEN))
    wait_until_shown(page, "grade", "Fair")
    page.element("reasons").click()
    change(page, GOOD)
    page.wait_until("!document.getElementById('flags').matches(':popover-open')")
    assert not page.element("reasons").is_displayed()


def test_a_reason_is_updated_in_place_when_its_figure_changes(full_page):
    page = full_page(**fair(UNEVEN))
    wait_until_shown(page, "grade", "Fair")
    page.driver.execute_script("window.line = document.querySelector('#flag-list li')")
    change(page, fair(UNEVEN | {"message": "31 %"}))
    page.wait_until("window.line.textContent === '31 %' && window.line.isConnected")


def test_nothing_moves_when_a_reading_becomes_poor(full_page):
    page = full_page(**GOOD)
    wait_until_shown(page, "grade", "Good")
    place = (
        "return JSON.stringify(['hex', 'quality', 'tabs'].map("
        "(id) => document.getElementById(id).getBoundingClientRect()))"
    )
    before = page.driver.execute_script(place)
    change(page, poor(CLIPPED, UNEVEN))
    wait_until_shown(page, "grade", "Poor")
    assert page.driver.execute_script(place) == before


def test_a_held_reading_keeps_its_quality(full_page):
    page = full_page(**GOOD)
    wait_until_shown(page, "grade", "Good")
    page.element("hold").click()
    page.wait_until("document.getElementById('dashboard').hasAttribute('data-held')")
    change(page, poor(CLIPPED))
    page.wait_for_readings(2)
    assert text(page, "grade") == "Good"


def test_the_advice_about_a_held_reading_says_when_it_was_true(full_page):
    page = full_page(**poor(UNEVEN))
    wait_until_shown(page, "advice", UNEVEN["message"])
    page.element("hold").click()
    message = UNEVEN["message"]
    wait_until_shown(page, "advice", f"When held: {message[0].lower()}{message[1:]}")


def test_long_advice_about_a_held_reading_is_shortened_to_its_first_clause(full_page):
    page = full_page(**poor(LONG))
    wait_until_shown(page, "advice", "The colour is changing.")
    page.element("hold").click()
    wait_until_shown(page, "advice", "When held: the colour is changing.")


def test_a_grade_that_lasts_is_announced(full_page):
    page = full_page(**GOOD)
    wait_until_shown(page, "grade", "Good")
    change(page, poor(CLIPPED))
    wait_until_shown(page, "announcer", "Quality: Poor")


def test_markup_in_a_reason_is_text(full_page):
    page = full_page(**fair(HOSTILE, CLIPPED))
    wait_until_shown(page, "advice", HOSTILE["message"])
    page.element("reasons").click()
    assert page.element("flag-list").text.splitlines() == [HOSTILE["message"], CLIPPED["message"]]


@pytest.mark.parametrize(
    ("reading", "shown"),
    [(GOOD, ""), (fair(UNEVEN), ""), (poor(CLIPPED, UNEVEN), f"Poor reading. {CLIPPED['message']}")],
)
def test_the_kiosk_explains_a_poor_reading_and_no_other(full_page, server, reading, shown):
    page = full_page(**reading)
    page.driver.get(f"{server.url}kiosk")
    page.wait_until("document.getElementById('kiosk')?.hasAttribute('data-color')")
    page.wait_until(f"document.getElementById('doubt').textContent === {shown!r}")
