#!/usr/bin/env python3
"""Follows the guide in the emulated machine, as root, and checks its promises.

guide_steps.py commands DOCUMENT   runs the commands of the guide as the user pi, one by one, and checks their results
guide_steps.py boot                checks the machine after a boot that follows a power cut
guide_steps.py card                checks the machine after cloud-init has set it up

Each step prints a line, `guide: passed` or `guide: FAILED`, with the seconds that it took on the machine's clock, where
an instruction takes a nanosecond. The first failure ends the run, and prints the end of the journal.
"""

import json
import os
import pathlib
import pwd
import re
import subprocess
import sys
import time
import urllib.request

from PIL import Image

USER = "pi"
ACCOUNT = "swatchcam-kiosk"
READING = "http://127.0.0.1:8080/api/reading"
NO_COLOR = (0x1A, 0x1A, 0x1A)
"""The background of the page while it has no colour to show."""

PATIENCE = 600
"""Seconds within which a browser shows its page, on a processor of one instruction a nanosecond."""


class Failure(Exception):
    """A promise that was not kept."""


def step(name, action, *arguments):
    began = time.monotonic()
    try:
        said = action(*arguments)
    except Failure as failure:
        print(f"guide: FAILED {time.monotonic() - began:6.1f} s  {name}\n{failure}\n", flush=True)
        print(output("journalctl", "--no-pager", "--lines=150", "--output=short-monotonic"))
        sys.exit(1)
    print(f"guide: passed {time.monotonic() - began:6.1f} s  {name}{f': {said}' if said else ''}", flush=True)


def output(*command):
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    ).stdout


def wait_until(condition, problem, timeout=PATIENCE):
    end = time.monotonic() + timeout
    said = time.monotonic()
    while not (found := condition()):
        if time.monotonic() > end:
            raise Failure(problem())
        if time.monotonic() > said + 5:
            # The lab ends a machine that prints nothing for long.
            print(f"guide: waiting, {end - time.monotonic():.0f} s left", flush=True)
            said = time.monotonic()
        time.sleep(1)
    return found


# --- The commands


