"""The service in the guest: what systemd and the program's own pages say of it, and how long it takes to be live."""

import asyncio
import json
import pathlib
import subprocess
import time
import urllib.error
import urllib.request

import websockets

UNIT = "swatchcam.service"
URL = "http://127.0.0.1:8080"
CONFIG = pathlib.Path("/etc/swatchcam/config.toml")
STATE = pathlib.Path("/var/lib/swatchcam")
VIVID = pathlib.Path("/sys/bus/platform/drivers/vivid")

# Far longer than anything takes, in an emulator on a busy machine: what hangs must end some time.
PATIENCE = 120

# What the tests saw: [fault, what happened, seconds until live again], for the table at the end.
recoveries = []


def run(*command, check=True):
    return subprocess.run(command, check=check, capture_output=True, text=True, timeout=PATIENCE)


def systemctl(*arguments, check=True):
    return run("systemctl", *arguments, check=check)


def show(name, unit=UNIT):
    """A property, as `systemctl show` prints it."""
    return systemctl("show", "--value", "--property", name, unit).stdout.strip()


def main_pid():
    return int(show("MainPID"))


def restarts():
    return int(show("NRestarts"))


def fed():
    """When the watchdog was fed last, by the monotonic clock in microseconds."""
    return int(show("WatchdogTimestampMonotonic"))


def request(path, method="GET", body=None):
    """Status and JSON document; (0, None) when nobody answers."""
    data = None if body is None else json.dumps(body).encode()
    question = urllib.request.Request(URL + path, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(question, timeout=PATIENCE) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)
    except OSError:
        return 0, None


def wait_until(condition, problem):
    """What the condition gives when it holds; fails after PATIENCE."""
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < deadline, f"{problem}\n{journal()}"
        time.sleep(0.05)
    return value


def reading(state):
    """The newest reading, if it has this state."""
    newest = request("/api/reading")[1]
    return newest if newest and newest["state"] == state else None


def wait_for_state(state):
    return wait_until(lambda: reading(state), f"not {state}: {request('/api/reading')[1]}")


def wait_until_live(but_not=None):
    """Until a process (another one than this) has a reading of the camera, and health to go with it."""

    def live():
        return main_pid() not in (0, but_not) and reading("live") and request("/healthz")[0] == 200

    wait_until(live, f"not live: {request('/api/reading')[1]}")


def recovered(fault, what, began, but_not=None):
    """Waits until it is live, and notes how long that took from this moment of the monotonic clock."""
    wait_until_live(but_not)
    took = time.monotonic() - began
    recoveries.append((fault, what, took))
    return took


def journal(*arguments):
    """What the unit's processes, and systemd about the unit, have logged since the boot."""
    return run("journalctl", "--quiet", "--boot", "--no-pager", "--unit", UNIT, *arguments).stdout


def said():
    """The journal's lines, without times, from all that has been logged so far."""
    run("journalctl", "--sync")
    return journal("--output", "cat").splitlines()


def mark():
    """A place in the journal: what is logged from now on comes after it."""
    return len(said())


def entries(since):
    """What was logged after this place."""
    return "\n".join(said()[since:])


def unplug():
    """Returns when nobody holds the node any more: as long as one does, the kernel gives its number to no other."""
    (VIVID / "unbind").write_text("vivid.0")
    wait_until(lambda: not any(map(is_camera, pathlib.Path("/proc").glob("[0-9]*/fd/*"))), "the camera is still held")


def is_camera(link):
    try:
        return str(link.readlink()).startswith("/dev/video")
    except OSError:
        return False  # closed meanwhile


def plug():
    if not (VIVID / "vivid.0").exists():
        (VIVID / "bind").write_text("vivid.0")


def watching(path):
    """A response whose body goes on and on."""
    return urllib.request.urlopen(URL + path, timeout=PATIENCE)


def messages(count):
    """So many readings, as they are pushed."""

    async def receive():
        async with websockets.connect(URL.replace("http", "ws") + "/ws") as client:
            return [json.loads(await asyncio.wait_for(client.recv(), PATIENCE)) for _ in range(count)]

    return asyncio.run(receive())
