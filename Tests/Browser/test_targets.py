"""Targets on the page: the list with its verdicts, setting, changing and deleting them, and teaching one by parts."""

import urllib.parse

import pytest
from Harness import api
from Harness.chromium import set_size
from Harness.geometry import legibility_problems
from Harness.waiting import wait_until
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from test_accessibility import violations

# A patch of the test pattern.
ORANGE = [0.07, 0.27, 0.06, 0.1]

LONG_REASON = "The exposure of the camera is far too high: 31.4 % of the pixels are at the top of red. Lower the exposure, or dim the light."


def entry(name, verdict, **changes):
    """What a reading says of a target."""
    delta = {"pass": 0.75, "fail": 13.32, "close": 1.95, None: 7.5}[verdict]
    reasons = {
        "fail": "ΔE00 is 13.32, and the tolerance is 2.",
        "close": "The difference is too close to the tolerance: about 40 more readings would decide.",
        None: LONG_REASON,
    }
    return {
        "name": name, "hex": "#373A90", "tolerance": 2, "verdict": verdict, "held": verdict, "deltaE": delta, "low": delta - 0.2,
        "high": delta + 0.2, "deltaL": -0.52, "deltaC": 0.11, "deltaH": -12.3, "words": "darker, redder", "reason": reasons.get(verdict),
        "readingsToDecide": 40 if verdict == "close" else None, "counts": {"pass": 12, "fail": 3, "close": 1},
    }  # fmt: skip


def judged(*targets, match=None, unique=None, none=2):
    """The fields of a reading with these targets."""
    parts = {"none": none, "since": "2026-11-20T18:40:00.000Z"} if targets else None
    return {"targets": list(targets), "match": match, "unique": unique, "parts": parts}


VERDICTS = judged(
    entry("Amber", "pass"),
    entry("Brand red", "fail"),
    entry("Leaf", "close"),
    entry("Sky", None),
    match="Amber",
    unique=True,
)


@pytest.fixture(scope="module")
def keeping_server(shared_servers):
    return shared_servers(config=f"[readings]\nrate = 20\nregion = {ORANGE}\n")


@pytest.fixture
def targets(browse, own_server):
    """The page with the tab of targets open."""
    page = browse(own_server)
    page.wait_until_complete()
    page.element("targets-tab").click()
    return page


@pytest.fixture
def fake_page(full_page):
    """The page with the tab of targets open, whose readings have these targets."""

    def open_page(verdicts=VERDICTS):
        page = full_page(**verdicts)
        page.wait_until_complete()
        page.element("targets-tab").click()
        return page

    return open_page


def fake(page, verdicts):
    """Changes the targets of the readings, and waits for the next one."""
    page.driver.execute_script("Object.assign(window.fake, arguments[0])", verdicts)
    page.wait_for_readings(2)


def names(page):
    return page.driver.execute_script(
        "return [...document.querySelectorAll('.target-name')].filter((name) => name.checkVisibility()).map((name) => name.textContent)"
    )


def stored(server):
    return api.request(f"{server.url}api/targets").json["targets"]


def set_target(server, name, **content):
    api.request(f"{server.url}api/targets/{urllib.parse.quote(name)}", "PUT", content)


def wait_until_listed(page, *wanted):
    page.wait_for(lambda _: names(page) == list(wanted), f"the targets {wanted}")


def labelled(page, label):
    return page.driver.find_element(By.CSS_SELECTOR, f"[aria-label='{label}']")


def row(page, name):
    rows = page.driver.find_elements(By.CSS_SELECTOR, "#target-list > li")
    return next(item for item in rows if item.find_element(By.CLASS_NAME, "target-name").text == name)


def text_in(page, name, part):
    return row(page, name).find_element(By.CLASS_NAME, part).text


# Setting, changing and deleting


def test_a_new_target_takes_the_present_colour_is_listed_and_stands_beside_the_colour(targets, own_server):
    assert targets.element("no-targets").is_displayed()
    assert targets.element("target-name").get_attribute("value") == "Target 1"
    targets.element("target-form").submit()
    wait_until_listed(targets, "Target 1")
    [target] = stored(own_server)
    assert target["color"].startswith("lab(") and target["tolerance"] == 2
    targets.wait_until("document.getElementById('beside').textContent === 'Target: Target 1'")
    targets.wait_until("document.getElementById('judged').checkVisibility()")
    # The next one gets another name.
    assert targets.element("target-name").get_attribute("value") == "Target 2"
    assert not targets.element("no-targets").is_displayed()


