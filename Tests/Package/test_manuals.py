"""The manual pages, beside the program that they are of."""

import gzip
import json
import re
import subprocess

import pytest
from debian_root import execute

PAGES = ["man1/swatchcam.1.gz", "man1/swatchcam-kiosk.1.gz", "man5/swatchcam.toml.5.gz"]

NOT_IN_THE_USAGE = {"generate-completion-script"}
"""Options that swift-argument-parser gives to every program, and does not tell of."""


@pytest.fixture(scope="session")
def page(unpacked):
    """The source of swatchcam(1), by subsections: the name of each, and its text."""
    text = gzip.decompress((unpacked / "usr/share/man" / PAGES[0]).read_bytes()).decode()
    sections = re.split(r"^\.S[sh] ", text, flags=re.MULTILINE)[1:]
    return dict(section.split("\n", 1) for section in sections)


@pytest.fixture(scope="session")
def commands(unpacked):
    """The program's own word: its commands, and the options of each."""
    usage = json.loads(execute([str(unpacked / "usr/bin/swatchcam"), "--experimental-dump-help"]))["command"]
    return {command["commandName"]: options(command) for command in usage["subcommands"]} | {"": options(usage)}


def options(command):
    names = [name["name"] for argument in command.get("arguments", []) for name in argument.get("names", [])]
    return {name for name in names if len(name) > 1}


def named(text):
    """The options that are items of a list."""
    items = re.findall(r"^\.It (Fl .*)", text, flags=re.MULTILINE)
    return {name for item in items for name in re.findall(r"-([a-z][a-z-]+)", item)}


@pytest.mark.parametrize("name", PAGES)
def test_mandoc_warns_of_nothing(unpacked, name):
    # Of other manual pages it knows only those that are installed here.
    command = ["mandoc", "-Tlint", "-Wwarning", str(unpacked / "usr/share/man" / name)]
    said = subprocess.run(command, check=False, capture_output=True, text=True)
    assert said.stdout + said.stderr == ""


def test_every_command_has_a_section(page, commands):
    assert not [name for name in commands if name and name not in page]


def test_every_command_is_in_the_synopsis(page, commands):
    assert not [name for name in commands if name and not re.search(rf"Cm {name}$", page["SYNOPSIS"], re.MULTILINE)]


def test_every_option_is_told_with_its_command_or_with_those_of_all(page, commands):
    told = {name: named(page.get(name, "")) | named(page["Options"]) for name in commands}
    assert {name: missing for name, had in commands.items() if (missing := had - told[name])} == {}


def test_no_option_is_told_that_there_is_not(page, commands):
    told = {name: named(text) for name, text in page.items() if name in commands}
    assert {name: wrong for name, had in told.items() if (wrong := had - commands[name])} == {}
    assert named(page["Options"]) - set().union(*commands.values()) == NOT_IN_THE_USAGE


def test_every_exit_status_is_told(page, unpacked):
    usage = execute([str(unpacked / "usr/bin/swatchcam"), "--help"])
    statuses = re.findall(r"\b\d+\b", usage[usage.index("Exit status:") : usage.index("USAGE:")])
    assert re.findall(r"^\.It (\d+)$", page["EXIT STATUS"], re.MULTILINE) == statuses
