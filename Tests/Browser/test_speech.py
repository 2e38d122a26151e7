"""The colour in spoken words: with a voice, and without one."""

import re

import fake_readings
import pytest
from test_targets import entry, judged

pytestmark = pytest.mark.slow

# A voice that writes down what it says, and intervals that are 50 times shorter.
VOICE = """
window.spoken = [];
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => VOICES, cancel() {}, speak: ({ text, lang }) => spoken.push([text, lang]),
} });
const interval = setInterval;
window.setInterval = (job, delay, ...rest) => interval(job, delay / 50, ...rest);
"""
WORDS = r"[a-z -]+, lightness \d+, (certain|fairly certain|uncertain)\."


@pytest.fixture
def listen(browse, server):
    """Opens the page of a browser that has a voice, or has none."""

    def open_page(has_voice: bool = True):
        page = browse(server, before=VOICE.replace("VOICES", "[{}]" if has_voice else "[]"))
        page.wait_until_complete()
        return page

    return open_page


def spoken(page) -> list[str]:
    return page.driver.execute_script("return spoken.map(([text]) => text)")


def read_out(page) -> None:
    page.element("more").click()
    page.element("speak-color").click()


def read_out_every(page, seconds: int) -> None:
    page.element("more").click()
    page.driver.execute_script(
        "const list = document.getElementById('speak-every'); list.value = arguments[0]; "
        "list.dispatchEvent(new Event('change'))",
        str(seconds),
    )


def test_only_when_it_is_wanted_a_voice_says_name_lightness_and_certainty_in_english(listen):
    page = listen()
    page.wait_for_readings(10)
    assert spoken(page) == []
    read_out(page)
    page.wait_until("spoken.length === 1")
    assert re.fullmatch(WORDS, spoken(page)[0])
    assert page.driver.execute_script("return spoken[0][1]") == "en"
    assert page.element("toast").text == ""


def test_a_voice_says_the_verdict_if_there_is_a_target(browse, server):
    page = browse(server, before=fake_readings.script() + VOICE.replace("VOICES", "[{}]"))
    page.wait_until_complete()
    for verdicts, words in (
        (judged(entry("Amber", "close")), "Amber: too close"),
        (judged(entry("Amber", "pass"), entry("Leaf", "fail"), match="Amber", unique=True), "match: Amber"),
        (judged(entry("Amber", "pass"), entry("Leaf", "close"), match="Amber", unique=False), "perhaps Amber"),
        (judged(entry("Amber", "fail"), entry("Leaf", "fail")), "no match"),
    ):
        page.driver.execute_script("spoken.length = 0; Object.assign(fake, arguments[0])", verdicts)
        page.wait_for_readings(2)
        read_out(page)
        page.wait_until("spoken.length === 1")
        assert spoken(page)[0].endswith(f", {words}.")


def test_the_colour_is_said_again_and_again_until_that_is_switched_off_and_the_choice_is_remembered(listen):
    page = listen()
    read_out_every(page, 5)
    page.wait_until("spoken.length >= 3")
    page.driver.refresh()
    page.wait_until_complete()
    page.wait_until("spoken.length >= 2")
    read_out_every(page, 0)
    page.driver.execute_script("spoken.length = 0")
    page.wait_for_readings(5)
    assert spoken(page) == []


def test_without_a_voice_the_page_says_so_and_shows_the_words(listen):
    page = listen(has_voice=False)
    read_out(page)
    assert re.fullmatch(WORDS + r" This browser has no voice\.", page.element("toast").text)
    assert spoken(page) == []