def test_a_target_takes_a_colour_that_was_typed_another_tolerance_and_any_name_once_they_are_right(targets, own_server):
    Select(targets.element("target-source")).select_by_value("typed")
    targets.element("target-color").send_keys("ketchup")
    targets.element("target-form").submit()
    targets.wait_until("document.getElementById('toast').textContent.includes('CSS has no colour of this name')")
    assert targets.element("target-color").get_attribute("value") == "ketchup"
    assert names(targets) == []
    name = "<b>5/8\" & 'é' ?#%</b>"
    for field, text in (("target-color", "#C8102E"), ("target-name", name)):
        targets.element(field).clear()
        targets.element(field).send_keys(text)
    Select(targets.element("new-tolerance")).select_by_visible_text("3")
    targets.element("target-name").send_keys(Keys.ENTER)
    wait_until_listed(targets, name)
    assert stored(own_server) == [{"name": name, "color": "#C8102E", "tolerance": 3}]
    targets.wait_until("document.getElementById('live-hex').textContent === '#C8102E'")


def test_a_target_takes_the_colour_of_a_sample_from_the_form_and_from_the_menu_of_the_sample(targets, own_server):
    sample = api.request(f"{own_server.url}api/samples", method="POST", body={"name": "Leaf", "readings": 1}).json
    targets.wait_until("!document.getElementById('target-samples').hidden")
    Select(targets.element("target-source")).select_by_visible_text(f"Leaf {sample['hex']}")
    assert targets.element("target-name").get_attribute("value") == "Leaf"
    targets.element("target-form").submit()
    wait_until_listed(targets, "Leaf")
    targets.wait_until(f"document.getElementById('live-hex').textContent === '{sample['hex']}'")
    api.request(f"{own_server.url}api/samples", method="POST", body={"name": "Cap 7", "readings": 1})
    targets.element("samples-tab").click()
    targets.wait_until("document.querySelector(\"[aria-label='More about Cap 7']\")")
    labelled(targets, "More about Cap 7").click()
    targets.element("sample-as-target").click()
    targets.element("targets-tab").click()
    targets.wait_for(lambda _: set(names(targets)) == {"Leaf", "Cap 7"}, "the targets Leaf and Cap 7")


def test_a_target_that_replaces_another_can_be_taken_back(targets, own_server):
    set_target(own_server, "Leaf", color="green", tolerance=3)
    wait_until_listed(targets, "Leaf")
    targets.element("target-name").clear()
    targets.element("target-name").send_keys("Leaf", Keys.ENTER)
    targets.wait_until("document.getElementById('toast').textContent === 'Target “Leaf” replaced'")
    assert stored(own_server)[0]["color"].startswith("lab(")
    targets.element("undo").click()
    wait_until(
        lambda: stored(own_server),
        "the old target",
        holds=lambda found: found == [{"name": "Leaf", "color": "green", "tolerance": 3}],
    )


def test_while_a_colour_is_held_it_is_the_present_one(targets, own_server):
    targets.element("hold").click()
    held = targets.element("hex").text
    api.request(f"{own_server.url}api/settings", "PUT", {"region": [0, 0, 1, 1]})
    wait_until(own_server.reading, "another colour", holds=lambda reading: reading["hex"] != held)
    targets.element("target-form").submit()
    wait_until_listed(targets, "Target 1")
    assert own_server.reading()["targets"][0]["hex"] == held


def test_the_menu_changes_the_tolerance_or_the_colour_and_nothing_else(targets, own_server):
    set_target(own_server, "Brand red", color="#C8102E", tolerance=1.5, hue=0.7)
    wait_until_listed(targets, "Brand red")
    labelled(targets, "More about Brand red").click()
    choice = Select(targets.element("target-tolerance"))
    assert [option.text for option in choice.options] == ["1", "1.5", "2", "3", "5"]
    assert choice.first_selected_option.text == "1.5"
    choice.select_by_visible_text("5")
    [before] = wait_until(
        lambda: stored(own_server), "another tolerance", holds=lambda found: found[0]["tolerance"] == 5
    )
    assert before == {"name": "Brand red", "color": "#C8102E", "tolerance": 5, "hue": 0.7}
    targets.wait_until("!document.querySelector('#target-menu:popover-open')")
    labelled(targets, "More about Brand red").click()
    targets.element("target-from-present").click()
    [target] = wait_until(
        lambda: stored(own_server), "another colour", holds=lambda found: found[0]["color"] != "#C8102E"
    )
    assert target["color"].startswith("lab(") and target["tolerance"] == 5


