"""Words that readers have stumbled over do not come back."""

import re

import pytest
from Harness import api
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.slow

NEVER = [
    # Sentences that are not English, or that say nothing.
    r"token of this",
    r"worst doubt",
    r"has no sign",
    r"says nothing",
    # The same word twice, and figures that repeat each other.
    r"Sample Sample",
    r"\b(unsettled|fair|poor)\s+\1\b",
    r"\b(\d+)…\1\b",
    r"\bn 1\b",
    r"\bRead \d",
    # Fractions of the picture; and another word for the area that is read.
    r"\b0\.\d{3} × 0\.\d{3}",
    r"\b[Rr]egions?\b",
    # Words that the page explains nowhere, or has others for.
    r"\b(Nudge|Grayscale)\b",
    # Times of 12 hours, beside those of 24.
    r"\d [AP]M\b",
]

WORDS = """
const page = document.body.cloneNode(true);
// Lines of config.toml have the names of its keys.
for (const other of page.querySelectorAll("script, style, pre")) other.remove();
const labels = [...page.querySelectorAll("*")].flatMap((one) => ["aria-label", "title", "placeholder", "alt", "aria-valuetext"].map((name) => one.getAttribute(name)));
return [page.textContent, document.title, ...labels].filter(Boolean).join("\\n");
"""


def found(driver) -> list[str]:
    text = driver.execute_script(WORDS)
    return [match.group() for pattern in NEVER for match in re.finditer(pattern, text)]


@pytest.fixture
def american(driver):
    """A browser whose language writes 12-hour times."""
    driver.execute_cdp_cmd("Emulation.setLocaleOverride", {"locale": "en-US"})
    yield
    driver.execute_cdp_cmd("Emulation.setLocaleOverride", {})


def listed_marks(page) -> str:
    page.element("history-more").click()
    page.element("list-marks").click()
    text = page.element("mark-list").text
    page.element("close-marks").click()
    return text


def test_the_dashboard_has_none_of_them_while_everything_is_used(american, browse, start_server):
    server = start_server(config="[readings]\nrate = 10\n")
    api.request(f"{server.url}api/samples", "POST", {"name": "Sample 10", "readings": 1})
    page = browse(server)
    page.wait_until_complete()
    api.request(f"{server.url}api/settings", "PUT", {"region": [0.475, 0.322, 0.05, 0.067]})
    page.driver.execute_script("document.getElementById('sample-readings').value = 1")
    ActionChains(page.driver).send_keys("s").perform()
    page.wait_until("document.getElementById('sample-list').children.length === 2")
    words = set(found(page.driver))
    page.wait_for(lambda _: "32 × 32 px" in listed_marks(page), "the mark of the area")
    words |= set(found(page.driver))
    page.driver.execute_script("document.getElementById('history-plot').focus()")
    ActionChains(page.driver).send_keys(Keys.END).perform()
    page.wait_until("document.getElementById('history-values').textContent.includes('reading')")
    words |= set(found(page.driver))
    for tab in ("statistics", "controls", "effect", "about"):
        page.element(f"{tab}-tab").click()
        page.wait_for_readings(3)
        words |= set(found(page.driver))
    assert words == set()


# The white patch of the test pattern (docs/test-pattern.md).
WHITE = [0.07, 0.59, 0.06, 0.1]


def test_the_pages_that_measure_step_by_step_have_none_of_them(american, browse, start_server):
    server = start_server(config=f"[readings]\nrate = 30\nregion = {WHITE}\n")
    measured = api.request(f"{server.url}api/patches", "POST", {"areas": [WHITE], "readings": 16}).json["patches"][0]
    card = {"measured": measured, "luminance": 0.9}
    api.request(f"{server.url}api/calibration", "PUT", {"measurements": {"card": card}})
    api.request(f"{server.url}api/absorbance/blank", "PUT", {"readings": 16})
    page = browse(server)
    for path, shown in {
        "calibrate": "document.getElementById('task-state').textContent.includes('in force')",
        "absorbance": "document.getElementById('blank-state').textContent !== ''",
    }.items():
        page.driver.get(server.url + path)
        page.wait_until(shown)
        assert found(page.driver) == [], path


def test_no_other_page_has_any_of_them(american, browse, server):
    page = browse(server)
    for path in ("measuring", "kiosk", "test", "wrong-address"):
        page.driver.get(server.url + path)
        assert found(page.driver) == [], path
    # The last one is a page that does not exist.
    assert len(page.driver.execute_script("return [...document.links]")) == 1
