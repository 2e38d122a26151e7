"""The wall of the fleet, fed by a socket that the test plays."""

import json

import pytest
from Harness.chromium import set_size

pytestmark = pytest.mark.slow

FEED = """
window.sockets = [];
window.WebSocket = class extends EventTarget {
  constructor(url) { super(); this.url = url; this.readyState = 1; window.sockets.push(this);
    setTimeout(() => { this.onopen?.(new Event("open")); this.dispatchEvent(new Event("open")); }); }
  send() {}
  close() {}
};
"""


def member(number, **values):
    return {
        "gone": False,
        "hex": "#3FA7D6",
        "id": f"press{number:03}",
        "name": f"Press {number:03}",
        "seen": 1764080000000,
        "state": "live",
        "textColor": "#000000",
        "verdict": None,
        **values,
    }


@pytest.fixture
def wall(browse, server):
    """The page, and a function that sends it a list of the fleet."""
    page = browse(server, before=FEED)
    page.driver.get(server.url + "fleet")

    def send(*members, connected=True, problem=None, incomplete=False):
        fleet = {"connected": connected, "incomplete": incomplete, "members": list(members), "problem": problem}
        page.driver.execute_script(
            "const event = new MessageEvent('message', { data: arguments[0] });"
            "for (const one of window.sockets) { one.onmessage?.(event); one.dispatchEvent(event); }",
            json.dumps(fleet),
        )

    page.send = send
    return page


def run(page, script):
    return page.driver.execute_script(f"return {script}")


def tiles(page):
    return run(page, "[...document.querySelectorAll('.tile')].map((tile) => tile.innerText.split(/\\n+/))")


def test_each_camera_is_a_swatch_with_its_name_its_colour_and_its_state_or_verdict(wall):
    wall.send(
        member(1),
        member(2, hex="#101010", textColor="#FFFFFF", verdict="close"),
        member(3, name="<b>x</b>", verdict="pass"),
    )
    assert tiles(wall) == [
        ["Press 001", "#3FA7D6", "Live"],
        ["Press 002", "#101010", "Too close"],
        ["<b>x</b>", "#3FA7D6", "Pass"],
    ]
    colors = run(wall, "[...document.querySelectorAll('.tile')].map((tile) => getComputedStyle(tile).backgroundColor)")
    assert colors[:2] == ["rgb(63, 167, 214)", "rgb(16, 16, 16)"]


def test_tiles_follow_the_list_in_its_order_and_one_that_is_gone_shows_no_colour(wall):
    wall.send(member(2), member(4))
    wall.send(member(1), member(2), member(3))
    assert [name for name, *_ in tiles(wall)] == ["Press 001", "Press 002", "Press 003"]
    wall.send(member(1, gone=True))
    [(name, color, state)] = tiles(wall)
    assert (name, color) == ("Press 001", "–") and state.startswith("Gone since ")
    assert run(wall, "document.querySelector('.tile').style.backgroundColor") == ""
    assert run(wall, "document.getElementById('summary').innerText") == "1 camera, 1 gone"
    wall.send(problem="The broker refuses the password.", connected=False)
    assert run(wall, "document.getElementById('message').innerText") == "The broker refuses the password."


def test_every_size_shows_whole_tiles_without_scrolling_sideways(wall):
    wall.send(*(member(number) for number in range(40)))
    for width, height in ((1280, 800), (800, 480), (390, 844)):
        set_size(wall.driver, width, height)
        assert run(wall, "document.documentElement.scrollWidth <= innerWidth"), width
        assert run(
            wall,
            "[...document.querySelectorAll('.tile p, .tile h2')].every((one) => one.scrollHeight <= one.clientHeight + 1"
            " && one.getBoundingClientRect().top >= one.parentElement.getBoundingClientRect().top)",
        ), width
