"""The configuration is edited while a page is open: a good edit holds, a bad one changes nothing, and both are told."""

import json
import pathlib
import signal
import subprocess
import urllib.request

import editing
import pytest
from editing import WAYS

# Keys, and the values that they get in turn.
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

# What is written, and what is said of it.
BAD = [
    ("camera.fps = 900", "camera.fps: 900 is out of range 1...240"),
    ("camera.height = 480.5", "camera.height: 480.5 is a number with a point; a whole number in 1...16384 is wanted"),
    ("picture.efect = 1", "picture.efect: unknown key. Did you mean picture.effect?"),
    ("camera.fps = ", "not valid TOML"),
    ('readings.average = "fast"', 'readings.average: "fast" is no average; "srgb" or "linear" is wanted'),
    ("web.address = home", "home is no value; strings are written in quotes"),
    ("[camera", "not valid TOML"),
]

EDITS = 50


class Edited:
    """The file as it is meant, edited in ever other ways, and what the program has made of it."""

    def __init__(self, server, page):
        self.server = server
        self.page = page
        self.path = pathlib.Path(server.config)
        self.values = {"camera.device": '"test-pattern"'}

    def text(self, *more):
        return "".join(f"{line}\n" for line in [*(f"{key} = {value}" for key, value in self.values.items()), *more])

    def in_force(self, key):
        table, leaf = key.split(".")
        return self.config()["config"][table][leaf]

    def config(self):
        with urllib.request.urlopen(f"{self.server.url}api/config") as response:
            return json.load(response)

    def wait_for_notice(self, topic, *parts):
        """Until the page has a notice with these parts in it; returns it."""
        selector = f"#notices p[data-topic={topic}]"
        found = f"document.querySelector({json.dumps(selector)})?.textContent ?? ''"
        self.page.wait_until(f"{json.dumps(parts)}.every((part) => ({found}).includes(part))")
        return self.page.driver.execute_script(f"return {found}")

    def wait_for_silence(self):
        self.page.wait_until("document.getElementById('notices').childElementCount === 0")


@pytest.fixture
def edited(server, page):
    return Edited(server, page)


def test_fifty_edits(edited, capsys):
    """Good and bad ones in turn, each way of writing several times; every one is told on the page."""
    rows = []
    good = bad = 0
    for number in range(EDITS):
        way = WAYS[number % len(WAYS)]
        # Where it is, the line counts; which number it is, makes it unlike the one before.
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
            told = edited.wait_for_notice("configuration", f"Applied {key}.")
            assert edited.in_force(key) == json.loads(value)
        rows.append((number + 1, way.__name__.replace("_", " "), told.splitlines()[-1].removeprefix(f"{edited.path}:")))
    with capsys.disabled():
        print(f"\n{'edit':>4}  {'written':<16}told")
        for number, way, told in rows:
            print(f"{number:>4}  {way:<16}{told}")
        print(f"{good} applied, {bad} refused")
    assert edited.page.console() == []
    log = edited.server.log.read_text()
    assert log.count("Applied ") >= good
    # Each has a line that counts the mistakes, and the mistake.
    assert log.count("nothing was changed:") >= bad


def test_a_size_holds_without_a_restart(edited):
    edited.values |= {"camera.width": "320", "camera.height": "200"}
    editing.rename_over(edited.path, edited.text())
    edited.page.wait_until("document.getElementById('frame-size').textContent === '320 × 200'")
    edited.wait_for_notice("configuration", "Applied camera.width, camera.height.")


def test_what_needs_a_restart_is_told_until_it_is_taken_back(edited):
    edited.values["web.templates"] = '"."'
    editing.rename_over(edited.path, edited.text())
    edited.wait_for_notice("restart", "web.templates: restart Swatchcam to use ", "it still uses the built-in")
    assert edited.in_force("web.templates") is None
    editing.truncate(edited.path, edited.text("camera.fps = many"))
    edited.wait_for_notice("configuration", "Nothing was changed")
    edited.wait_for_notice("restart", "web.templates")
    del edited.values["web.templates"]
    editing.truncate(edited.path, edited.text())
    edited.wait_for_silence()


