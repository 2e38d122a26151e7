"""Samples on the page: taking, listing, renaming, deleting and exporting them."""

import json

import pytest
from Harness import api
from Harness.cases import sampled
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

HOSTILE = "<img src=x onerror='document.title=1'> \u202eevil"


@pytest.fixture
def own_server(start_server):
    """A server whose samples no other test sees."""
    return start_server(config="[readings]\nrate = 20\n")


@pytest.fixture
def samples(browse, own_server):
    """The page with the tab of samples open."""
    page = browse(own_server)
    page.wait_until("'complete' in document.getElementById('dashboard').dataset")
    page.element("samples-tab").click()
    return page


def take(server, name):
    return api.request(f"{server.url}api/samples", method="POST", body={"name": name, "readings": 1}).json


def stored(server):
    return [sample["name"] for sample in api.request(f"{server.url}api/samples").json["samples"]]


def names(page):
    return page.driver.execute_script(
        "return [...document.querySelectorAll('.sample-name')].map((name) => name.textContent)"
    )


def wait_until_shown(page, *wanted):
    page.wait_for(lambda _: names(page) == list(wanted), f"the samples {wanted}")


def click(page, label):
    page.driver.find_element(By.CSS_SELECTOR, f"[aria-label='{label}']").click()


def set_readings(page, count):
    page.driver.execute_script("document.getElementById('sample-readings').value = arguments[0]", count)


REFUSED_ONCE = """
window.asked = [];
const ask = fetch;
window.fetch = (address, options) => address !== "/api/samples" || window.asked.push(performance.now()) > 1
  ? ask(address, options) : Promise.resolve(Response.json({ error: { message: "Wait" } }, { status: 503, headers: { "Retry-After": "1" } }));
"""


def test_a_page_that_is_asked_to_wait_requests_the_samples_once_more_after_that_time(browse, own_server):
    take(own_server, "Leaf")
    page = browse(own_server, REFUSED_ONCE)
    page.wait_until("'complete' in document.getElementById('dashboard').dataset")
    page.element("samples-tab").click()
    wait_until_shown(page, "Leaf")
    first, second = page.driver.execute_script("return window.asked")
    assert second - first >= 1000


def test_a_sample_taken_on_the_page_has_the_name_and_the_readings_that_were_entered(samples, own_server):
    samples.element("sample-name").send_keys("Leaf")
    set_readings(samples, 3)
    samples.element("sample-form").submit()
    wait_until_shown(samples, "Leaf")
    [sample] = api.request(f"{own_server.url}api/samples").json["samples"]
    assert sample["readings"] == 3
    samples.wait_until("document.getElementById('sample-name').value === ''")


def test_a_name_that_is_entered_while_a_sample_is_taken_stays_for_the_next(samples):
    samples.element("sample-name").send_keys("Leaf")
    set_readings(samples, 10)
    samples.element("sample").click()
    samples.wait_until("document.getElementById('sample').textContent.endsWith('of 10')")
    samples.driver.execute_script("document.getElementById('sample-name').value = 'Stem'")
    wait_until_shown(samples, "Leaf")
    samples.wait_until("document.getElementById('sample').textContent === 'Sample'")
    assert samples.element("sample-name").get_attribute("value") == "Stem"


def test_the_button_takes_a_sample_and_says_its_colour(samples, own_server):
    set_readings(samples, 1)
    samples.element("sample").click()
    wait_until_shown(samples, "Sample 1")
    [sample] = api.request(f"{own_server.url}api/samples").json["samples"]
    assert samples.wait_for(lambda shown: shown["toast"], "a message")["toast"] == f"Sample Sample 1: {sample['hex']}"


def test_the_key_s_takes_a_sample_while_the_instrument_has_the_focus(samples):
    set_readings(samples, 1)
    samples.element("instrument").send_keys("s")
    wait_until_shown(samples, "Sample 1")


def test_a_second_click_cancels_the_sample(samples, own_server):
    set_readings(samples, 256)
    samples.element("sample").click()
    samples.wait_until("document.getElementById('sample').textContent.endsWith('of 256')")
    samples.element("sample").click()
    samples.wait_until("document.getElementById('toast').textContent === 'The sample was cancelled'")
    assert samples.element("sample").text == "Sample"
    assert stored(own_server) == []


@pytest.mark.parametrize("count", sampled(["257", "0", "", "1.5"]))
def test_a_number_of_readings_that_is_out_of_range_is_not_sent(samples, own_server, count):
    set_readings(samples, count)
    samples.element("sample").click()
    assert samples.element("sample").text == "Sample"
    assert stored(own_server) == []


def test_samples_of_other_clients_appear_with_the_newest_first(samples, own_server):
    take(own_server, "First")
    take(own_server, "Second")
    wait_until_shown(samples, "Second", "First")


