"""Samples on the page: taking, listing, renaming, deleting, comparing and exporting them."""

import json
import math
import re
import urllib.parse

import pytest
from Harness import api
from Harness.chromium import set_size
from Harness.geometry import legibility_problems
from Harness.waiting import wait_until
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.slow

HOSTILE = "<img src=x onerror='document.title=1'> \u202eevil"


# Patches of the test pattern.
ORANGE = [0.07, 0.27, 0.06, 0.1]
WHITE = [0.07, 0.7, 0.06, 0.08]
BLACK = [0.57, 0.7, 0.06, 0.08]


@pytest.fixture
def samples(browse, own_server):
    """The page with the tab of samples open."""
    page = browse(own_server)
    page.wait_until_complete()
    page.element("samples-tab").click()
    return page


def take(server, name, readings=1):
    return api.request(f"{server.url}api/samples", method="POST", body={"name": name, "readings": readings}).json


def stored(server):
    return [sample["name"] for sample in api.request(f"{server.url}api/samples").json["samples"]]


def names(page):
    return page.driver.execute_script(
        "return [...document.querySelectorAll('#sample-list .sample-name > :first-child')].map((name) => name.textContent)"
    )


def wait_until_shown(page, *wanted):
    page.wait_for(lambda _: names(page) == list(wanted), f"the samples {wanted}")


def labelled(page, label):
    return page.driver.find_element(By.CSS_SELECTOR, f"[aria-label='{label}']")


def press(page, label):
    """Scrolls to a button, as a person does, and presses it."""
    button = labelled(page, label)
    page.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", button)
    button.click()


def focused(page):
    return page.driver.switch_to.active_element


def in_menu(page, name, entry):
    """Chooses an entry in the menu of the sample of this name."""
    labelled(page, f"More about {name}").click()
    page.element(entry).click()


def enter_name(page, name):
    page.element("samples-more").click()
    page.element("sample-name").send_keys(name)


def set_readings(page, count):
    page.driver.execute_script("document.getElementById('sample-readings').value = arguments[0]", count)


def show(server, region):
    """Makes the server read this region."""
    api.request(f"{server.url}api/settings", "PUT", {"region": region})
    wait_until(server.reading, "the region is not read", holds=lambda reading: reading["region"] == region)


REFUSED_ONCE = """
window.asked = [];
const ask = fetch;
window.fetch = (address, options) => address !== "api/samples" || window.asked.push(performance.now()) > 1
  ? ask(address, options) : Promise.resolve(Response.json({ error: { message: "Wait" } }, { status: 503, headers: { "Retry-After": "1" } }));
"""


def test_a_page_that_is_asked_to_wait_requests_the_samples_once_more_after_that_time(browse, own_server):
    take(own_server, "Leaf")
    page = browse(own_server, REFUSED_ONCE)
    page.wait_until_complete()
    page.element("samples-tab").click()
    wait_until_shown(page, "Leaf")
    first, second = page.driver.execute_script("return window.asked")
    assert second - first >= 1000


def test_a_sample_has_the_name_and_the_readings_that_were_entered_and_what_is_typed_meanwhile_stays(
    samples, own_server
):
    enter_name(samples, "Leaf")
    set_readings(samples, 3)
    samples.element("sample-name").send_keys(Keys.ENTER)
    wait_until_shown(samples, "Leaf")
    assert [sample["readings"] for sample in api.get_json(f"{own_server.url}api/samples")["samples"]] == [3]
    samples.wait_until("document.getElementById('sample-name').value === ''")
    enter_name(samples, "Petal")
    set_readings(samples, 60)
    samples.element("sample-name").send_keys(Keys.ENTER)
    samples.wait_until("document.getElementById('sample').textContent.endsWith('of 60')")
    samples.driver.execute_script("document.getElementById('sample-name').value = 'Stem'")
    wait_until_shown(samples, "Petal", "Leaf")
    samples.wait_until("document.getElementById('sample').textContent === 'Save sample'")
    assert samples.element("sample-name").get_attribute("value") == "Stem"


