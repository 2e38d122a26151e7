"""What is on the screen, and that it comes back, whatever ends."""

import os
import signal

from conftest import wait_for

NO_COLOR = "#1A1A1A"
"""The page's, when it has none to show."""


def shows_color(screen):
    return screen.color() not in (None, "#000000", "#FFFFFF", NO_COLOR)


def wait_for_color(screen):
    wait_for(lambda: shows_color(screen), f"no colour fills the screen:\n{screen.log}")


def test_the_color_fills_the_screen_to_its_corners(server, screen):
    server.start()
    screen.start()
    wait_for_color(screen)


def test_it_waits_for_the_server_with_the_screen_as_it_is(server, screen):
    screen.start()
    wait_for(lambda: f"waiting for {server.url}kiosk" in screen.log, "it does not say that it waits")
    assert not screen.processes("cage")
    server.start()
    wait_for_color(screen)


def test_the_page_comes_back_with_the_server(server, screen):
    server.start()
    screen.start()
    wait_for_color(screen)
    server.stop(signal.SIGKILL)
    wait_for(lambda: screen.color() == NO_COLOR, "the page goes on showing a colour")
    browsers = screen.processes("--type=gpu-process")
    server.start()
    wait_for_color(screen)
    assert screen.processes("--type=gpu-process") == browsers


def test_the_session_ends_with_its_browser_and_can_be_started_anew(server, screen):
    server.start()
    screen.start()
    wait_for_color(screen)
    for browser in screen.processes("--user-data-dir"):
        os.kill(browser, signal.SIGKILL)
    wait_for(lambda: screen.has_ended, "the compositor stays without a browser")
    screen.start()
    wait_for_color(screen)


def test_the_session_ends_when_its_page_has_crashed(server, screen):
    """A browser shows an unhappy face then, for ever."""
    server.start()
    screen.start()
    wait_for_color(screen)
    for renderer in screen.processes("--type=renderer"):
        os.kill(renderer, signal.SIGKILL)
    wait_for(lambda: screen.has_ended, "the crashed page stays")
    assert "the page receives nothing although the server answers" in screen.log


def test_nothing_is_left_of_a_browser(server, screen):
    server.start()
    screen.start()
    wait_for_color(screen)
    assert list(screen.folder.glob("browser.*/profile"))
    os.kill(screen.processes("swatchcam-kiosk browser")[-1], signal.SIGTERM)
    wait_for(lambda: screen.has_ended, "the session goes on")
    assert not list(screen.folder.glob("browser.*"))