def test_a_sample_shows_its_hex_its_grade_and_its_colour(samples, own_server):
    sample = take(own_server, "Leaf")
    wait_until_shown(samples, "Leaf")
    figures = samples.driver.find_element(By.CLASS_NAME, "sample-figures").text
    assert figures.startswith(f"{sample['hex']} · 1 reading · {sample['quality']['grade']} · ")
    chip = samples.driver.find_element(By.CSS_SELECTOR, ".sample-chip rect")
    assert chip.get_attribute("fill") == sample["hex"]


def test_a_sample_is_renamed_with_enter(samples, own_server):
    take(own_server, "Leaf")
    wait_until_shown(samples, "Leaf")
    click(samples, "Rename Leaf")
    samples.driver.switch_to.active_element.send_keys("Petal", Keys.ENTER)
    wait_until_shown(samples, "Petal")
    assert stored(own_server) == ["Petal"]


def test_escape_keeps_the_name(samples, own_server):
    take(own_server, "Leaf")
    wait_until_shown(samples, "Leaf")
    click(samples, "Rename Leaf")
    samples.driver.switch_to.active_element.send_keys("Petal", Keys.ESCAPE)
    assert names(samples) == ["Leaf"]
    assert samples.driver.switch_to.active_element.get_attribute("aria-label") == "Rename Leaf"
    assert stored(own_server) == ["Leaf"]


def test_a_sample_is_deleted_by_the_second_click(samples, own_server):
    take(own_server, "Leaf")
    take(own_server, "Petal")
    wait_until_shown(samples, "Petal", "Leaf")
    click(samples, "Delete Leaf")
    assert stored(own_server) == ["Leaf", "Petal"]
    click(samples, "Really delete Leaf")
    wait_until_shown(samples, "Petal")
    assert stored(own_server) == ["Petal"]


def test_a_refused_name_is_explained_and_the_old_one_stays(samples, own_server):
    take(own_server, "Leaf")
    wait_until_shown(samples, "Leaf")
    click(samples, "Rename Leaf")
    samples.driver.switch_to.active_element.send_keys("x" * 101, Keys.ENTER)
    samples.wait_until("document.getElementById('toast').textContent.includes('at most 100 characters')")
    assert names(samples) == ["Leaf"]


def test_markup_in_a_name_is_text(samples, own_server):
    name = take(own_server, HOSTILE)["name"]
    wait_until_shown(samples, name)
    assert samples.driver.find_elements(By.CSS_SELECTOR, "#sample-list img") == []


def test_the_exports_appear_with_the_first_sample(samples, own_server):
    assert not samples.element("sample-links").is_displayed()
    take(own_server, "Leaf")
    wait_until_shown(samples, "Leaf")
    links = [link.get_attribute("href") for link in samples.element("sample-links").find_elements(By.TAG_NAME, "a")]
    assert links == [f"{own_server.url}samples.{ending}" for ending in ("csv", "json", "gpl")]


def listing(samples, problem=None) -> str:
    """JavaScript that answers the page's requests for samples with these."""
    document = json.dumps({"samples": samples, "problem": problem})
    return f"""
      const fetchFromServer = fetch;
      window.fetch = (path, options) => path !== "/api/samples" ? fetchFromServer(path, options)
        : Promise.resolve({{ ok: true, status: 200, json: async () => ({document}) }});
    """


@pytest.fixture
def many_samples(browse, own_server):
    """Opens the tab with this many samples, named by their numbers."""

    def open_tab(count):
        sample = take(own_server, "First")
        page = browse(own_server, before=listing([sample | {"id": n, "name": str(n)} for n in range(1, count + 1)]))
        page.wait_until("'complete' in document.getElementById('dashboard').dataset")
        page.element("samples-tab").click()
        page.wait_until("document.querySelector('.sample')")
        return page

    return open_tab


def test_of_many_samples_the_newest_60_are_listed_until_more_are_wanted(many_samples):
    page = many_samples(125)
    assert names(page) == [str(n) for n in range(125, 65, -1)]
    assert page.element("more-samples").text == "Show 60 more of 125"
    page.element("more-samples").click()
    assert names(page) == [str(n) for n in range(125, 5, -1)]
    assert page.element("more-samples").text == "Show 5 more of 125"
    page.element("more-samples").click()
    assert names(page) == [str(n) for n in range(125, 0, -1)]
    assert not page.element("more-samples").is_displayed()


def test_sixty_samples_are_listed_without_a_button_for_more(many_samples):
    page = many_samples(60)
    assert len(names(page)) == 60
    assert not page.element("more-samples").is_displayed()


def test_the_focus_moves_to_the_samples_that_were_added(many_samples):
    page = many_samples(61)
    page.element("more-samples").send_keys(Keys.ENTER)
    assert page.driver.switch_to.active_element.get_attribute("aria-label") == "Copy 1"


def test_the_page_warns_that_samples_which_cannot_be_stored_will_be_lost(browse, own_server):
    problem = "Samples will be lost when Swatchcam stops; export them first."
    page = browse(own_server, before=listing([], problem))
    page.wait_until("'complete' in document.getElementById('dashboard').dataset")
    page.element("samples-tab").click()
    page.wait_until("document.getElementById('samples-problem').textContent !== ''")
    assert page.element("samples-problem").text == problem