def test_the_button_takes_a_sample_which_can_be_named_at_once_on_any_tab_by_the_message_or_the_key_n(
    samples, own_server
):
    def take_on_another_tab():
        samples.element("effect-tab").click()
        samples.element("sample").click()
        samples.wait_until("document.getElementById('toast').textContent.startsWith('Sample ')")

    def enter_the_name(name):
        samples.wait_until("document.activeElement.value?.startsWith('Sample ')")
        focused(samples).send_keys(name, Keys.ENTER)

    set_readings(samples, 1)
    take_on_another_tab()
    [sample] = api.get_json(f"{own_server.url}api/samples")["samples"]
    assert samples.snapshot()["toast"] == f"{sample['name']}: {sample['hex']}"
    assert samples.element("undo").text == "Rename"
    samples.element("undo").click()
    enter_the_name("Petal")
    wait_until_stored(own_server, "Petal")
    take_on_another_tab()
    ActionChains(samples.driver).send_keys("n").perform()
    enter_the_name("Leaf")
    wait_until_shown(samples, "Leaf", "Petal")
    wait_until_stored(own_server, "Petal", "Leaf")


def test_the_key_n_names_the_newest_sample_that_is_listed(samples, own_server):
    for name in ("Leaf", "Petal"):
        take(own_server, name)
    wait_until_shown(samples, "Petal", "Leaf")
    ActionChains(samples.driver).send_keys("n").perform()
    assert focused(samples).get_property("value") == "Petal"


def test_while_a_colour_is_held_the_button_says_and_takes_a_sample_of_the_live_one(samples, own_server):
    set_readings(samples, 1)
    samples.element("hold").click()
    samples.wait_until("document.getElementById('compare-hint').textContent.includes('Only samples are kept')")
    held = samples.element("hex").text
    show(own_server, ORANGE)
    assert samples.element("sample").text == "Save live sample"
    samples.element("sample").click()
    samples.wait_for(lambda _: len(names(samples)) == 1, "a sample")
    [sample] = api.request(f"{own_server.url}api/samples").json["samples"]
    assert sample["region"] == ORANGE
    assert samples.element("hex").text == held != sample["hex"]
    samples.element("hold").click()
    samples.wait_until("document.getElementById('sample').textContent === 'Save sample'")


def test_the_key_s_takes_a_sample_a_click_cancels_it_and_a_number_out_of_range_is_not_sent(samples, own_server):
    set_readings(samples, 256)
    ActionChains(samples.driver).send_keys("s").perform()
    samples.wait_until("document.getElementById('sample').textContent.endsWith('of 256')")
    samples.element("sample").click()
    samples.wait_until("document.getElementById('toast').textContent === 'The sample was cancelled'")
    for count in ("257", "0", "", "1.5"):
        set_readings(samples, count)
        samples.driver.execute_script("document.getElementById('sample').click()")
        assert samples.element("sample").text == "Save sample"
        # The browser explains it at the field, which the menu then shows.
        assert focused(samples).get_attribute("id") == "sample-readings"
    assert stored(own_server) == []


def test_samples_of_other_clients_are_listed_with_hex_error_time_and_colour_the_newest_first_and_exported(
    samples, own_server
):
    hostile = take(own_server, HOSTILE)["name"]
    sample = take(own_server, "Leaf", readings=16)
    wait_until_shown(samples, "Leaf", hostile)
    assert samples.driver.find_elements(By.CSS_SELECTOR, "#sample-list img") == []
    row = samples.driver.find_element(By.CSS_SELECTOR, "#sample-list .sample")
    assert row.find_element(By.CLASS_NAME, "hex-cell").text == sample["hex"]
    assert row.find_element(By.CLASS_NAME, "error").text == f"{sample['standardError']['deltaE']:.2f}"
    assert re.fullmatch(r"\d\d:\d\d:\d\d", row.find_element(By.CLASS_NAME, "taken").text)
    assert row.find_element(By.CSS_SELECTOR, ".chip rect").get_attribute("fill") == sample["hex"]
    samples.element("export").click()
    links = samples.element("export-menu").find_elements(By.CSS_SELECTOR, "a[href*='samples.']")
    assert [link.is_displayed() for link in links] == [True] * 6
    assert [link.get_attribute("href") for link in links] == [
        f"{own_server.url}samples.{ending}" for ending in ("csv", "json", "gpl", "ase", "aco", "txt")
    ]


