"""The list of events, with their pictures."""

import shutil

import pytest
from Harness import api
from Harness.eventful import ORANGE, SCENE, look_at, wait_for_state
from Harness.waiting import wait_until
from selenium.webdriver.common.by import By


def pictures(server):
    return [mark["picture"] for mark in api.get_json(server.url + "api/history?span=10m")["marks"] if mark["picture"]]


@pytest.fixture
def server(start_server):
    """A server with an event that has a picture."""
    server = start_server(config=SCENE)
    wait_for_state(server, "card")
    look_at(server, ORANGE, "orange")
    wait_until(lambda: pictures(server), "the event has no picture")
    return server


def listed(page):
    """The item of the event in the list of marks."""
    page.element("history-more").click()
    page.element("list-marks").click()
    items = page.element("mark-list").find_elements(By.TAG_NAME, "li")
    return next(item for item in items if "card → orange" in item.text)


def test_an_event_is_listed_with_its_picture_which_leads_to_the_whole_one(browse, server):
    page = browse(server)
    page.wait_until_complete()
    link = listed(page).find_element(By.CSS_SELECTOR, "a.event-picture")
    image = link.find_element(By.TAG_NAME, "img")
    wait_until(lambda: image.get_property("naturalWidth") == 640, "the picture is not loaded")
    assert link.accessible_name == "Picture: card → orange"
    assert link.get_attribute("href") == server.url + pictures(server)[0]


def test_an_event_whose_picture_is_gone_is_listed_without_one(browse, server):
    shutil.rmtree(server.config.parent / "state" / "swatchcam" / "events")
    page = browse(server)
    page.wait_until_complete()
    item = listed(page)
    wait_until(lambda: item.find_elements(By.TAG_NAME, "a") == [], "the list shows a picture that is gone")