def test_the_menu_renames_a_target_and_copies_its_colour(targets, own_server):
    set_target(own_server, "Amber", color="#d67e2c", tolerance=3)
    wait_until_listed(targets, "Amber")
    labelled(targets, "More about Amber").click()
    targets.element("copy-target").click()
    targets.wait_until("document.getElementById('toast').textContent === 'Copied #D67E2C'")
    labelled(targets, "More about Amber").click()
    name = targets.element("target-new-name")
    assert name.get_property("value") == "Amber"
    name.clear()
    name.send_keys("Copal", Keys.ENTER)
    wait_until_listed(targets, "Copal")
    [renamed] = stored(own_server)
    assert (renamed["name"], renamed["tolerance"]) == ("Copal", 3)
    targets.wait_until("document.getElementById('toast').textContent === 'Renamed to Copal'")
    targets.element("undo").click()
    wait_until_listed(targets, "Amber")


def test_a_typed_name_stays_whatever_colour_is_chosen_and_any_other_follows_the_choice(targets, own_server):
    sample = api.request(f"{own_server.url}api/samples", "POST", {"readings": 2, "name": "Leaf"}).json
    source, name = Select(targets.element("target-source")), targets.element("target-name")
    targets.wait_until(f"document.querySelector('#target-samples [value=\"{sample['id']}\"]')")
    source.select_by_value(str(sample["id"]))
    assert name.get_property("value") == "Leaf"
    source.select_by_value("present")
    assert name.get_property("value") == "Target 1"
    name.clear()
    name.send_keys("Mine")
    for value in (str(sample["id"]), "typed", "present"):
        source.select_by_value(value)
        assert name.get_property("value") == "Mine", value


def test_a_name_that_is_as_long_as_it_may_be_says_so(targets):
    targets.element("target-name").send_keys("a" * 61)
    targets.wait_until("document.getElementById('toast').textContent === 'At most 60 characters'")


def test_a_deleted_target_is_gone_at_once_and_undo_brings_it_back(targets, own_server):
    set_target(own_server, "One", color="red", hue=1)
    set_target(own_server, "Two", color="blue")
    wait_until_listed(targets, "One", "Two")
    labelled(targets, "More about One").click()
    targets.element("delete-target").click()
    wait_until_listed(targets, "Two")
    assert [target["name"] for target in stored(own_server)] == ["Two"]
    # The focus is not lost.
    targets.wait_until("document.activeElement.ariaLabel === 'More about Two'")
    targets.wait_for(lambda shown: "“One” deleted" in shown["toast"], "the message")
    targets.element("undo").click()
    wait_until_listed(targets, "Two", "One")
    assert stored(own_server)[1] == {"name": "One", "color": "red", "tolerance": 2, "hue": 1}


# Verdicts


def test_each_row_says_the_verdict_by_word_and_shape_the_difference_and_the_reason(fake_page):
    page = fake_page()
    wait_until_listed(page, "Amber", "Brand red", "Leaf", "Sky")
    words = [text_in(page, name, "verdict-word") for name in names(page)]
    assert words == ["Pass", "Fail", "Too close", "Not judged"]
    shapes = page.driver.execute_script(
        "return [...document.querySelectorAll('.target .verdict-sign')].map((sign) => "
        "[...sign.children].filter((shape) => getComputedStyle(shape).display !== 'none').map((shape) => shape.getAttribute('class')).join())"
    )
    assert shapes == ["pass", "fail", "close", "none"]
    difference = text_in(page, "Brand red", "target-delta")
    assert "13.32" in difference and "of 2" in difference
    assert text_in(page, "Brand red", "target-parts").split() == ["ΔL′", "−0.5", "ΔC′", "+0.1", "ΔH′", "−12.3"]
    assert text_in(page, "Amber", "target-reason") == "Darker, redder."
    assert "about 40 more readings would decide" in text_in(page, "Leaf", "target-reason")
    assert text_in(page, "Sky", "target-reason") == LONG_REASON
    assert text_in(page, "Leaf", "target-counts") == "12 pass, 3 fail, 1 too close"
    assert page.element("target-match").text == "This is “Amber”."
    assert "Beyond every tolerance: 2." in page.element("counted-since").text


def test_of_several_targets_the_page_says_which_it_is(fake_page):
    page = fake_page()
    for verdicts, sentence in (
        (
            judged(entry("A", "pass"), entry("B", "close"), match="A", unique=False),
            "This is “A”, but another target is not ruled out.",
        ),
        (judged(entry("A", "fail"), entry("B", "fail")), "This is none of these."),
        (judged(entry("A", "fail"), entry("B", None)), "Not decided yet."),
    ):
        fake(page, verdicts)
        assert page.element("target-match").text == sentence