def test_a_sample_that_was_taken_while_the_colour_was_changing_is_marked(samples, own_server):
    # The lamp of the test pattern changes all the time, so that a reading is not steady once there are enough of them.
    wait_until(own_server.reading, "the colour is steady", holds=lambda reading: reading["settled"] is False)
    taken = take(own_server, "Leaf", readings=16)
    assert "unsettled" in [flag["code"] for flag in taken["quality"]["flags"]]
    wait_until_shown(samples, "Leaf")
    remark = samples.driver.find_element(By.CSS_SELECTOR, "#sample-list .sample .remark-cell")
    assert remark.text == "not steady"
    in_menu(samples, "Leaf", "rename-sample")
    assert remark.is_displayed(), "the row changes its height while the name is edited"
    set_size(samples.driver, 390, 844)
    assert focused(samples).rect["width"] > 100


def test_the_error_of_the_live_colour_is_shown_once_its_noise_is_known(full_page):
    page = full_page(hex="#123456", noise=None)
    page.element("samples-tab").click()
    error = "return document.querySelector('#samples-panel td.error').textContent"
    page.wait_for_readings(2)
    assert page.driver.execute_script(error) == ""
    page.driver.execute_script("fake.noise = { r: 0, g: 0, b: 0, deltaE: 0.21 }")
    page.wait_for(lambda _: page.driver.execute_script(error) == "0.21", "the error")


def test_the_columns_keep_their_places_and_the_names_stand_on_the_line_of_the_other_figures(samples, own_server):
    places = """return [...document.querySelectorAll("#samples-panel th")].map((one) => Math.round(one.getBoundingClientRect().x));"""
    long = "A name that is long enough to need more than one line in its column"
    samples.wait_for_readings(1)
    before = samples.driver.execute_script(places)
    take(own_server, "Leaf", readings=2)
    wait_until_shown(samples, "Leaf")
    for width in (390, 1280):
        set_size(samples.driver, width, 844)
        middles = samples.driver.execute_script("""
          const middle = (element) => (({ top, bottom }) => (top + bottom) / 2)(element.getBoundingClientRect());
          const rows = document.querySelectorAll("#samples-panel .sample:not([hidden])");
          return [...rows].map((row) => middle(row.querySelector(".name-cell > :first-child")) - middle(row));
        """)
        assert all(abs(distance) <= 2 for distance in middles), middles
    set_size(samples.driver, 1280, 800)
    take(own_server, long, readings=16)
    wait_until_shown(samples, long, "Leaf")
    assert samples.driver.execute_script(places) == before


def test_a_sample_is_renamed_in_its_menu_or_by_a_click_on_its_name_unless_escape_is_pressed_or_the_name_refused(
    samples, own_server
):
    take(own_server, "Leaf")
    wait_until_shown(samples, "Leaf")
    in_menu(samples, "Leaf", "rename-sample")
    focused(samples).send_keys("Petal", Keys.ESCAPE)
    assert names(samples) == ["Leaf"]
    assert focused(samples).get_attribute("aria-label") == "More about Leaf"
    in_menu(samples, "Leaf", "rename-sample")
    focused(samples).send_keys("x" * 101, Keys.ENTER)
    samples.wait_until("document.getElementById('toast').textContent.includes('at most 100 characters')")
    assert names(samples) == ["Leaf"]
    assert stored(own_server) == ["Leaf"]
    in_menu(samples, "Leaf", "rename-sample")
    focused(samples).send_keys("Petal", Keys.ENTER)
    wait_until_shown(samples, "Petal")
    samples.driver.find_element(By.XPATH, "//*[text()='Petal']").click()
    assert focused(samples).accessible_name == "Name of the sample"
    focused(samples).send_keys("Stem", Keys.ENTER)
    wait_until_shown(samples, "Stem")
    wait_until_stored(own_server, "Stem")


def test_a_sample_is_named_although_the_list_is_loaded_anew_meanwhile(browse, own_server):
    page = browse(
        own_server,
        """
      const ask = fetch;
      let answers = [];
      window.fetch = async (address, options) => {
        const response = await ask(address, options);
        if (address !== "api/samples" || options?.method !== "GET" || !window.isSlow) return response;
        return new Promise((resolve) => answers.push(() => resolve(response)));
      };
      window.answer = (index) => answers.splice(index, 1)[0]();
      window.asked = () => answers.length;
    """,
    )
    page.wait_until_complete()
    set_readings(page, 1)
    page.driver.execute_script("isSlow = true; document.getElementById('sample').click()")
    page.wait_until("document.getElementById('undo').textContent === 'Rename' && asked() >= 1")
    page.element("undo").click()
    page.wait_until("asked() >= 2")
    # The older request is answered last.
    page.driver.execute_script("answer(1); answer(0); isSlow = false")
    page.wait_until("document.activeElement.value?.startsWith('Sample ')")


