"""The dashboard as an instrument: hold, notations, the name of the colour, the tab, reading out, shortcuts, selection."""

import io
import itertools
import re

import pytest
from Harness.api import get_json, request
from Harness.cases import sampled
from Harness.chromium import set_color_scheme, set_size
from Harness.waiting import wait_until
from PIL import Image
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

pytestmark = pytest.mark.slow


@pytest.fixture
def own_page(browse, start_server):
    """The page of a server that the test may change or stop, which is its attribute."""
    server = start_server(config="[readings]\nrate = 10\n")
    page = browse(server)
    page.wait_for_readings(2)
    page.server = server
    return page


def focus(page, element_id):
    page.driver.execute_script(f"document.getElementById('{element_id}').focus()")


def encoded(server):
    """The number of pictures that were made, which is only while somebody watches."""
    return get_json(f"{server.url}healthz")["pictures"]["encoded"]


def press(page, key):
    ActionChains(page.driver).send_keys(key).perform()


def blur(page):
    page.driver.execute_script("document.activeElement.blur()")


def held(page):
    return page.driver.execute_script("return document.getElementById('dashboard').hasAttribute('data-held')")


# Hold


def test_hold_keeps_the_values_and_the_time_while_readings_continue(page):
    assert page.element("sample").text == "Save sample"
    page.element("hold").click()
    shown = page.snapshot()
    page.wait_for(lambda now: now["fill"] != shown["fill"], "another live colour")
    now = page.snapshot()
    assert [now[key] for key in ("hex", "rgb", "name", "notation", "brightness")] == [
        shown[key] for key in ("hex", "rgb", "name", "notation", "brightness")
    ]
    assert now["heldFill"] == now["hex"] != now["fill"]
    assert re.fullmatch(r"Held \d\d:\d\d:\d\d", page.element("held-since").text)
    assert page.element("sample").text == "Save live sample"
    page.wait_until(f"document.title === 'Held {page.snapshot()['hex']} · Swatchcam'")
    page.element("hold").click()
    assert page.element("sample").text == "Save sample"


def test_the_halves_of_the_swatch_meet_without_a_gap(page):
    page.element("hold").click()
    page.wait_for(lambda now: now["heldFill"] != now["fill"], "two colours")
    image = screenshot(page)
    box = page.driver.execute_script("return document.querySelector('.swatch').getBoundingClientRect().toJSON()")
    row = round(box["top"]) + 8
    middle = (box["left"] + box["right"]) / 2
    colors = {image.getpixel((column, row)) for column in range(round(middle) - 12, round(middle) + 12)}
    # One column may be a mixture of both.
    assert 2 <= len(colors) <= 3


def test_the_picture_goes_on_while_a_colour_is_held_and_the_page_says_so(page, server):
    page.wait_until("document.getElementById('live').dataset.shown")
    page.element("hold").click()
    assert page.element("region-hint").text == "Whole picture, fixed until you continue. The picture is live."
    before = encoded(server)
    wait_until(lambda: encoded(server), "no further pictures were made", holds=lambda count: count >= before + 4)
    assert page.element("live").is_displayed()


def test_the_space_bar_holds_and_continues_unless_it_belongs_to_the_control_with_the_focus(page):
    blur(page)
    press(page, Keys.SPACE)
    assert held(page)
    press(page, Keys.SPACE)
    assert not held(page)
    page.element("effect-tab").click()
    focus(page, "show-sparkles")
    press(page, Keys.SPACE)
    assert not held(page) and page.element("show-sparkles").is_selected()


def test_a_held_colour_stays_when_the_connection_is_lost_and_there_is_no_live_half(own_page):
    page = own_page
    page.element("hold").click()
    shown = page.snapshot()
    page.server.stop()
    now = page.wait_for(lambda now: now["label"] == "Connection lost", "that the connection is lost")
    assert (now["hex"], now["heldFill"], now["fill"]) == (shown["hex"], shown["hex"], "none")


# Notations and the name


HWB = r"[\d.]+ [\d.]+% [\d.]+%"