def test_a_target_that_is_ticked_stands_beside_the_colour_with_its_verdict_unless_a_colour_is_held(fake_page):
    page = fake_page()
    labelled(page, "Show Amber beside the colour").click()
    page.wait_until("document.getElementById('judged').checkVisibility()")
    assert page.element("beside").text == "Target: Amber"
    assert page.element("live-hex").text == "#373A90"
    assert page.element("color").get_attribute("fill") == "#373A90"
    # In one script, because the readings go on.
    page.wait_until(
        "document.getElementById('held-color').getAttribute('fill') === document.getElementById('hex').textContent"
    )
    assert page.element("judged-word").text == "Pass"
    assert page.element("judged-delta").text == "0.75"
    page.element("hold").click()
    page.wait_until("document.getElementById('beside').textContent === 'Live'")
    assert not page.element("judged").is_displayed()
    page.element("hold").click()
    page.wait_until("document.getElementById('beside').textContent === 'Target: Amber'")
    # Another one takes its place, and the browser remembers it.
    labelled(page, "Show Brand red beside the colour").click()
    page.wait_until("document.getElementById('beside').textContent === 'Target: Brand red'")
    assert not labelled(page, "Show Amber beside the colour").is_selected()
    page.driver.refresh()
    page.wait_until("document.getElementById('judged-word').textContent === 'Fail'")
    page.wait_until_complete()
    labelled(page, "Show Brand red beside the colour").click()
    page.wait_until("!document.getElementById('judged').checkVisibility()")
    page.wait_until("!document.getElementById('dashboard').hasAttribute('data-split')")


def test_a_target_beside_the_colour_hides_neither_brightness_nor_noise(fake_page):
    page = fake_page()
    labelled(page, "Show Amber beside the colour").click()
    page.wait_until("document.getElementById('judged').checkVisibility()")
    for size in ((1280, 800), (1280, 720), (1024, 768), (800, 480), (390, 844)):
        set_size(page.driver, *size)
        assert [page.element(name).is_displayed() for name in ("brightness", "noise")] == [True, True], size
        assert page.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth"), size


def test_nothing_moves_when_verdicts_change(fake_page):
    page = fake_page()
    labelled(page, "Show Amber beside the colour").click()
    page.wait_until("document.getElementById('judged').checkVisibility()")
    boxes = (
        "return [...document.querySelectorAll('.target, .target > *, #judged > :not(#judged-words), .swatch, .values, .panels, .tab-row')]"
        ".filter((element) => !element.matches('.target-reason, .target-counts'))"
        ".map((element) => { const { x, y, width, height } = element.getBoundingClientRect(); return [element.className?.baseVal ?? element.className, x, y, width, height].join(); })"
    )
    before = page.driver.execute_script(boxes)
    for verdict in ("fail", "close", None):
        fake(page, judged(*(entry(name, verdict) for name in ("Amber", "Brand red", "Leaf", "Sky"))))
        assert page.driver.execute_script(boxes) == before


def test_nothing_is_cut_at_any_size(fake_page):
    page = fake_page(
        judged(
            entry("A target with a Name that is as Long as they may be, of 60 char", "close"),
            entry("Brand red", "fail"),
            entry("Sky", None),
        )
    )
    page.driver.find_element(By.CSS_SELECTOR, ".target input").click()
    for size in ((1280, 800), (1280, 720), (800, 480), (390, 844), (320, 640), (1920, 1080)):
        set_size(page.driver, *size)
        page.wait_for_readings(2)
        assert legibility_problems(page.driver) == [], size


@pytest.mark.slow
def test_axe_finds_nothing_on_targets_with_a_lesson(fake_page):
    page = fake_page()
    labelled(page, "Show Sky beside the colour").click()
    page.wait_until("document.getElementById('judged').checkVisibility()")
    assert violations(page.driver) == {}


def test_the_keyboard_ticks_a_target_and_opens_its_menu(fake_page):
    page = fake_page(judged(entry("Amber", "pass")))
    wait_until_listed(page, "Amber")
    labelled(page, "Show Amber beside the colour").send_keys(Keys.SPACE)
    page.wait_until("document.getElementById('judged').checkVisibility()")
    labelled(page, "More about Amber").send_keys(Keys.ENTER)
    page.wait_until("document.getElementById('target-menu').matches(':popover-open')")
    page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    page.wait_until("!document.getElementById('target-menu').matches(':popover-open')")


