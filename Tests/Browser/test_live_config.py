"""Edits to the configuration while a page is open: a valid one takes effect, an invalid one does not, and the page says so."""

import json
import pathlib
import signal
import subprocess

import editing
import pytest
from editing import WAYS
from Harness.api import get_json, request
from Harness.cases import sampled
from Harness.waiting import wait_until

# Keys, and the values that they are given in turn.
GOOD = [
    ("camera.mirror", ["true", "false"]),
    ("camera.rotate", ["90", "180", "270"]),
    ("camera.width", ["320", "640"]),
    ("camera.colorimetry", ['"full"', '"auto"']),
    ("readings.rate", ["8", "20", "2.5"]),
    ("readings.region", ["[0.25, 0.25, 0.5, 0.5]", "[0, 0, 1, 0.5]"]),
    ("readings.average", ['"linear"', '"srgb"']),
    ("readings.frames", ["3", "1"]),
    ("picture.quality", ["55", "90"]),
    ("picture.effect", ['"edges"', '"zebra"', '"none"']),
    ("log.level", ['"debug"', '"info"']),
]

# Mistakes, and the messages about them.
BAD = [
    ("camera.fps = 900", "camera.fps: 900 is out of range 1...240"),
    ("camera.height = 480.5", "camera.height: 480.5 is a decimal number; expected a whole number in 1...16384"),
    ("picture.efect = 1", "picture.efect: unknown key. Did you mean picture.effect?"),
    ("camera.fps = ", "not valid TOML"),
    (
        'kiosk.show = "fast"',
        'kiosk.show: "fast" is not a view; expected "color", "picture", "overlay", "history", "fleet" or "verdict"',
    ),
    ("web.address = home", "home is not a value; write strings in quotes"),
    ("[camera", "not valid TOML"),
]


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
    """The intended contents of the file, and the configuration that the program made of it."""

    def __init__(self, server, page):
        self.server = server
        self.page = page
        self.path = pathlib.Path(server.config)
        self.values = {"camera.device": '"test-pattern"'}
        page.driver.execute_script(RECORD_NOTICES)

    def text(self, *more):
        return "".join(f"{line}\n" for line in [*(f"{key} = {value}" for key, value in self.values.items()), *more])

    def in_force(self, key):
        table, leaf = key.split(".")
        return self.config()["config"][table][leaf]

    def config(self):
        return get_json(f"{self.server.url}api/config")

    def wait_for_notice(self, topic, *parts):
        """Waits for a notice with these parts that the page shows or has shown since the last call; returns its text.

        The page shows some of them for ten seconds only, and a slow browser answers late.
        """
        return wait_until(
            lambda: self.page.driver.execute_script("return takeNotice(...arguments)", topic, parts),
            f"the page shows no notice about the {topic} with {parts}",
        )

    def wait_until_no_notice(self):
        self.page.wait_until("document.getElementById('notices').childElementCount === 0")


@pytest.fixture
def server(start_server):
    """A server for each test, which edits its configuration."""
    return start_server()


@pytest.fixture
def edited(server, page):
    return Edited(server, page)