def test_every_notation_is_valid_css_for_the_shown_colour(page):
    page.element("hold").click()
    for notation in ("oklch", "hsl", "hwb", "lab", "lch", "oklab"):
        page.driver.execute_script(
            "const select = document.getElementById('notation'); select.value = arguments[0];"
            "select.dispatchEvent(new Event('change'))",
            notation,
        )
        shown = page.snapshot()
        # The list beside the figures has the name of the notation. The browser parses it, and paints it as sRGB.
        painted = page.driver.execute_script(
            """
            const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
            context.fillStyle = arguments[0];
            context.fillRect(0, 0, 1, 1);
            return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
            """,
            f"{notation}({shown['notation'].replace('−', '-')})",
        )
        assert painted == pytest.approx([int(channel) for channel in shown["rgb"]], abs=2), notation


def test_the_chosen_notation_is_remembered(page, server):
    page.element("notation").send_keys("hwb")
    page.wait_for(lambda shown: re.fullmatch(HWB, shown["notation"]), "hwb")
    page.driver.get(server.url)
    page.wait_for(lambda shown: re.fullmatch(HWB, shown["notation"]), "hwb again")
    assert page.element("notation").get_property("value") == "hwb"


# The browser's tab


def test_the_icon_of_the_tab_has_the_colour(page):
    shown = page.driver.execute_async_script("""
      const done = arguments[0];
      const icon = document.getElementById("icon");
      new MutationObserver((_, observer) => {
        observer.disconnect();
        const title = document.title;
        const image = new Image();
        image.onload = () => {
          const context = new OffscreenCanvas(1, 1).getContext("2d");
          context.drawImage(image, 0, 0, 1, 1);
          done([title, [...context.getImageData(0, 0, 1, 1).data]]);
        };
        image.src = icon.href;
      }).observe(icon, { attributes: true });
    """)
    title, pixel = shown
    assert pixel == [*bytes.fromhex(title[1:7]), 255]


def test_the_tab_changes_at_most_every_four_seconds(page):
    times = page.driver.execute_async_script("""
      const done = arguments[0];
      const times = [];
      new MutationObserver(() => {
        times.push(performance.now());
        if (times.length === 3) done(times);
      }).observe(document.getElementById("icon"), { attributes: true });
    """)
    # A busy browser may have observed the first of two changes late.
    assert all(later - earlier > 3_500 for earlier, later in itertools.pairwise(times))


# Screen readers


def test_without_a_voice_read_out_shows_name_lightness_and_certainty_which_screen_readers_say(page):
    page.element("hold").click()
    page.wait_for(lambda shown: shown["announcement"].startswith("Held since"), "that the colour is held")
    page.element("more").click()
    page.element("speak-color").click()
    sentence = rf"{page.snapshot()['name']}, lightness \d+, (certain|fairly certain|uncertain)\."
    page.wait_for(
        lambda shown: re.fullmatch(rf"{sentence} This browser has no voice\.", shown["toast"]), "the colour in words"
    )
    assert page.element("toast").get_attribute("role") == "status"


def test_readings_are_not_announced_unless_requested(page):
    page.wait_for_readings(6)
    # A first grade is no reading: it may be announced once it has lasted.
    assert re.fullmatch("(Quality: .*)?", page.snapshot()["announcement"])


# Shortcuts


OVERLAY = "document.getElementById('dashboard').hasAttribute('data-overlay')"
SAMPLES = "document.querySelectorAll('#sample-list tr').length"


def is_overlay(page):
    return page.driver.execute_script(f"return {OVERLAY}")


def test_a_shortcut_works_wherever_the_focus_is(page):
    page.element("effect-tab").click()
    for place in ("body", "region", "hold", "effect-tab", "show-sparkles"):
        blur(page) if place == "body" else focus(page, place)
        press(page, "o")
        page.wait_until(OVERLAY)
        press(page, "o")
        page.wait_until(f"!{OVERLAY}")


