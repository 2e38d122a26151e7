"""The service in the guest: what systemd and its own API say about it, and how long it takes to be live."""

import http.client
import pathlib
import subprocess
import time
import urllib.request

from Harness import api, waiting

UNIT = "swatchcam.service"
URL = "http://127.0.0.1:8080"
CONFIG = pathlib.Path("/etc/swatchcam/config.toml")
STATE = pathlib.Path("/var/lib/swatchcam")
VIVID = pathlib.Path("/sys/bus/platform/drivers/vivid")

# The fault, what happened, and the seconds until live again, for the table at the end.
recoveries = []


def run(*command, check=True):
    return subprocess.run(command, check=check, capture_output=True, text=True, timeout=waiting.stretched(60))


def systemctl(*arguments, check=True):
    return run("systemctl", *arguments, check=check)


def show(name, unit=UNIT):
    """A property, as `systemctl show` prints it."""
    return systemctl("show", "--value", "--property", name, unit).stdout.strip()


def main_pid():
    return int(show("MainPID"))


def restarts():
    return int(show("NRestarts"))


def watchdog_time():
    """When the watchdog was last fed, in microseconds of the monotonic clock."""
    return int(show("WatchdogTimestampMonotonic"))


def request(path, method="GET", body=None):
    """Status and JSON document; (0, None) when there is no answer, or only the beginning of one."""
    try:
        answer = api.request(URL + path, method, body)
    except (OSError, http.client.HTTPException):
        return 0, None
    return answer.status, answer.json


def wait_until(condition, problem):
    """Waits until the condition is true, and returns its result. A failure shows the journal."""
    return waiting.wait_until(condition, lambda: f"{problem}\n{journal()}", timeout=60)


def reading(state):
    """The newest reading, if it has this state."""
    newest = request("/api/reading")[1]
    return newest if newest and newest["state"] == state else None


def wait_for_state(state):
    return wait_until(lambda: reading(state), f"not {state}: {request('/api/reading')[1]}")


def wait_until_live(but_not=None):
    """Waits until a process, other than `but_not`, has a reading of the camera and is healthy."""

    def live():
        return main_pid() not in (0, but_not) and reading("live") and request("/healthz")[0] == 200

    wait_until(live, f"not live: {request('/api/reading')[1]}")


def wait_until_recovered(fault, what, began, but_not=None):
    """Waits until the service is live, and records the time since `began` on the monotonic clock."""
    wait_until_live(but_not)
    took = time.monotonic() - began
    recoveries.append((fault, what, took))
    return took


def journal(*arguments):
    """Everything that the unit's processes have logged since boot, and systemd about the unit."""
    return run("journalctl", "--quiet", "--boot", "--no-pager", "--unit", UNIT, *arguments).stdout


def journal_lines():
    """The journal's lines without times, including everything logged so far."""
    run("journalctl", "--sync")
    return journal("--output", "cat").splitlines()


def mark():
    """The number of the journal's lines so far."""
    return len(journal_lines())


def lines_since(since):
    """Everything that was logged after this mark."""
    return "\n".join(journal_lines()[since:])


def unplug():
    """Unplugs the camera. Until no process holds its node any more, the kernel does not reuse the node's number."""
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
    """A response whose body is endless."""
    return urllib.request.urlopen(URL + path, timeout=waiting.stretched())


def messages(count):
    """The next readings, as the WebSocket sends them."""
    return api.pushed_readings(URL, count)
