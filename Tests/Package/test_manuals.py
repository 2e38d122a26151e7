"""The manual pages agree with the program."""

import gzip
import json
import re
import subprocess

import pytest
from debian_root import execute

PAGES = ["man1/swatchcam.1.gz", "man1/swatchcam-kiosk.1.gz", "man5/swatchcam.toml.5.gz"]

NOT_IN_THE_USAGE = {"generate-completion-script"}
"""Options that swift-argument-parser adds to every program and does not list."""


@pytest.fixture(scope="session")
def page(unpacked):
    """The source of swatchcam(1): the text of each section and subsection by its name."""
    text = gzip.decompress((unpacked / "usr/share/man" / PAGES[0]).read_bytes()).decode()
    sections = re.split(r"^\.S[sh] ", text, flags=re.MULTILINE)[1:]
    return dict(section.split("\n", 1) for section in sections)


@pytest.fixture(scope="session")
def commands(unpacked):
    """The commands of the program and the options of each, as it describes itself."""
    usage = json.loads(execute([str(unpacked / "usr/bin/swatchcam"), "--experimental-dump-help"]))["command"]
    return {command["commandName"]: options(command) for command in usage["subcommands"]} | {"": options(usage)}


def options(command):
    names = [name["name"] for argument in command.get("arguments", []) for name in argument.get("names", [])]
    return {name for name in names if len(name) > 1}


def named(text):
    """The options that are items of a list in the source."""
    items = re.findall(r"^\.It (Fl .*)", text, flags=re.MULTILINE)
    return {name for item in items for name in re.findall(r"-([a-z][a-z-]+)", item)}


@pytest.mark.parametrize("name", PAGES)
def test_mandoc_warns_about_nothing(unpacked, name):
    # Without -Wstyle: mandoc knows only those other manual pages that are installed here.
    command = ["mandoc", "-Tlint", "-Wwarning", str(unpacked / "usr/share/man" / name)]
    said = subprocess.run(command, check=False, capture_output=True, text=True)
    assert said.stdout + said.stderr == ""


def test_every_command_has_a_section_in_the_manual(page, commands):
    assert not [name for name in commands if name and name not in page]


def test_every_command_is_in_the_synopsis_of_the_manual(page, commands):
    assert not [name for name in commands if name and not re.search(rf"Cm {name}$", page["SYNOPSIS"], re.MULTILINE)]


def test_the_manual_describes_every_option(page, commands):
    told = {name: named(page.get(name, "")) | named(page["Options"]) for name in commands}
    assert {name: missing for name, had in commands.items() if (missing := had - told[name])} == {}


def test_the_manual_describes_no_option_that_does_not_exist(page, commands):
    told = {name: named(text) for name, text in page.items() if name in commands}
    assert {name: wrong for name, had in told.items() if (wrong := had - commands[name])} == {}
    assert named(page["Options"]) - set().union(*commands.values()) == NOT_IN_THE_USAGE
