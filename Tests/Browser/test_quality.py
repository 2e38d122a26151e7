"""The quality of the reading, beside the readout and on the kiosk."""

import pytest

pytestmark = pytest.mark.slow

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


def test_the_grade_the_noise_and_the_advice_are_those_of_the_reading(full_page):
    page = full_page(**GOOD)
    wait_until_shown(page, "grade", "Good")
    assert text(page, "noise") == "0.23"
    assert text(page, "advice") == "Steady. Nothing to improve."
    change(page, GOOD | {"settled": False})
    wait_until_shown(page, "advice", "Not steady yet.")
    change(page, fair(UNEVEN))
    wait_until_shown(page, "grade", "Fair")
    assert text(page, "noise") == "–"
    assert text(page, "advice") == UNEVEN["message"]
    change(page, GOOD | {"noise": None, "settled": None})
    wait_until_shown(page, "advice", "Measuring…")
    assert text(page, "grade") == "–"


def test_the_advice_is_the_first_reason_and_a_list_has_all_until_the_reading_is_good_again(full_page):
    page = full_page(**fair(UNEVEN))
    wait_until_shown(page, "advice", UNEVEN["message"])
    # A single reason needs no list.
    assert not page.element("reasons").is_displayed()
    change(page, fair(CLIPPED, UNEVEN))
    wait_until_shown(page, "advice", CLIPPED["message"])
    assert page.element("reasons").text == "Why?"
    page.element("reasons").click()
    assert page.element("flag-list").text.splitlines() == [CLIPPED["message"], UNEVEN["message"]]
    # It is updated in place, so that it can be read and selected.
    page.driver.execute_script("window.line = document.querySelector('#flag-list li')")
    change(page, fair(CLIPPED | {"message": "31 %"}, UNEVEN))
    page.wait_until("window.line.textContent === '31 %' && window.line.isConnected")
    change(page, GOOD)
    page.wait_until("!document.getElementById('flags').matches(':popover-open')")
    assert not page.element("reasons").is_displayed()


def test_a_long_reason_is_shortened_to_its_first_clause_and_the_list_has_all_of_it(full_page):
    page = full_page(**fair(LONG))
    wait_until_shown(page, "advice", "The colour is changing.")
    page.element("reasons").click()
    assert page.element("flag-list").text == LONG["message"]
    page.element("hold").click()
    wait_until_shown(page, "advice", "When held: the colour is changing.")


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


def test_a_held_reading_keeps_its_quality_and_its_advice_says_when_it_was_true(full_page):
    page = full_page(**poor(UNEVEN))
    wait_until_shown(page, "grade", "Poor")
    page.element("hold").click()
    page.wait_until("document.getElementById('dashboard').hasAttribute('data-held')")
    change(page, GOOD)
    page.wait_for_readings(2)
    assert text(page, "grade") == "Poor"
    message = UNEVEN["message"]
    wait_until_shown(page, "advice", f"When held: {message[0].lower()}{message[1:]}")


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


def test_the_kiosk_explains_a_poor_reading_and_no_other(full_page, server):
    page = full_page(**poor(CLIPPED, UNEVEN))
    page.driver.get(f"{server.url}kiosk")
    page.wait_until("document.getElementById('kiosk')?.hasAttribute('data-color')")
    wait_until_shown(page, "doubt", f"Poor reading. {CLIPPED['message']}")
    change(page, fair(UNEVEN))
    wait_until_shown(page, "doubt", "")