# The time for which the page offers to undo a deletion passes when a test says so.
OFFER = """
window.due = new Map();
const [setTimer, clearTimer] = [setTimeout, clearTimeout];
window.setTimeout = (job, delay, ...rest) => {
  const timer = setTimer(delay === 24_000 ? () => {} : job, delay, ...rest);
  if (delay === 24_000) due.set(timer, job);
  return timer;
};
window.clearTimeout = (timer) => {
  due.delete(timer);
  clearTimer(timer);
};
window.passOfferTime = () => {
  const jobs = [...due.values()];
  due.clear();
  for (const job of jobs) job();
};
"""


@pytest.fixture
def two_samples(browse, own_server):
    """The page with the samples Petal and Leaf, whose offers to undo a deletion last until `passOfferTime()` is called."""
    for name in ("Leaf", "Petal"):
        take(own_server, name)
    page = browse(own_server, OFFER)
    page.wait_until_complete()
    wait_until_shown(page, "Petal", "Leaf")
    return page


def wait_until_stored(server, *wanted):
    wait_until(
        lambda: stored(server), f"the server has other samples than {wanted}", holds=lambda now: now == [*wanted]
    )


def test_a_deleted_sample_leaves_the_list_at_once_and_the_server_once_that_can_no_longer_be_undone(
    two_samples, own_server
):
    in_menu(two_samples, "Leaf", "delete-sample")
    message = two_samples.element("toast")
    assert (message.aria_role, message.text) == ("status", "“Leaf” deleted")
    assert names(two_samples) == ["Petal"]
    assert focused(two_samples).get_attribute("aria-label") == "More about Petal"
    assert stored(own_server) == ["Leaf", "Petal"]

    def is_notice_visible(after=""):
        return two_samples.driver.execute_script(f"""
          {after}
          const line = document.getElementById("notice-line");
          line.hidden = false;
          return line.checkVisibility({{ checkVisibilityCSS: true }});
        """)

    # No notice takes the place of a button that may be about to be pressed.
    assert not is_notice_visible(after="passOfferTime();")
    wait_until_stored(own_server, "Petal")
    assert not two_samples.element("undo").is_displayed()
    wait_until(is_notice_visible, "the notice stays hidden")
    two_samples.wait_for_readings(3)
    assert names(two_samples) == ["Petal"]
    in_menu(two_samples, "Petal", "delete-sample")
    assert names(two_samples) == []
    assert focused(two_samples).get_attribute("id") == "samples-tab"
    # A deletion is sent when the page is left.
    two_samples.driver.get("about:blank")
    wait_until_stored(own_server)


SEEN = """
const { top, bottom } = document.getElementById(arguments[0]).getBoundingClientRect();
const limit = document.querySelector(".actions").getBoundingClientRect().top;
return top >= 0 && bottom <= (limit > 0 ? limit : innerHeight);
"""


@pytest.mark.parametrize(("width", "height"), [(800, 480), (390, 844)])
def test_what_answers_a_press_is_in_sight_wherever_the_page_is_scrolled(two_samples, width, height):
    set_size(two_samples.driver, width, height)
    press(two_samples, "Compare Petal")
    press(two_samples, "Compare Leaf")
    two_samples.wait_for(lambda _: two_samples.driver.execute_script(SEEN, "dock"), "the comparison")
    press(two_samples, "Compare Live")
    two_samples.wait_for(lambda _: two_samples.driver.execute_script(SEEN, "dock"), "another comparison")
    press(two_samples, "More about Leaf")
    two_samples.element("delete-sample").click()
    assert two_samples.driver.execute_script(SEEN, "toast-box"), "the message is out of sight"