def test_a_question_mark_and_s_work_at_once_and_a_letter_does_nothing_while_a_dialog_is_open(own_page):
    """Nothing has to have the focus first."""
    page = own_page
    press(page, "?")
    dialog = page.element("shortcuts")
    assert dialog.is_displayed()
    assert dialog.get_property("scrollHeight") <= dialog.get_property("clientHeight")
    assert page.driver.switch_to.active_element == page.element("close-shortcuts")
    assert "Drag" in dialog.text and "Show a part of it alone" in dialog.text
    press(page, "o")
    page.wait_for_readings(1)
    assert not is_overlay(page)
    press(page, Keys.ESCAPE)
    taken = page.driver.execute_script(f"return {SAMPLES}")
    press(page, "s")
    page.wait_until(f"{SAMPLES} === {taken + 1}")


def test_letters_are_no_shortcuts_in_a_field_or_list_or_in_a_text_that_is_typed_into_none(page):
    page.element("samples-more").click()
    for place in ("sample-name", "notation"):
        focus(page, place)
        press(page, "o")
        page.wait_for_readings(1)
        assert not is_overlay(page)
    press(page, Keys.ESCAPE)
    blur(page)
    # At once, because a pause ends the text.
    page.driver.execute_script("""
      for (const key of "yellow patch") {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      }
    """)
    page.wait_for_readings(1)
    assert not is_overlay(page)
    assert page.element("hold").get_attribute("aria-pressed") == "false"


def test_escape_leaves_the_overlay_but_closes_what_is_open_first(page):
    press(page, "o")
    page.element("more").click()
    press(page, Keys.ESCAPE)
    page.wait_until("!document.getElementById('menu').matches(':popover-open')")
    assert is_overlay(page)
    press(page, Keys.ESCAPE)
    page.wait_until(f"!{OVERLAY}")


def test_escape_leaves_the_overlay_although_the_area_has_the_focus_and_control_z_undoes(own_page):
    page, address = own_page, f"{own_page.server.url}api/settings"
    area = [0.25, 0.25, 0.5, 0.5]
    request(address, "PUT", {"region": area})
    page.wait_until("document.getElementById('region').style.width === '50%'")
    press(page, "o")
    focus(page, "region")
    press(page, Keys.ESCAPE)
    page.wait_until(f"!{OVERLAY}")
    assert request(address).json["region"] == area
    page.element("reset-region").click()
    page.wait_until("document.getElementById('undo').checkVisibility()")
    blur(page)
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    page.wait_until("!document.getElementById('undo').checkVisibility()")
    wait_until(lambda: request(address).json["region"], "the area is not back", holds=lambda found: found == area)


@pytest.mark.parametrize(("button", "menu"), sampled([("more", "menu"), ("history-more", "history-menu")]))
def test_the_arrow_keys_move_through_a_menu(page, button, menu):
    page.element(button).click()
    entries = page.driver.execute_script(
        f"return [...document.querySelectorAll('#{menu} :is(a, button)')].filter((entry) => entry.checkVisibility())"
    )
    assert len(entries) >= 3
    for key, wanted in [
        (Keys.ARROW_DOWN, 0), (Keys.ARROW_DOWN, 1), (Keys.END, -1), (Keys.ARROW_DOWN, 0), (Keys.ARROW_UP, -1),
        (Keys.ARROW_UP, -2), (Keys.HOME, 0),
    ]:  # fmt: skip
        press(page, key)
        assert page.driver.switch_to.active_element == entries[wanted]
    press(page, Keys.ESCAPE)
    assert not entries[0].is_displayed()
    assert page.driver.switch_to.active_element == page.element(button)


def test_the_arrow_keys_move_the_area_again_once_the_menu_is_left(own_page):
    page, server = own_page, own_page.server
    page.element("more").click()
    focus(page, "region")
    press(page, Keys.ARROW_DOWN)
    wait_until(
        lambda: request(f"{server.url}api/settings").json["region"],
        "no spot",
        holds=lambda found: found[2] == 0.05,
    )


def test_a_question_mark_lists_the_shortcuts_and_they_can_be_switched_off(page, server):
    press(page, "?")
    assert page.element("shortcuts").is_displayed()
    page.element("use-shortcuts").click()
    press(page, Keys.ESCAPE)
    blur(page)
    press(page, "o")
    press(page, Keys.SPACE)
    page.wait_for_readings(1)
    assert not held(page) and not is_overlay(page)
    page.driver.get(server.url)
    page.wait_until_complete()
    assert not page.driver.execute_script("return document.getElementById('use-shortcuts').checked")