# Parts

LISTENING = """
window.tones = [];
window.AudioContext = class {
  currentTime = 0; destination = {};
  resume() {}
  createGain() { return { gain: { setValueAtTime() {}, linearRampToValueAtTime() {} }, connect: (to) => to }; }
  createOscillator() { const frequency = {}; return { frequency, connect: (to) => to, start() { tones.push(frequency.value); }, stop() {} }; }
};
"""


def counted(passes, none, since="2026-11-20T18:40:00.000Z"):
    target = entry("Amber", "pass") | {"counts": {"pass": passes, "fail": none, "close": 0}}
    return judged(target) | {"parts": {"none": none, "since": since}}


def test_a_tone_follows_each_part_if_it_is_wanted(fake_page):
    page = fake_page(counted(1, 1))
    page.driver.execute_script(LISTENING)

    def tones():
        heard = page.driver.execute_script("return tones.splice(0)")
        return heard

    fake(page, counted(2, 1))
    assert tones() == []
    # The box plays a sample.
    page.element("verdict-sound").click()
    assert tones() == [880]
    page.wait_for_readings(2)
    fake(page, counted(3, 1))
    assert tones() == [880]
    fake(page, counted(3, 2))
    assert tones() == [220, 220]
    # A reset is no part.
    fake(page, counted(9, 9, since="2026-11-20T19:00:00.000Z"))
    assert tones() == []


def test_parts_are_counted_and_the_counters_are_reset(targets, own_server):
    # The lamp of the test pattern changes the colour all the time, by less than a tenth of this tolerance.
    set_target(own_server, "Far", color="blue", tolerance=30)
    wait_until_listed(targets, "Far")
    targets.wait_for(
        lambda _: text_in(targets, "Far", "target-counts") == "0 pass, 1 fail, 0 too close", "the counters"
    )
    assert targets.element("counted-since").text.endswith(", the last reset or the start of Swatchcam.")
    labelled(targets, "More about Far").click()
    targets.element("target-new-name").clear()
    targets.element("target-new-name").send_keys("Farther", Keys.ENTER)
    wait_until_listed(targets, "Farther")
    targets.wait_for(
        lambda _: text_in(targets, "Farther", "target-counts") == "0 pass, 1 fail, 0 too close", "the same counters"
    )
    targets.element("reset-counts").click()
    targets.wait_for(lambda _: text_in(targets, "Farther", "target-counts") == "0 pass, 0 fail, 0 too close", "a reset")
    assert api.request(f"{own_server.url}api/counts").json["none"] == 0


# Teach-in


def teach(page, button, count, list_id):
    for number in range(1, count + 1):
        page.element(button).click()
        page.wait_until(f"document.querySelectorAll('#{list_id} li').length === {number}")
        page.wait_until(f"!document.getElementById('{button}').textContent.includes(' of ')")


def test_parts_teach_a_target_which_survives_a_reload_before_it_is_saved(targets, own_server):
    teach(targets, "good-part", 2, "good-parts")
    assert targets.element("lesson").text == "3 more good parts are needed."
    targets.driver.refresh()
    targets.wait_until_complete()
    targets.wait_until("document.querySelectorAll('#good-parts li').length === 2")
    for number in range(3, 6):
        targets.element("good-part").click()
        targets.wait_until(f"document.querySelectorAll('#good-parts li').length === {number}")
        targets.wait_until("!document.getElementById('good-part').textContent.includes(' of ')")
    targets.wait_until("document.getElementById('lesson').textContent.includes('Covers 99 % of such parts')")
    # The same colour, taken for a bad part, would pass.
    teach(targets, "bad-part", 1, "bad-parts")
    targets.wait_until(
        "document.getElementById('lesson').textContent.includes('1 of the 1 bad parts would have passed')"
    )
    assert "would pass" in targets.element("bad-parts").text
    labelled(targets, "Leave out bad part 1").click()
    targets.wait_until("document.querySelectorAll('#bad-parts li').length === 0")
    targets.element("lesson-components").click()
    targets.wait_until("document.getElementById('lesson').textContent.includes('ΔL′')")
    targets.element("lesson-name").send_keys("Good cap", Keys.ENTER)
    wait_until_listed(targets, "Good cap")
    [target] = stored(own_server)
    assert target["color"].startswith("lab(") and {"lightness", "chroma", "hue", "tolerance"} <= target.keys()
    targets.wait_until("!document.querySelector('#good-parts li')")
