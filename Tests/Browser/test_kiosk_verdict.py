"""`/kiosk?show=verdict`: whether the colour is the right one, seen across a room."""

import fake_readings
import pytest
from Harness.chromium import set_size
from Harness.geometry import legibility_problems
from test_accessibility import violations
from test_targets import LONG_REASON, entry, judged

pytestmark = pytest.mark.slow


@pytest.fixture
def kiosk(browse, server):
    """Opens the kiosk, whose readings have these targets."""

    def open_page(verdicts, server=server):
        page = browse(server, before=fake_readings.script(**verdicts))
        set_size(page.driver, 800, 480)
        page.driver.get(f"{server.url}kiosk?show=verdict")
        page.wait_until("document.getElementById('kiosk').dataset.color !== undefined")
        page.wait_until("document.getElementById('verdict-word').textContent !== '–'")
        return page

    return open_page


def change(page, verdicts):
    page.driver.execute_script("Object.assign(window.fake, arguments[0])", verdicts)


def shape(page):
    return page.driver.execute_script(
        "return [...document.querySelectorAll('.verdict-sign > *')].filter((shape) => getComputedStyle(shape).display !== 'none').map((shape) => shape.getAttribute('class')).join()"
    )


def ground(page):
    return page.driver.execute_script("return getComputedStyle(document.getElementById('judged')).backgroundColor")


def test_the_kiosk_shows_the_verdict_by_word_shape_and_ground_beside_the_target(kiosk):
    page = kiosk(judged(entry("amber", "pass")))
    page.wait_until("document.getElementById('wanted-name').textContent === 'Target: amber'")
    assert page.element("wanted-hex").text == "#373A90"
    assert page.element("wanted-color").get_attribute("fill") == "#373A90"
    grounds = set()
    for verdict, word, figures, line in (
        ("pass", "PASS", "ΔE 0.8 of 2 allowed", "darker, redder"),
        ("fail", "FAIL", "ΔE 13.3 of 2 allowed", "darker, redder"),
        ("close", "TOO CLOSE", "ΔE 1.9 of 2 allowed", "40 more readings decide"),
        (None, "NOT JUDGED", "", LONG_REASON),
    ):
        change(page, judged(entry("amber", verdict)))
        page.wait_until(f"document.getElementById('judged').dataset.verdict === '{verdict or 'none'}'")
        texts = [page.element(f"verdict-{part}").text for part in ("word", "figures", "words")]
        assert texts == [word, figures, line]
        assert shape(page) == (verdict or "none")
        if verdict:
            grounds.add(ground(page))
    assert len(grounds) == 3


def test_of_several_targets_the_match_is_named_or_none_and_without_one_where_to_set_it(kiosk):
    page = kiosk(judged(entry("amber", "fail"), entry("leaf", "pass"), match="leaf", unique=False))
    page.wait_until("document.getElementById('wanted-name').textContent === 'Target: leaf'")
    assert page.element("verdict-word").text == "PASS"
    assert page.element("verdict-words").text == "another target is not ruled out"
    change(page, judged(entry("amber", "fail"), entry("leaf", "fail") | {"deltaE": 9}))
    page.wait_until("document.getElementById('verdict-words').textContent === 'none of 2 targets'")
    assert page.element("wanted-name").text == "Target: leaf"
    # A target that is not ruled out says more than a nearer one that is.
    change(page, judged(entry("amber", "fail") | {"deltaE": 0.5}, entry("leaf", "close")))
    page.wait_until("document.getElementById('judged').dataset.verdict === 'close'")
    assert page.element("wanted-name").text == "Target: leaf"
    # The verdict that has held is kept through doubts.
    change(page, judged(entry("amber", "close") | {"held": "pass"}))
    page.wait_until("document.getElementById('judged').dataset.verdict === 'pass'")
    assert page.element("verdict-word").text == "PASS"
    change(page, judged())
    page.wait_until("document.getElementById('verdict-word').textContent.toUpperCase() === 'NO TARGET'")
    assert not page.element("wanted").is_displayed()
    assert page.element("hex").is_displayed()


def test_without_a_colour_there_is_no_verdict(browse, shared_servers):
    page = browse(shared_servers("/dev/video99"))
    page.driver.get(f"{page.driver.current_url}kiosk?show=verdict")
    page.wait_until("document.getElementById('title')?.checkVisibility()")
    assert not page.element("judged").is_displayed()


@pytest.mark.parametrize("name", ["Reference panel of the blue delivery van, second coat, after", "W" * 60])
def test_nothing_is_cut_on_any_screen_however_long_title_and_name_are(kiosk, shared_servers, name):
    page = kiosk(judged(entry(name, "pass")), shared_servers(config=f'[web]\ntitle = "{name}"\n'))
    for verdict in ("fail", "close", None):
        change(page, judged(entry(name, verdict)))
        page.wait_until(f"document.getElementById('judged').dataset.verdict === '{verdict or 'none'}'")
        for size in ((800, 480), (480, 800), (1280, 800), (1920, 1080), (390, 844)):
            set_size(page.driver, *size)
            assert legibility_problems(page.driver) == [], (verdict, size)
            outside = page.driver.execute_script(
                "return [...document.querySelectorAll('.color h1, .color > p, .wanted > p, .judged, .judged p')].filter((part) => part.checkVisibility() && part.textContent.trim())"
                ".filter((part) => { const box = part.getBoundingClientRect(); return box.top < -0.5 || box.bottom > innerHeight + 0.5; }).map((part) => part.id)"
            )
            assert outside == [], (verdict, size)


def test_axe_finds_nothing_on_any_verdict(kiosk):
    page = kiosk(judged(entry("amber", "pass")))
    for verdict in ("pass", "fail", "close", None):
        change(page, judged(entry("amber", verdict)))
        page.wait_until(f"document.getElementById('judged').dataset.verdict === '{verdict or 'none'}'")
        assert violations(page.driver) == {}