def test_a_comparison_is_in_sight_however_many_lines_its_answer_needs(two_samples):
    two_samples.driver.execute_script("""
      const ask = fetch;
      window.fetch = async (path, options) => {
        const answer = await ask(path, options);
        if (!String(path).startsWith("api/difference")) return answer;
        const difference = await answer.json();
        difference.parts.lightness = 1;
        difference.words.lightness = "much ".repeat(30) + "lighter";
        return new Response(JSON.stringify(difference), { headers: { "Content-Type": "application/json" } });
      };
    """)
    set_size(two_samples.driver, 390, 844)
    press(two_samples, "Compare Petal")
    press(two_samples, "Compare Leaf")
    two_samples.wait_until("document.getElementById('lightness-words').textContent.includes('much much')")
    assert two_samples.driver.execute_script(SEEN, "dock")


def test_a_third_tick_leaves_the_offer_to_undo_a_deletion(samples, patches, own_server):
    take(own_server, "Leaf")
    take(own_server, "Petal")
    wait_until_shown(samples, "Petal", "Leaf", "Black", "White")
    in_menu(samples, "Petal", "delete-sample")
    compare(samples, "White", "Black", "Leaf")
    wait_for_comparison(samples, "Black", "Leaf")
    assert samples.element("undo").is_displayed() and samples.element("undo").text == "Undo"


def test_the_offer_to_rename_stays_as_long_as_one_to_undo(browse, own_server):
    page = browse(
        own_server,
        "window.delays = []; const timeout = setTimeout; "
        "window.setTimeout = (job, delay, ...rest) => { delays.push(delay); return timeout(job, delay, ...rest); };",
    )
    page.wait_for_readings(2)
    page.element("samples-tab").click()
    set_readings(page, 1)
    page.element("sample").click()
    page.wait_until("document.getElementById('undo').textContent === 'Rename'")
    assert page.driver.execute_script("return delays.includes(24000)")


def test_a_deletion_can_be_undone_while_the_button_has_the_focus_until_another_message_takes_its_place(
    two_samples, own_server
):
    in_menu(two_samples, "Leaf", "delete-sample")
    two_samples.driver.execute_script("document.getElementById('undo').focus(); passOfferTime()")
    assert stored(own_server) == ["Leaf", "Petal"]
    two_samples.element("undo").send_keys(Keys.ENTER)
    assert names(two_samples) == ["Petal", "Leaf"]
    assert focused(two_samples).get_attribute("aria-label") == "More about Leaf"
    two_samples.driver.execute_script("passOfferTime()")
    in_menu(two_samples, "Petal", "delete-sample")
    in_menu(two_samples, "Leaf", "copy-sample")
    # The deletion that was undone has not been sent.
    wait_until_stored(own_server, "Leaf")


def test_a_sample_that_could_not_be_deleted_returns_to_the_list_with_the_reason(two_samples, own_server):
    two_samples.driver.execute_script("""
      const send = fetch;
      window.fetch = (address, options) => options?.method !== "DELETE" ? send(address, options)
        : Promise.resolve(Response.json({ error: { message: "The disk is full." } }, { status: 503 }));
    """)
    in_menu(two_samples, "Leaf", "delete-sample")
    two_samples.driver.execute_script("passOfferTime()")
    wait_until_shown(two_samples, "Petal", "Leaf")
    assert two_samples.element("toast").text == "The disk is full."


# Comparing two


@pytest.fixture
def patches(samples, own_server):
    """The page with a sample of white and one of black, which have standard errors."""
    taken = []
    for name, region in (("White", WHITE), ("Black", BLACK)):
        show(own_server, region)
        taken.append(take(own_server, name, readings=16))
    wait_until_shown(samples, "Black", "White")
    return taken


def compare(page, *rows):
    for name in rows:
        labelled(page, f"Compare {name}").click()


def compared(page):
    """What the page says of the difference; None while it compares nothing."""
    return page.driver.execute_script("""
      const text = (id) => document.getElementById(id).textContent;
      const fill = (id) => document.getElementById(id).getAttribute("fill");
      if (!document.getElementById("dock").checkVisibility()) return null;
      return { names: [text("first-name"), text("second-name")], fills: [fill("first-color"), fill("second-color")],
        delta: text("compared-delta"), words: ["lightness", "chroma", "hue"].map((kind) => text(`${kind}-words`)) };
    """)


def wait_for_comparison(page, *rows):
    return wait_until(
        lambda: compared(page),
        f"no comparison of {rows}",
        holds=lambda shown: shown and shown["names"] == [*rows] and shown["delta"],
    )