def test_a_file_that_is_gone_is_told_and_read_when_it_is_back(edited):
    edited.values["picture.quality"] = "33"
    editing.truncate(edited.path, edited.text())
    edited.wait_for_notice("configuration", "Applied picture.quality.")
    edited.path.unlink()
    edited.wait_for_notice("configuration", "is gone. What it said still holds")
    assert edited.in_force("picture.quality") == 33
    edited.path.write_text(edited.text())
    edited.wait_for_silence()
    edited.path.unlink()
    edited.wait_for_notice("configuration", "is gone.")
    edited.values["picture.quality"] = "34"
    edited.path.write_text(edited.text())
    edited.wait_for_notice("configuration", "Applied picture.quality.")


def test_what_was_changed_on_the_page_stays(edited):
    body = json.dumps({"effect": "invert"}).encode()
    request = urllib.request.Request(
        f"{edited.server.url}api/settings", body, {"Content-Type": "application/json"}, method="PUT"
    )
    urllib.request.urlopen(request).close()
    edited.values["picture.quality"] = "44"
    editing.vim_by_rename(edited.path, edited.text())
    edited.wait_for_notice("configuration", "Applied picture.quality.")
    assert edited.in_force("picture.effect") == "invert"


def test_the_command_line_stands_above_an_edit(edited):
    edited.values["web.port"] = "9000"
    editing.truncate(edited.path, edited.text())
    edited.wait_for_notice("configuration", "web.port stays as --port has it.")


def test_a_hangup_has_the_file_looked_at(edited):
    # Mounted, say, where changes are not told: here nothing but the signal can tell that the folder is there now.
    folder = edited.path.parent / "pages"
    edited.values["web.templates"] = f'"{folder.name}"'
    editing.truncate(edited.path, edited.text())
    edited.wait_for_notice("configuration", "there is no folder")
    folder.mkdir()
    edited.server.process.send_signal(signal.SIGHUP)
    edited.wait_for_notice("restart", "web.templates")
    assert edited.server.process.poll() is None


LIMITS = "echo 0 > /proc/sys/user/max_inotify_instances"


@pytest.mark.skipif(
    subprocess.run(["unshare", "-Ur", "sh", "-c", LIMITS], check=False, capture_output=True).returncode != 0,
    reason="this user may not have a user namespace, which can limit inotify",
)
def test_a_hangup_is_enough_where_nothing_can_be_watched(start_program, browse):
    server = start_program(prefix=["unshare", "-Ur", "sh", "-c", f'{LIMITS} && exec "$0" "$@"'])
    edited = Edited(server, browse(server))
    edited.values["picture.quality"] = "77"
    editing.rename_over(edited.path, edited.text())
    server.process.send_signal(signal.SIGHUP)
    edited.wait_for_notice("configuration", "Applied picture.quality.")
    assert server.log.read_text().count("Edits of the configuration are not noticed: this user has as many") == 1


def test_an_edit_that_applied_is_not_told_for_ever(edited):
    edited.values["picture.quality"] = "22"
    editing.truncate(edited.path, edited.text())
    edited.wait_for_notice("configuration", "Applied picture.quality.")
    edited.wait_for_silence()
    assert edited.in_force("picture.quality") == 22


@pytest.mark.parametrize("rate", [0.2, 60])
def test_page_stays_live_when_the_rate_changes(edited, rate):
    edited.page.driver.execute_script("""
      window.states = new Set();
      const dashboard = document.getElementById("dashboard");
      new MutationObserver(() => window.states.add(dashboard.dataset.state))
        .observe(dashboard, { attributeFilter: ["data-state"] });
    """)
    edited.values["readings.rate"] = str(rate)
    editing.truncate(edited.path, edited.text())
    edited.wait_for_notice("configuration", "Applied readings.rate.")
    edited.page.wait_for_readings(3)
    assert "stale" not in edited.page.driver.execute_script("return [...window.states]")