# Views


def test_the_overlay_lays_swatch_and_values_over_the_picture(page, server):
    page.element("more").click()
    page.element("overlay").click()
    picture, readout = page.driver.execute_script(
        "return ['view', 'readout'].map((id) => document.getElementById(id).getBoundingClientRect().toJSON())"
    )
    assert picture["left"] <= readout["left"] and readout["right"] <= picture["right"]
    assert picture["top"] <= readout["top"] and readout["bottom"] <= picture["bottom"]
    page.driver.get(server.url)
    page.wait_until(OVERLAY)


def test_the_colour_alone_fills_the_screen_until_the_user_leaves(page):
    page.element("more").click()
    page.element("color-only").click()
    page.wait_until("document.fullscreenElement?.id === 'swatch'")
    page.wait_until("document.getElementById('swatch').getBoundingClientRect().height === innerHeight")
    assert page.element("hex").is_displayed()
    page.element("leave-color").click()
    page.wait_until("!document.fullscreenElement")
    assert not page.element("leave-color").is_displayed()


def test_the_colour_alone_has_neither_a_target_nor_the_live_colour_beside_it(own_page):
    page = own_page
    request(f"{page.server.url}api/targets/Sky", "PUT", {"color": "#3FA7D6"})
    for chosen in ("target", "hold"):
        if chosen == "target":
            page.element("targets-tab").click()
            page.wait_until("document.querySelector('.target input')")
            page.driver.find_element("css selector", ".target input").click()
        else:
            page.element("hold").click()
        page.wait_until("document.getElementById('live-half').checkVisibility()")
        page.element("more").click()
        page.element("color-only").click()
        page.wait_until("document.fullscreenElement?.id === 'swatch'")
        page.wait_until("document.getElementById('held-color').getBoundingClientRect().width === innerWidth")
        assert not page.element("live-half").is_displayed() and page.element("hex").is_displayed(), chosen
        page.element("leave-color").click()
        page.wait_until("!document.fullscreenElement")


def test_light_or_dark_is_chosen_remembered_and_followed_by_other_pages(page, server):
    ground = "return getComputedStyle(document.body).backgroundColor"
    page.element("more").click()
    light = page.driver.execute_script(ground)
    Select(page.element("appearance")).select_by_value("dark")
    dark = page.driver.execute_script(ground)
    assert (light, dark) == ("rgb(230, 230, 230)", "rgb(20, 20, 20)")
    for path in ("", "absorbance", "calibrate", "test", "measuring", "elsewhere", "fleet", "login", "wrong/address"):
        page.driver.get(server.url + path)
        page.wait_until("document.documentElement.dataset.appearance === 'dark'")
        assert page.driver.execute_script(ground) == dark, path
    set_color_scheme(page.driver, "dark")
    page.driver.get(server.url)
    page.wait_until_complete()
    page.element("more").click()
    Select(page.element("appearance")).select_by_value("light")
    assert page.driver.execute_script(ground) == light


ADOPTED = """
new MutationObserver(() => { window.adopted ??= performance.now(); })
  .observe(document, { subtree: true, attributes: true, attributeFilter: ["data-appearance"] });
"""


def test_on_a_slow_link_no_page_is_light_before_it_is_dark(browse, server):
    page = browse(server, before=ADOPTED)
    page.driver.execute_script("localStorage.setItem('swatchcam.appearance', 'dark')")
    network = {"offline": False, "latency": 300, "downloadThroughput": 100_000, "uploadThroughput": 100_000}
    page.driver.execute_cdp_cmd("Network.enable", {})
    page.driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
    page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", network)
    try:
        for path in ("", "measuring", "elsewhere"):
            page.driver.get(server.url + path)
            page.wait_until("performance.getEntriesByType('paint').length > 0")
            assert page.driver.execute_script(
                "return window.adopted <= performance.getEntriesByType('paint')[0].startTime"
            ), path
    finally:
        page.driver.execute_cdp_cmd("Network.disable", {})