def test_two_samples_are_compared_by_ciede2000_with_its_uncertainty_and_in_words_on_their_tab(
    samples, patches, own_server
):
    white, black = patches
    assert compared(samples) is None
    set_size(samples.driver, 1280, 800)
    compare(samples, "White", "Black")
    shown = wait_for_comparison(samples, "White", "Black")
    assert shown["fills"] == [white["hex"], black["hex"]]
    colors = [f"lab({lab['l']} {lab['a']} {lab['b']})" for lab in (white["lab"], black["lab"])]
    query = urllib.parse.urlencode({"from": colors[0], "to": colors[1]})
    difference = api.get_json(f"{own_server.url}api/difference?{query}")["deltaE00"]
    error = math.hypot(*(sample["standardError"]["deltaE"] for sample in patches))
    assert shown["delta"] == f"{difference:.1f} ± {error:.1f}"
    assert shown["words"][0] == "Black is darker"
    # The list shows both.
    bottoms = samples.driver.execute_script("""
      const bottom = (element) => element.getBoundingClientRect().bottom;
      const panel = document.getElementById("samples-panel");
      return [...panel.querySelectorAll("#sample-list .sample")].map((row) => bottom(panel) - bottom(row));
    """)
    assert len(bottoms) == 2 and min(bottoms) >= 0
    samples.element("statistics-tab").click()
    assert compared(samples) is None
    samples.element("samples-tab").click()
    wait_for_comparison(samples, "White", "Black")
    samples.element("clear-comparison").click()
    assert compared(samples) is None
    assert not labelled(samples, "Compare White").is_selected()
    compare(samples, "White", "Black")
    wait_for_comparison(samples, "White", "Black")
    in_menu(samples, "White", "delete-sample")
    assert compared(samples) is None


@pytest.mark.parametrize(
    "name",
    ["Reference panel of the blue delivery van, second coat, after three weeks of sun (batch 2026-11) 1234", "W" * 100],
)
def test_a_comparison_with_the_longest_name_leaves_the_list_and_the_buttons_their_places(browse, own_server, name):
    page = browse(own_server, INVENTED % json.dumps([invented(1, "Leaf", 30), invented(2, name, 150, -115.7)]))
    page.wait_until_complete()
    set_size(page.driver, 1280, 800)
    wait_until_shown(page, name, "Leaf")
    compare(page, "Leaf", name)
    page.wait_until("document.getElementById('hue-words').textContent.startsWith('the right one is')")
    assert page.element("second-name").get_attribute("title") == name
    panel, dock, hold = (page.element(one).rect for one in ("samples-panel", "dock", "hold"))
    assert panel["height"] >= 120 and dock["height"] <= 140 and hold["y"] >= 0
    assert page.driver.execute_script("return document.documentElement.scrollHeight <= innerHeight")
    # A name without any space has to break.
    problems = legibility_problems(page.driver)
    assert [one for one in problems if not one.startswith("p#second-name breaks")] == []


def test_live_and_held_colours_are_compared_and_a_third_colour_takes_the_place_of_the_first(
    samples, patches, own_server
):
    compare(samples, "White", "Black")
    wait_for_comparison(samples, "White", "Black")
    compare(samples, "Live")
    wait_for_comparison(samples, "Black", "Live")
    assert not labelled(samples, "Compare White").is_selected()
    assert samples.snapshot()["toast"] == "Two at a time: White is no longer compared"
    compare(samples, "Black", "White")
    wait_for_comparison(samples, "Live", "White")
    samples.wait_for(lambda _: compared(samples)["words"][0] == "White is lighter", "that white is lighter")
    samples.element("hold").click()
    show(own_server, WHITE)
    # The comparison of the live colour follows it.
    samples.wait_for(lambda _: float(compared(samples)["delta"].split()[0]) < 5, "the difference of the live colour")
    compare(samples, "White", "Held")
    wait_for_comparison(samples, "Live", "Held")
    samples.wait_for(lambda _: compared(samples)["words"][0] == "Held is darker", "that the held colour is darker")
    samples.element("hold").click()
    samples.wait_for(lambda _: compared(samples) is None, "nothing compared")


INVENTED = """
const ask = fetch;
window.fetch = (address, options) => address === "api/samples" ? Promise.resolve(Response.json({ samples: %s, problem: null })) : ask(address, options);
"""


