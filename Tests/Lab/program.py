"""Helpers to run the program under test with a camera, which only the lab needs besides the harness."""

import contextlib
import itertools
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).parents[1]))  # for Harness, in scripts that run without pytest

from Harness import process
from Harness.api import get_json as get
from Harness.api import request
from Harness.program import PROGRAM, ROOT, free_port, run
from Harness.waiting import stretched, wait_until

__all__ = ["ROOT", "free_port", "get", "run", "wait_until"]


def sampled(cases, common):
    """Marks the cases that are not common as needed for a release only. A case that is a tuple has several values."""
    return [
        case
        if case in common
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.release)
        for case in cases
    ]


def patience():
    """Seconds of this kernel, under its present load, after which something is taken to hang."""
    return stretched(60)


@contextlib.contextmanager
def reading_continuously(path, env=None):
    """The readings that `swatchcam read` prints with this configuration, one after another, until the block ends."""
    command = [*PROGRAM, "read", "--json", "--count", "100000", "--config", str(path)]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=env, **quiet) as reader:
        try:
            yield map(json.loads, reader.stdout)
        finally:
            reader.kill()


def config(directory, device, *, rate=4, port=8080, address="127.0.0.1", **camera):
    """Writes a config.toml for this device and returns its path."""
    lines = ["[camera]", f"device = {json.dumps(device)}"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in camera.items()]
    lines += ["[readings]", f"rate = {rate}", "[web]", f"address = {json.dumps(address)}", f"port = {port}"]
    path = pathlib.Path(directory) / "config.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


@contextlib.contextmanager
def serving(path, port, state="live", prefix=(), stderr=None):
    """`swatchcam serve` with this configuration, once it is in this state, until the block ends."""
    command = [*prefix, *PROGRAM, "serve", "--config", str(path)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=stderr) as server:
        try:
            wait_for_state(state, f"http://127.0.0.1:{port}", server)
            yield server
        finally:
            if server.poll() is None:
                server.send_signal(signal.SIGTERM)
                try:
                    server.wait(patience())
                except subprocess.TimeoutExpired:
                    server.kill()
                    raise


def wait_for_state(state, url, server, timeout=60):
    """The first reading in this state; fails if the process of the server ends.

    `timeout` is in seconds of an idle machine, as that of `wait_until`.
    """

    def reading():
        assert server.poll() is None, f"the server ended unexpectedly, with status {server.returncode}"
        with contextlib.suppress(OSError):
            return get(f"{url}/api/reading")

    return wait_until(
        reading,
        f"there is no reading in the state {state}",
        timeout=timeout,
        holds=lambda newest: newest is not None and newest["state"] == state,
    )


def post(url, body=None):
    """Status and document of the answer to a POST of this JSON."""
    answer = request(url, "POST", body)
    return answer.status, answer.json


def repetitions(times):
    """How often to repeat what may leak (less often without SWATCHCAM_LAB_FULL), and the counts at which to measure."""
    times = times if os.environ.get("SWATCHCAM_LAB_FULL") else times * 2 // 5
    return times, tuple(times * tenth // 10 for tenth in range(1, 11))


def footprint(pid):
    """Open descriptors, memory mappings and resident KiB of a process."""
    return len(process.descriptors(pid)), process.mappings(pid), round(process.resident(pid) * 1024)


def table(figures, what):
    """Footprints by the number of repetitions."""
    lines = [
        f"{count} {what}: {fds} descriptors, {maps} mappings, {rss} KiB" for count, (fds, maps, rss) in figures.items()
    ]
    return "".join(f"\n  {line}" for line in lines)


def check_leaks(figures):
    """Fails if descriptors or mappings stay open, or if memory grows by a page and a half each time.

    A leak shows between most figures and the next. Between some of them, the kernel may add or remove 2 MiB in one
    step, and the allocator may add an arena for a new thread.
    """
    first, last = min(figures), max(figures)
    assert figures[last][0] <= figures[first][0]
    assert figures[last][1] <= figures[first][1] + 8
    growth = [(figures[b][2] - figures[a][2]) / (b - a) for a, b in itertools.pairwise(sorted(figures))]
    assert statistics.median(growth) < 6