def run_as_user(command):
    """Runs a command as somebody who has logged in, and returns what it printed."""
    done = subprocess.run(
        ["runuser", "--login", USER, "--command", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    print(*(f"    {line}" for line in done.stdout.splitlines()[-12:]), sep="\n", flush=True)
    if done.returncode:
        raise Failure(f"the command ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def run_and_expect(command):
    printed = run_as_user(command)
    for beginning, expected in {
        "swatchcam cameras": "vivid",
        "swatchcam status": "#",
        "curl ": '"hex"',
    }.items():
        if command.startswith(beginning) and expected not in printed:
            raise Failure(f"the command did not print {expected}")


def run_commands(document):
    text = pathlib.Path(document).read_text()
    block = re.search(r"^## The commands$.*?^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[1]
    question = re.search(r"Once the package is installed, the service runs: `(curl [^`]*)`", text)[1]
    for number, command in enumerate(block.splitlines(), 1):
        step(command, run_and_expect, command)
        if number == 3:
            step("the service is enabled and runs", expect_running, "swatchcam")
            step("a reading has a colour", wait_for_reading)
            step(question, run_and_expect, question)
        if command.endswith("swatchcam-kiosk enable"):
            step("the kiosk is enabled and runs", expect_running, ACCOUNT)
            step("the page is on the screen", wait_for_page)
            step("the kiosk is a session of its own on the first terminal", expect_session)


# --- The checks


def expect_running(unit):
    for question, answer in (("is-enabled", "enabled"), ("is-active", "active")):
        said = output("systemctl", question, unit).strip()
        if said != answer:
            raise Failure(f"systemctl {question} {unit} prints {said}, not {answer}")


def reading():
    try:
        with urllib.request.urlopen(READING, timeout=30) as answer:
            return json.load(answer)
    except (OSError, ValueError):
        return {}


def wait_for_reading():
    return wait_until(lambda: reading().get("hex"), lambda: f"no reading has a colour: {reading()}", 60)


def picture():
    """A picture of the screen, or None."""
    folder = pathlib.Path(f"/run/user/{pwd.getpwnam(ACCOUNT).pw_uid}")
    sockets = [path.name for path in folder.glob("wayland-?")]
    if not sockets:
        return None
    environment = {"XDG_RUNTIME_DIR": str(folder), "WAYLAND_DISPLAY": sockets[0]}
    grim = ["setpriv", f"--reuid={ACCOUNT}", f"--regid={ACCOUNT}", "--clear-groups", "grim", "-t", "ppm", "-"]
    done = subprocess.run(
        grim, env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    if done.returncode:
        return None
    pathlib.Path("/run/screen.ppm").write_bytes(done.stdout)
    return Image.open("/run/screen.ppm").convert("RGB")


def color_on_screen():
    """The colour of all corners of the screen, or None while they have none that could be a reading's."""
    image = picture()
    if not image:
        return None
    right, bottom = image.width - 2, image.height - 2
    corners = {image.getpixel(place) for place in ((1, 1), (right, 1), (1, bottom), (right, bottom))}
    color = corners.pop()
    return None if corners or color in ((0, 0, 0), (255, 255, 255), NO_COLOR) else color


def page_is_shown():
    """The reading's colour, if the screen has it. A driver's picture changes a little from frame to frame."""
    shown = color_on_screen()
    code = reading().get("hex")
    if not shown or not code:
        return None
    read = bytes.fromhex(code.lstrip("#"))
    same = all(abs(one - other) <= 4 for one, other in zip(shown, read, strict=True))
    return f"{code} is read, #{bytes(shown).hex().upper()} is shown" if same else None


def wait_for_page():
    shown = wait_until(page_is_shown, lambda: f"the screen does not show the colour:\n{processes()}")
    browser = re.search(r"^\d+ \S*/(chromium|cog) ", processes(), re.MULTILINE)
    return f"{shown}, by {browser[1] if browser else 'an unknown browser'}"


def processes():
    """The command lines of the kiosk's user."""
    lines = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if folder.stat().st_uid == pwd.getpwnam(ACCOUNT).pw_uid:
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                lines.append(f"{folder.name} {line}")
        except OSError:
            # The process ended in the meantime.
            continue
    return "\n".join(lines)


def expect_session():
    sessions = output("loginctl", "list-sessions", "--no-legend")
    if not re.search(rf"\b{ACCOUNT}\b.*\bseat0\b.*\btty1\b", sessions):
        raise Failure(f"there is no session of {ACCOUNT} on seat0 and tty1:\n{sessions}")
    if output("systemctl", "is-active", "getty@tty1").strip() == "active":
        raise Failure("there is a login on the first terminal too")


def expect_all():
    for unit in ("swatchcam", ACCOUNT):
        step(f"{unit} is enabled and runs", expect_running, unit)
    step("a reading has a colour", wait_for_reading)
    step("the page is on the screen", wait_for_page)
    step("the kiosk is a session of its own on the first terminal", expect_session)


def expect_cloud_init():
    print("guide: waiting for cloud-init", flush=True)
    # In a machine that counts instructions, asking cloud-init for its status costs as much as its work.
    ended = pathlib.Path("/run/cloud-init/result.json")
    wait_until(ended.exists, lambda: output("cloud-init", "status", "--long"))
    said = output("cloud-init", "status", "--long")
    result = json.loads(pathlib.Path("/run/cloud-init/result.json").read_text())["v1"]
    log = output("cat", "/var/log/cloud-init-output.log")
    try:
        lines = pathlib.Path("/var/log/cloud-init.log").read_text(errors="replace").splitlines()
    except OSError as error:
        raise Failure(f"cloud-init's log cannot be read: {error}\n{said}\n{result}\n{log}") from error
    warnings = [line for line in lines if "WARNING" in line]
    if "status: done" not in said or result["errors"] or warnings:
        raise Failure(f"{said}\n{result}\n" + "\n".join(warnings) + f"\n{log}")
    print(said, *log.splitlines()[-25:], sep="\n    ")
    return f"done, no errors, no warnings, from {result['datasource']}"


def expect_valid():
    said = output("cloud-init", "schema", "--config-file", "/boot/firmware/user-data")
    if not re.search(r"^ *Valid (cloud-config|schema)", said, re.MULTILINE) or "rror" in said:
        raise Failure(said)
    return said.strip().splitlines()[-1].strip()


def main():
    what, *arguments = sys.argv[1:]
    if what == "commands":
        run_commands(*arguments)
        return
    if what == "card":
        step("cloud-init schema", expect_valid)
        step("cloud-init status", expect_cloud_init)
    expect_all()


if __name__ == "__main__":
    main()