# Twenty-one edits make every mistake once, and write the file in every way.
@pytest.mark.parametrize("count", [21, pytest.param(50, marks=pytest.mark.slow)])
def test_every_edit_however_it_is_written_is_reported_on_the_page(edited, count, capsys):
    rows = []
    good = bad = 0
    for number in range(count):
        way = WAYS[number % len(WAYS)]
        # Makes the file unlike the previous one.
        remark = f"# edit {number}"
        if number % 3 == 2:
            mistake, words = BAD[bad % len(BAD)]
            bad += 1
            before = edited.config()
            way(edited.path, edited.text(remark, mistake))
            line = len(edited.values) + 2
            told = edited.wait_for_notice("configuration", f"config.toml:{line}:", words)
            assert told.startswith("Nothing was changed; ")
            assert edited.config() == before
        else:
            key, values = GOOD[good % len(GOOD)]
            value = values[good // len(GOOD) % len(values)]
            good += 1
            edited.values[key] = value
            way(edited.path, edited.text(remark))
            # On a busy computer, the program may read the first half of a file before the second is written.
            applied = ("Applied ", key) if way is editing.in_two_writes else (f"Applied {key}.",)
            told = edited.wait_for_notice("configuration", *applied)
            assert edited.in_force(key) == json.loads(value)
        rows.append((number + 1, way.__name__.replace("_", " "), told.splitlines()[-1].removeprefix(f"{edited.path}:")))
    with capsys.disabled():
        print(f"\n{'edit':>4}  {'written':<16}reported")
        for number, way, told in rows:
            print(f"{number:>4}  {way:<16}{told}")
        print(f"{good} applied, {bad} refused")
    assert edited.page.console() == []
    log = edited.server.logged()
    assert log.count("Applied ") >= good
    # Each mistake is logged after a line that counts the mistakes.
    assert log.count("nothing was changed:") >= bad


def test_an_edited_frame_size_takes_effect_without_a_restart(edited):
    edited.values |= {"camera.width": "320", "camera.height": "200"}
    editing.rename_over(edited.path, edited.text())
    edited.page.element("about-tab").click()
    edited.page.wait_until("document.getElementById('frame-size').textContent === '320 × 200'")
    edited.wait_for_notice("configuration", "Applied camera.width, camera.height.")


def test_the_page_shows_the_size_of_a_picture_after_its_rotation(edited):
    edited.values |= {"camera.width": "320", "camera.height": "200", "camera.rotate": "90"}
    editing.rename_over(edited.path, edited.text())
    edited.page.element("about-tab").click()
    edited.page.wait_until("document.getElementById('frame-size').textContent === '200 × 320'")


def test_an_edit_that_needs_a_restart_is_reported_until_it_is_reverted(edited):
    edited.values["web.templates"] = '"."'
    editing.rename_over(edited.path, edited.text())
    edited.wait_for_notice("restart", "web.templates: restart Swatchcam to use ", "it still uses the built-in")
    assert edited.in_force("web.templates") is None
    editing.truncate(edited.path, edited.text("camera.fps = many"))
    edited.wait_for_notice("configuration", "Nothing was changed")
    edited.wait_for_notice("restart", "web.templates")
    del edited.values["web.templates"]
    editing.truncate(edited.path, edited.text())
    edited.wait_until_no_notice()


def test_a_deleted_file_is_reported_and_read_again_once_it_is_back(edited):
    edited.values["picture.quality"] = "33"
    editing.truncate(edited.path, edited.text())
    edited.wait_for_notice("configuration", "Applied picture.quality.")
    edited.path.unlink()
    edited.wait_for_notice("configuration", "is gone. Its last settings stay in effect.")
    assert edited.in_force("picture.quality") == 33
    edited.path.write_text(edited.text())
    edited.wait_until_no_notice()
    edited.path.unlink()
    edited.wait_for_notice("configuration", "is gone.")
    edited.values["picture.quality"] = "34"
    edited.path.write_text(edited.text())
    edited.wait_for_notice("configuration", "Applied picture.quality.")


def test_a_setting_changed_on_the_page_survives_an_edit_of_another_key(edited):
    assert request(f"{edited.server.url}api/settings", "PUT", {"effect": "invert"}).status == 200
    edited.values["picture.quality"] = "44"
    editing.vim_by_rename(edited.path, edited.text())
    edited.wait_for_notice("configuration", "Applied picture.quality.")
    assert edited.in_force("picture.effect") == "invert"


def test_an_option_of_the_command_line_overrides_an_edit(edited):
    edited.values["web.port"] = "9000"
    editing.truncate(edited.path, edited.text())
    edited.wait_for_notice("configuration", "web.port keeps the value of --port.")


def test_sighup_makes_the_program_read_the_file_again(edited):
    # The file itself does not change, so only the signal can make the program look for the folder.
    folder = edited.path.parent / "pages"
    edited.values["web.templates"] = f'"{folder.name}"'
    editing.truncate(edited.path, edited.text())
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
def test_sighup_makes_the_program_read_a_file_that_cannot_be_watched(start_server, browse):
    server = start_server(prefix=["unshare", "-Ur", "sh", "-c", f'{LIMITS} && exec "$0" "$@"'])
    edited = Edited(server, browse(server))
    edited.values["picture.quality"] = "77"
    editing.rename_over(edited.path, edited.text())
    server.process.send_signal(signal.SIGHUP)
    edited.wait_for_notice("configuration", "Applied picture.quality.")
    assert server.logged().count("Edits to the configuration are not detected: this user has as many") == 1


@pytest.mark.slow
def test_the_report_of_an_applied_edit_disappears(edited):
    edited.values["picture.quality"] = "22"
    editing.truncate(edited.path, edited.text())
    edited.wait_for_notice("configuration", "Applied picture.quality.")
    edited.wait_until_no_notice()
    assert edited.in_force("picture.quality") == 22


# At 0.4 readings a second, they are further apart than the page tolerates at the usual rate.
@pytest.mark.parametrize("rate", sampled([0.4, 60]))
def test_the_page_stays_live_when_the_rate_of_readings_changes(edited, rate):
    edited.page.driver.execute_script("""
      window.states = new Set();
      const dashboard = document.getElementById("dashboard");
      new MutationObserver(() => window.states.add(dashboard.dataset.state))
        .observe(dashboard, { attributeFilter: ["data-state"] });
    """)

    def set_rate(value):
        edited.values["readings.rate"] = str(value)
        editing.truncate(edited.path, edited.text())
        edited.wait_for_notice("configuration", "Applied readings.rate.")
        edited.page.wait_for_readings(2)

    def stays_live():
        edited.page.driver.execute_script("window.states.clear()")
        set_rate(rate)
        if "stale" not in edited.page.driver.execute_script("return [...window.states]"):
            return True
        set_rate(4)
        return False

    # A page that expects the wrong rate is stale each time, a page on a busy machine only now and then.
    wait_until(stays_live, "the page becomes stale each time", timeout=60)
