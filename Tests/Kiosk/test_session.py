"""The content of the screen, which comes back whichever process ends."""

import os
import pathlib
import signal

import pytest
from Harness.screen import SESSION_PATIENCE
from Harness.waiting import wait_until

NO_COLOR = "#1A1A1A"
"""The background of the page while it has no colour to show."""


def shows_color(screen):
    return screen.color() not in (None, "#000000", "#FFFFFF", NO_COLOR)


def wait_for(condition, problem):
    wait_until(condition, problem, SESSION_PATIENCE)


def wait_for_color(screen):
    wait_for(lambda: shows_color(screen), lambda: f"no colour fills the screen:\n{screen.log}")


def wait_until_live(screen):
    """Waits for a colour that the page has received over its WebSocket: the first one is in its HTML."""
    wait_for_color(screen)
    first = screen.color()
    wait_for(
        lambda: shows_color(screen) and screen.color() != first,
        lambda: f"the colour stays the same:\n{screen.log}",
    )


def wait_for_other_page(screen, pages):
    """Waits for a process that shows the page in cog and is not one of `pages`."""
    wait_for(
        lambda: set(screen.processes("WPEWebProcess")) - set(pages),
        lambda: f"the page is not opened again:\n{screen.log}",
    )


def test_the_session_leaves_the_screen_alone_until_the_server_answers(server, screen):
    screen.start()
    wait_for(
        lambda: f"waiting for {server.url}kiosk" in screen.log,
        lambda: f"the session does not log that it waits:\n{screen.log}",
    )
    assert not screen.processes("cage")
    server.start()
    # To its corners, of which `color` is the colour.
    wait_for_color(screen)


@pytest.mark.parametrize(
    ("fixture", "process"),
    [("screen", "--type=gpu-process"), pytest.param("cog_screen", "WPEWebProcess", marks=pytest.mark.release)],
)
def test_the_same_browser_shows_the_colour_again_when_the_server_is_back(server, request, fixture, process):
    screen = request.getfixturevalue(fixture)
    server.start()
    screen.start()
    wait_until_live(screen)
    server.stop(signal.SIGKILL)
    wait_for(lambda: screen.color() == NO_COLOR, "the page still shows a colour")
    browsers = screen.processes(process)
    server.start()
    wait_for_color(screen)
    assert screen.processes(process) == browsers


def test_the_session_ends_with_its_browser_and_can_be_started_again(server, screen):
    server.start()
    screen.start()
    wait_for_color(screen)
    for browser in screen.processes("--user-data-dir"):
        os.kill(browser, signal.SIGKILL)
    wait_for(lambda: screen.has_ended, "the compositor is still there without a browser")
    screen.start()
    wait_for_color(screen)


def test_the_session_ends_when_its_page_has_crashed(server, screen):
    """Otherwise the browser would show its error page for ever."""
    server.start()
    screen.start()
    wait_for_color(screen)
    for renderer in screen.processes("--type=renderer"):
        os.kill(renderer, signal.SIGKILL)
    wait_for(lambda: screen.has_ended, "the crashed page is still there")
    assert "the page receives nothing although the server answers" in screen.log


def test_the_profile_of_the_browser_is_removed_with_the_session(server, screen):
    server.start()
    screen.start()
    wait_for_color(screen)
    assert list(screen.folder.glob("browser.*/profile"))
    os.kill(screen.processes("swatchcam-kiosk browser")[-1], signal.SIGTERM)
    wait_for(lambda: screen.has_ended, "the session does not end")
    assert not list(screen.folder.glob("browser.*"))


def test_cog_opens_its_page_again_when_it_has_crashed(server, cog_screen):
    server.start()
    cog_screen.start()
    wait_for_color(cog_screen)
    (browser,) = cog_screen.processes("cog --platform")
    pages = cog_screen.processes("WPEWebProcess")
    for page in pages:
        os.kill(page, signal.SIGKILL)
    wait_for_other_page(cog_screen, pages)
    wait_until_live(cog_screen)
    assert cog_screen.processes("cog --platform") == [browser]


@pytest.mark.release
def test_cog_opens_its_page_again_when_it_takes_too_much_memory(server, make_screen):
    screen = make_screen(
        SWATCHCAM_KIOSK_BROWSER="cog", SWATCHCAM_KIOSK_FLAGS="--web-mem-limit=100 --web-check-interval=2"
    )
    server.start()
    screen.start()
    wait_for(lambda: screen.processes("WPEWebProcess"), lambda: f"there is no page:\n{screen.log}")
    wait_for_other_page(screen, screen.processes("WPEWebProcess"))


def test_cog_gets_three_quarters_of_the_memory_and_its_files_are_removed_with_the_session(server, cog_screen):
    server.start()
    cog_screen.start()
    wait_for_color(cog_screen)
    (browser,) = cog_screen.processes("cog --platform")
    flags = pathlib.Path(f"/proc/{browser}/cmdline").read_text().split("\0")
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert f"--web-mem-limit={max(350, memory * 3 // 4 >> 20)}" in flags
    assert list(cog_screen.folder.glob("browser.*"))
    os.kill(cog_screen.processes("swatchcam-kiosk browser")[-1], signal.SIGTERM)
    wait_for(lambda: cog_screen.has_ended, "the session does not end")
    assert not list(cog_screen.folder.glob("browser.*"))


def test_the_session_uses_cog_where_chromium_is_not_installed(server, make_screen, folder, installed):
    programs = folder / "programs"
    programs.mkdir()
    for place in ("/usr/bin", "/bin"):
        for program in pathlib.Path(place).iterdir():
            if not program.name.startswith("chromium") and not (programs / program.name).exists():
                (programs / program.name).symlink_to(program)
    screen = make_screen(PATH=f"{installed}/bin:{programs}", SWATCHCAM_KIOSK_FLAGS="")
    server.start()
    screen.start()
    wait_for_color(screen)
    assert screen.processes("WPEWebProcess")
