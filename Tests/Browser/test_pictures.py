"""The live picture, the region on it, the effect beside it, and the sparkles."""

import fake_history
import pytest
from Harness.api import get_json, request
from Harness.waiting import wait_until
from selenium.webdriver.support.ui import Select

pytestmark = pytest.mark.slow

LIVE = "document.getElementById('live').dataset.shown"
PROCESSED = "document.getElementById('processed').dataset.shown"


def settings(server):
    return get_json(f"{server.url}api/settings")


def change(server, **values):
    assert request(f"{server.url}api/settings", "PUT", values).status == 200


@pytest.fixture
def pictures(page, server):
    """The dashboard, once it shows the live picture. Restores the usual settings afterwards."""
    page.wait_until(f"{LIVE} === '640x480'")
    page.element("effect-tab").click()
    yield page
    change(server, effect="none", region=[0, 0, 1, 1])


def hide(page, is_hidden):
    page.driver.execute_script(
        """
        Object.defineProperty(document, "visibilityState", { value: arguments[0], configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
        """,
        "hidden" if is_hidden else "visible",
    )


def switch(page, box):
    """Clicks a check box of the tab of effects."""
    page.element("effect-tab").click()
    page.element(box).click()


def viewers(server):
    """The number of clients that receive pictures."""
    return get_json(f"{server.url}healthz")["pictures"]["viewers"]


def wait_for_viewers(server, count):
    wait_until(lambda: viewers(server), f"there are not {count} viewers", holds=lambda number: number == count)


def test_the_live_picture_is_shown_beside_the_readout_and_the_console_stays_silent(pictures):
    assert pictures.element("live").is_displayed()
    picture, readout = pictures.driver.execute_script(
        "return ['view', 'readout'].map((id) => document.getElementById(id).getBoundingClientRect().toJSON())"
    )
    assert picture["width"] / picture["height"] == pytest.approx(640 / 480, abs=0.01)
    assert readout["left"] >= picture["right"]
    assert pictures.console() == []


def test_a_hidden_page_requests_no_pictures_nor_does_one_with_pictures_turned_off_even_when_it_is_opened_again(
    pictures, server
):
    wait_for_viewers(server, 1)
    hide(pictures, True)
    wait_for_viewers(server, 0)
    hide(pictures, False)
    wait_for_viewers(server, 1)
    switch(pictures, "show-pictures")
    wait_for_viewers(server, 0)
    assert not pictures.element("live").is_displayed()
    pictures.driver.get(server.url)
    pictures.wait_until_complete()
    assert not pictures.element("show-pictures").is_selected()
    switch(pictures, "show-pictures")
    pictures.wait_until(f"{LIVE} === '640x480'")


def test_the_page_works_without_local_storage(browse, server):
    page = browse(server, "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });")
    page.wait_until(f"{LIVE} === '640x480'")
    switch(page, "show-pictures")
    wait_for_viewers(server, 0)


def test_a_chosen_effect_applies_to_everybody_is_shown_beside_the_picture_and_is_followed(pictures, server):
    assert not pictures.element("processed").is_displayed()
    Select(pictures.element("effect")).select_by_visible_text("Invert")
    pictures.wait_until(f"{PROCESSED} === '640x480'")
    assert settings(server)["effect"] == "invert"
    wait_for_viewers(server, 2)
    Select(pictures.element("effect")).select_by_value("none")
    wait_for_viewers(server, 1)
    assert not pictures.element("processed").is_displayed()
    change(server, effect="edges", region=[0.25, 0.25, 0.5, 0.5])
    pictures.wait_until("document.getElementById('effect').value === 'edges'")
    pictures.wait_until("document.getElementById('region').style.width === '50%'")
    assert pictures.element("reset-region").is_displayed()


def test_a_refusal_by_the_server_is_explained(pictures):
    pictures.driver.execute_script(
        "window.fetch = async () => new Response(JSON.stringify({ error: { message: 'No such thing' } }), "
        "{ status: 400 })"
    )
    Select(pictures.element("effect")).select_by_value("edges")
    pictures.wait_for(lambda page: page["toast"] == "No such thing", "the reason")


def test_the_number_of_sparkles_follows_the_brightness(pictures):
    count = "Number(document.getElementById('sparkles').dataset.count)"
    assert not pictures.element("sparkles").is_displayed()
    switch(pictures, "show-sparkles")
    # The test pattern is bright enough for dozens.
    pictures.wait_until(f"{count} > 20")
    brightness = float(pictures.snapshot()["level"])
    pictures.wait_until(f"Math.abs({count} - 120 * {brightness}) < 40")
    switch(pictures, "show-sparkles")
    pictures.wait_until(f"{count} === 0")


def test_sparkles_stand_still_when_reduced_motion_is_preferred(browse, server):
    # Without the history strip, which is redrawn every few seconds. That does not count as motion.
    page = browse(server, before=fake_history.script({"revisions": {"history": None}}))
    page.wait_for_readings(2)
    page.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    )
    frames = "window.requestAnimationFrame = () => { throw new Error('motion'); }"
    page.driver.execute_script(frames)
    switch(page, "show-sparkles")
    page.wait_until("Number(document.getElementById('sparkles').dataset.count) > 20")
    switch(page, "show-sparkles")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert page.console() == []