def test_an_open_page_follows_a_choice_in_another_tab(page, server):
    page.driver.get(f"{server.url}measuring")
    page.driver.switch_to.new_window("tab")
    page.driver.get(f"{server.url}elsewhere")
    page.driver.execute_script("localStorage.setItem('swatchcam.appearance', 'dark')")
    page.driver.close()
    page.driver.switch_to.window(page.driver.window_handles[0])
    page.wait_until("document.documentElement.dataset.appearance === 'dark'")


def test_the_chosen_tab_is_remembered(page, server):
    page.element("about-tab").click()
    assert page.element("frame-size").is_displayed()
    page.driver.get(server.url)
    page.wait_until("document.getElementById('frame-size').checkVisibility()")


def test_arrow_keys_switch_between_the_tabs(page):
    page.element("samples-tab").click()
    focus(page, "samples-tab")
    press(page, Keys.ARROW_LEFT)
    assert page.driver.switch_to.active_element.get_attribute("id") == "about-tab"
    assert page.element("about-panel").is_displayed() and not page.element("samples-panel").is_displayed()


def test_the_page_links_to_everything_else_that_is_served(page, server):
    links = page.driver.execute_script(
        "return [...document.querySelectorAll('#menu a, .links a')].map((link) => link.href)"
    )
    paths = {"kiosk", "calibrate", "absorbance", "test", "elsewhere", "measuring"}
    paths |= {"kiosk?show=overlay", "stream.mjpg", "snapshot.jpg", "api/openapi.json"}
    assert sorted(links) == sorted(server.url + path for path in paths)


def test_pages_of_help_open_beside_the_dashboard_which_goes_on_watching(page):
    targets = page.driver.execute_script(
        "return [...document.querySelectorAll('a[href*=measuring]')].map((link) => link.target)"
    )
    assert len(targets) > 3 and set(targets) == {"measuring"}


def test_the_list_of_notations_says_what_the_figures_are(page):
    headings = page.driver.execute_script(
        "return [...document.querySelectorAll('#notation option')].map((option) => [option.value, option.closest('optgroup')?.label])"
    )
    assert dict(headings)["lab"] == "L* a* b*, CIE, D50"
    Select(page.element("notation")).select_by_visible_text("lch")
    assert page.element("notation").get_attribute("title") == "L* C* h in degrees, CIE, D50"


# Selection


@pytest.mark.parametrize("width", sampled([390, 1280]))
def test_selecting_everything_tints_neither_the_picture_nor_the_swatch(own_page, width):
    """The browser tinted a selected picture: it looked blue while the reading was orange."""
    page = own_page
    set_size(page.driver, width, 800)
    stop_pictures(page)
    before = scene(page)
    focus(page, "hold")
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
    assert page.driver.execute_script("return getSelection().toString()").strip() != ""
    assert scene(page) == before


def test_a_drag_from_the_hex_value_does_not_select_the_picture(own_page):
    page = own_page
    stop_pictures(page)
    before = scene(page)
    actions = ActionChains(page.driver).move_to_element(page.element("hex")).click_and_hold()
    actions.move_to_element(page.element("view")).release().perform()
    assert scene(page) == before


def stop_pictures(page):
    """Holds the colour and freezes the server, so that the screen does not change."""
    page.wait_until("document.getElementById('live').dataset.shown")
    page.element("hold").click()
    page.server.suspend()
    page.wait_for_state("stale")


def scene(page):
    """The colours of a place on the picture and of one on the swatch, as they are on the screen."""
    return [color_on_screen(page, selector) for selector in ("#view", ".swatch")]


def color_on_screen(page, selector):
    """The colour of a place in an element, which is scrolled into view: a phone does not show all at once."""
    box = page.driver.execute_script(
        """
        const element = document.querySelector(arguments[0]);
        element.scrollIntoView({ block: "center" });
        return element.getBoundingClientRect().toJSON();
        """,
        selector,
    )
    place = round(box["left"] + box["width"] / 4), round(box["top"] + box["height"] / 4)
    image = screenshot(page)
    assert 0 <= place[0] < image.width and 0 <= place[1] < image.height, f"{selector} is not on the screen: {place}"
    return image.getpixel(place)


def screenshot(page) -> Image.Image:
    return Image.open(io.BytesIO(page.driver.get_screenshot_as_png())).convert("RGB")
