"""Edits to the configuration while a page is open: the page says what became of them.

pytestmark = pytest.mark.slow

Tests/Configuration proves what an edit does, and that it is noticed however the file is written.
"""

import signal
import subprocess

import pytest
from Harness.api import get_json
from Harness.cases import sampled
from Harness.waiting import wait_until

# The page shows some notices for ten seconds only, and a slow browser answers late.
RECORD_NOTICES = """
window.seenNotices = [];
const notices = document.getElementById("notices");
const record = () => {
  for (const { dataset, textContent } of notices.querySelectorAll("p")) seenNotices.push([dataset.topic, textContent]);
};
new MutationObserver(record).observe(notices, { childList: true, characterData: true, subtree: true });
record();
window.takeNotice = (topic, parts) => {
  const found = seenNotices.findLast(([other, text]) => other === topic && parts.every((part) => text.includes(part)));
  if (!found) return null;
  seenNotices.length = 0;
  record();
  return found[1];
};
"""


class Edited:
    """The intended settings of the file, and what the page says of them."""

    def __init__(self, server, page):
        self.server = server
        self.page = page
        self.values = {"camera.device": '"test-pattern"'}
        page.driver.execute_script(RECORD_NOTICES)

    def write(self, *more, **changes):
        """Writes the settings, of which `changes` are new, and then these lines."""
        self.values |= {key.replace("__", "."): value for key, value in changes.items()}
        lines = [*(f"{key} = {value}" for key, value in self.values.items()), *more]
        self.server.config.write_text("".join(f"{line}\n" for line in lines))

    def in_force(self, table, key):
        return get_json(f"{self.server.url}api/config")["config"][table][key]

    def wait_for_notice(self, topic, *parts):
        """Waits for a notice with these parts that the page shows or has shown since the last call."""
        wait_until(
            lambda: self.page.driver.execute_script("return takeNotice(...arguments)", topic, parts),
            f"the page shows no notice about the {topic} with {parts}",
        )

    def wait_until_no_notice(self):
        self.page.wait_until("document.getElementById('notices').childElementCount === 0")


@pytest.fixture
def server(start_server):
    """A server for each test, which edits its configuration."""
    return start_server(config="[readings]\nrate = 10\n")


@pytest.fixture
def edited(server, page):
    return Edited(server, page)


def test_the_page_says_what_became_of_each_edit_until_it_is_settled(edited):
    edited.write(picture__quality="55")
    edited.wait_for_notice("configuration", "Applied ", "picture.quality")
    assert edited.in_force("picture", "quality") == 55
    edited.write("picture.efect = 1")
    edited.wait_for_notice(
        "configuration", "Nothing was changed; ", "config.toml:3:", "unknown key. Did you mean picture.effect?"
    )
    edited.write(web__templates='"."')
    edited.wait_for_notice("restart", "web.templates: restart Swatchcam to use ", "it still uses the built-in")
    edited.write("camera.fps = many")
    edited.wait_for_notice("configuration", "Nothing was changed")
    edited.wait_for_notice("restart", "web.templates")
    del edited.values["web.templates"]
    edited.write()
    edited.wait_until_no_notice()
    edited.server.config.unlink()
    edited.wait_for_notice("configuration", "is gone. Its last settings stay in effect.")
    edited.write()
    edited.wait_until_no_notice()
    assert edited.page.console() == []


def test_an_edited_size_and_rotation_of_the_picture_are_shown_without_a_restart(edited):
    edited.page.element("about-tab").click()
    edited.write(camera__width="320", camera__height="200", camera__rotate="90")
    edited.wait_for_notice("configuration", "Applied ", "camera.width", "camera.height", "camera.rotate")
    edited.page.wait_until("document.getElementById('frame-size').textContent === '200 × 320'")


def test_sighup_makes_the_program_read_the_file_again(edited):
    # The file itself does not change, so only the signal can make the program look for the folder.
    folder = edited.server.config.parent / "pages"
    edited.write(web__templates=f'"{folder.name}"')
    edited.wait_for_notice("configuration", "there is no folder")
    folder.mkdir()
    edited.server.process.send_signal(signal.SIGHUP)
    edited.wait_for_notice("restart", "web.templates")
    assert edited.server.is_running


LIMITS = "echo 0 > /proc/sys/user/max_inotify_instances"


@pytest.mark.skipif(
    subprocess.run(["unshare", "-Ur", "sh", "-c", LIMITS], check=False, capture_output=True).returncode != 0,
    reason="this user may not have a user namespace, which can limit inotify",
)
def test_sighup_makes_the_program_read_a_file_that_cannot_be_watched(start_server):
    server = start_server(prefix=["unshare", "-Ur", "sh", "-c", f'{LIMITS} && exec "$0" "$@"'])
    server.config.write_text(f"{server.config.read_text()}[picture]\nquality = 77\n")
    server.process.send_signal(signal.SIGHUP)
    wait_until(
        lambda: get_json(f"{server.url}api/config")["config"]["picture"]["quality"] == 77, "the edit is not applied"
    )
    assert server.logged().count("Edits to the configuration are not detected: this user has as many") == 1


def test_the_report_of_an_applied_edit_disappears(edited):
    edited.write(picture__quality="22")
    edited.wait_for_notice("configuration", "Applied ", "picture.quality")
    edited.wait_until_no_notice()
    assert edited.in_force("picture", "quality") == 22


# At 0.4 readings a second, they are further apart than the page tolerates at the usual rate.
@pytest.mark.parametrize("rate", sampled(["0.4", "60"]))
def test_the_page_stays_live_when_the_rate_of_readings_changes(edited, rate):
    edited.page.driver.execute_script("""
      window.states = new Set();
      const dashboard = document.getElementById("dashboard");
      new MutationObserver(() => window.states.add(dashboard.dataset.state))
        .observe(dashboard, { attributeFilter: ["data-state"] });
    """)

    def set_rate(value):
        edited.write(readings__rate=value)
        edited.wait_for_notice("configuration", "Applied readings.rate.")
        edited.page.wait_for_readings(2)

    def stays_live():
        edited.page.driver.execute_script("window.states.clear()")
        set_rate(rate)
        if "stale" not in edited.page.driver.execute_script("return [...window.states]"):
            return True
        set_rate("4")
        return False

    # A page that expects the wrong rate is stale each time, a page on a busy machine only now and then.
    wait_until(stays_live, "the page becomes stale each time", timeout=60)
