"""The wall of the fleet, fed by a socket that the test plays."""

import json

import pytest

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


def test_each_camera_is_a_swatch_with_its_name_and_colour(wall):
    wall.send(member(1), member(2, hex="#101010", textColor="#FFFFFF"))
    assert tiles(wall) == [["Press 001", "#3FA7D6", "Live"], ["Press 002", "#101010", "Live"]]
    colors = run(wall, "[...document.querySelectorAll('.tile')].map((tile) => getComputedStyle(tile).backgroundColor)")
    assert colors == ["rgb(63, 167, 214)", "rgb(16, 16, 16)"]


def test_one_that_is_gone_shows_no_colour(wall):
    wall.send(member(1))
    wall.send(member(1, gone=True))
    (name, color, state), *_ = tiles(wall)
    assert (name, color) == ("Press 001", "–") and state.startswith("Gone since ")
    assert run(wall, "document.querySelector('.tile').style.backgroundColor") == ""
    assert run(wall, "document.getElementById('summary').innerText") == "1 camera, 1 gone"


def test_a_verdict_stands_where_the_state_of_a_live_camera_stood(wall):
    wall.send(member(1, verdict="pass"))
    assert tiles(wall) == [["Press 001", "#3FA7D6", "pass"]]


def test_tiles_stay_in_the_order_of_the_list_and_those_that_end_are_removed(wall):
    wall.send(member(2), member(4))
    wall.send(member(1), member(2), member(3))
    assert [name for name, *_ in tiles(wall)] == ["Press 001", "Press 002", "Press 003"]


def test_names_are_text(wall):
    wall.send(member(1, name="<b>x</b>"))
    assert tiles(wall)[0][0] == "<b>x</b>"


def test_a_problem_is_said(wall):
    wall.send(problem="The broker refuses the password.", connected=False)
    assert run(wall, "document.getElementById('message').innerText") == "The broker refuses the password."


@pytest.mark.parametrize("size", [(1280, 800), (800, 480), (390, 844)])
def test_every_size_shows_whole_tiles_without_scrolling_sideways(wall, size):
    width, height = size
    wall.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )
    wall.send(*(member(number) for number in range(40)))
    assert run(wall, "document.documentElement.scrollWidth <= innerWidth")
    boxes = run(
        wall,
        "[...document.querySelectorAll('.tile p, .tile h2')].every((one) => one.scrollHeight <= one.clientHeight + 1"
        " && one.getBoundingClientRect().top >= one.parentElement.getBoundingClientRect().top)",
    )
    assert boxes