def invented(number, name, hue, chroma=40, flags=()):
    lab = {"l": 50, "a": chroma * math.cos(math.radians(hue)), "b": chroma * math.sin(math.radians(hue))}
    return {
        "id": number, "name": name, "hex": "#808080", "lab": lab, "time": "2026-11-20T12:00:00.000Z",
        "quality": {"grade": "fair", "flags": [{"code": code, "message": ""} for code in flags]},
    }  # fmt: skip


def test_words_say_how_far_a_difference_can_be_seen_where_it_leads_and_what_changed_while_it_was_taken(
    browse, own_server
):
    others = {
        "Hue": (invented(2, "Hue", 60), "a different colour", "Hue is yellower", "Leaf was"),
        "Hardly": (invented(3, "Hardly", 30, 41), "hardly visible", "Hardly is more vivid", "Leaf was"),
        "Visible": (invented(4, "Visible", 30, 50, ["unsettled"]), "visible", "Visible is more vivid", "Both were"),
        "Plainly": (invented(5, "Plainly", 30, 62, ["dark"]), "plainly visible", "Plainly is more vivid", "Leaf was"),
        "Grey": (invented(6, "Grey", 30, 5), "a different colour", "Grey is duller", "Leaf was"),
    }
    listed = [invented(1, "Leaf", 30, flags=["unsettled"]), *(sample for sample, *_ in others.values())]
    page = browse(own_server, INVENTED % json.dumps(listed))
    page.wait_until_complete()
    wait_until_shown(page, *[sample["name"] for sample in reversed(listed)])
    for name, (_, seen, leads, changed) in others.items():
        compare(page, "Leaf", name)
        wait_for_comparison(page, "Leaf", name)
        page.wait_for(lambda _, leads=leads: leads in compared(page)["words"], leads)
        assert page.element("compared-words").text == seen, name
        page.wait_until(f"document.getElementById('compared-change').textContent.startsWith('{changed} taken while')")
        page.element("clear-comparison").click()
    compare(page, "Hue", "Plainly")
    wait_for_comparison(page, "Hue", "Plainly")
    page.wait_until("document.getElementById('compared-change').textContent === ''")


# Long lists


def listing(samples, problem=None) -> str:
    """JavaScript that answers the page's requests for samples with these."""
    document = json.dumps({"samples": samples, "problem": problem})
    return f"""
      const fetchFromServer = fetch;
      window.fetch = (path, options) => path !== "api/samples" ? fetchFromServer(path, options)
        : Promise.resolve({{ ok: true, status: 200, json: async () => ({document}) }});
    """


@pytest.fixture
def many_samples(browse, own_server):
    """Opens the tab with this many samples, named by their numbers."""

    def open_tab(count):
        sample = take(own_server, "First")
        page = browse(own_server, before=listing([sample | {"id": n, "name": str(n)} for n in range(1, count + 1)]))
        page.wait_until_complete()
        page.element("samples-tab").click()
        page.wait_until("document.querySelector('#sample-list .sample')")
        return page

    return open_tab


def test_of_many_samples_the_newest_60_are_listed_until_more_are_wanted(many_samples):
    page = many_samples(125)
    assert names(page) == [str(n) for n in range(125, 65, -1)]
    assert page.element("more-samples").text == "Show 60 more of 125"
    page.element("more-samples").send_keys(Keys.ENTER)
    assert names(page) == [str(n) for n in range(125, 5, -1)]
    # The focus moves to those that were added.
    assert focused(page).get_attribute("aria-label") == "More about 65"
    assert page.element("more-samples").text == "Show 5 more of 125"
    page.element("more-samples").click()
    assert names(page) == [str(n) for n in range(125, 0, -1)]
    assert not page.element("more-samples").is_displayed()


def test_sixty_samples_are_listed_without_a_button_for_more(many_samples):
    page = many_samples(60)
    assert len(names(page)) == 60
    assert not page.element("more-samples").is_displayed()


def test_the_page_warns_that_samples_which_cannot_be_stored_will_be_lost(browse, own_server):
    problem = "Samples will be lost when Swatchcam stops; export them first."
    page = browse(own_server, before=listing([], problem))
    page.wait_until_complete()
    page.element("samples-tab").click()
    page.wait_until("document.getElementById('samples-problem').textContent !== ''")
    assert page.element("samples-problem").text == problem
