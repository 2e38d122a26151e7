"""The browser of the tests itself."""

from pathlib import Path

from Harness.chromium import chromium
from Harness.waiting import wait_until


def processes_of(folder: str) -> list[str]:
    """The commands of the processes that work on this profile."""
    commands = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            commands.append(file.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            continue
    return [command for command in commands if folder in command]


def test_a_browser_that_was_quit_leaves_no_process():
    driver = chromium()
    folder = driver.capabilities["chrome"]["userDataDir"]
    assert processes_of(folder)
    driver.quit()
    wait_until(lambda: not processes_of(folder), "the browser is still there")
