"""Waiting for a condition, with a limit that grows with the slowness of the machine.

A constant that holds a limit is in seconds of an idle machine. `stretched` converts it where a function of Python's
library takes a limit, so that the load of that moment counts. `wait_until` and `program.run` convert theirs themselves.
"""

import functools
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Value = TypeVar("Value")

PATIENCE = 20.0
"""Seconds within which everything happens on an idle machine, unless something is broken."""

USUAL_SECONDS = 0.004
"""The time that `_processor_slowness` measures on a typical computer."""

MOST_SLOWNESS = 10.0
"""The largest factor by which a limit is stretched: a test that hangs has to end."""


def slowness() -> float:
    """How many times longer something takes now than on an idle computer of typical speed; at least 1.

    A processor may be slow in itself, as an emulated one is, or be shared with other programs. Both are measured.
    """
    return min(_processor_slowness() * _load(), MOST_SLOWNESS)


@functools.cache
def _processor_slowness() -> float:
    """The factor for the processor itself, from processor time, which other programs do not affect."""
    began = time.thread_time()
    sum(range(200_000))
    return max(1.0, (time.thread_time() - began) / USUAL_SECONDS)


def _load() -> float:
    """The number of processes that share a processor, now or on average over the last minute; at least 1."""
    running = int(Path("/proc/loadavg").read_text().split()[3].split("/")[0])
    return max(1.0, running / os.cpu_count(), os.getloadavg()[0] / os.cpu_count())


def stretched(seconds: float = PATIENCE) -> float:
    """Converts seconds of an idle computer to seconds of this one under its present load."""
    return seconds * slowness()


def wait_until(
    condition: Callable[[], Value],
    problem: str | Callable[[], str],
    timeout: float = PATIENCE,
    holds: Callable[[Value], bool] = bool,
) -> Value:
    """Calls `condition` until its result is true, or until `holds` accepts it, and returns that result.

    Fails with `problem` and the last value after `timeout`, in seconds of an idle computer. If `problem` is a function,
    it is called only on failure, so that it can quote a log up to that moment.
    """
    __tracebackhide__ = True
    began = before = time.monotonic()
    spent, pause = 0.0, 0.01
    while not holds(value := condition()):
        now = time.monotonic()
        spent += (now - before) / slowness()
        before = now
        if spent >= timeout:
            text = problem() if callable(problem) else problem
            raise AssertionError(f"{text}\nafter {now - began:.0f} s the last value is {value!r}")
        time.sleep(pause)
        pause = min(pause * 1.5, 0.1)
    return value
