"""Measures whether a browser can run as a kiosk for long, and how its memory grows: make bench-kiosk (as root)

    kiosk.py [--browser cog] [--minutes 60] [--rate 60] [--limit 300] [--flags=--web-mem-limit=200]

The kiosk's session shows the colour of Swatchcam's test pattern on a virtual screen. At 60 readings a second, a page
has as many in 96 minutes as in a day at the usual four. Each minute, the colour on the screen is compared with the
readings just before and after it. The session runs in a memory control group without swap. Memory is what the group
uses, and the proportional set size (PSS) of its programs: each page of memory counts in equal parts for all processes
that share it.
"""

import argparse
import collections
import contextlib
import os
import pathlib
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "Tests"))

from Harness import process, screen
from Harness.server import Server
from Harness.waiting import wait_until

NEAR = 3
"""How many code values the screen may differ from a reading: it shows one between those that are compared."""


class ControlGroup:
    """A memory control group without swap, of either version of the kernel's interface."""

    def __init__(self, limit: int):
        """Makes the group; `limit` is in MiB. Only root may do so."""
        root = pathlib.Path("/sys/fs/cgroup")
        if (root / "cgroup.controllers").exists():
            limits, self._usage = {"memory.max": limit << 20, "memory.swap.max": 0}, "memory.current"
        else:
            root /= "memory"
            limits = {"memory.limit_in_bytes": limit << 20, "memory.swappiness": 0}
            self._usage = "memory.usage_in_bytes"
        self._root, self._folder = root, root / f"swatchcam-kiosk-{os.getpid()}"
        self._folder.mkdir()
        for name, value in limits.items():
            (self._folder / name).write_text(str(value))

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Processes that are started inside of the block belong to the group."""
        (self._folder / "cgroup.procs").write_text(str(os.getpid()))
        try:
            yield
        finally:
            (self._root / "cgroup.procs").write_text(str(os.getpid()))

    @property
    def usage(self) -> float:
        """MiB, with the files that its processes were the first to read."""
        return int((self._folder / self._usage).read_text()) / (1 << 20)

    def remove(self) -> None:
        """Removes the group as soon as its processes, which were told to end, are gone."""
        wait_until(lambda: not (self._folder / "cgroup.procs").read_text(), "the group still has processes")
        self._folder.rmdir()


def channels(color: str) -> list[int]:
    return [int(color[place : place + 2], 16) for place in (1, 3, 5)]


def shows_reading(server: Server, session: screen.KioskSession) -> bool:
    """Whether the screen is filled by the colour of a reading, or by one between two that follow each other."""
    first = channels(server.reading()["hex"])
    color = session.color()
    last = channels(server.reading()["hex"])
    return color is not None and all(
        min(ends) - NEAR <= channel <= max(ends) + NEAR
        for channel, *ends in zip(channels(color), first, last, strict=True)
    )


def memory(session: screen.KioskSession) -> dict[str, float]:
    """The PSS in MiB by the name of the program, largest first."""
    found: collections.Counter[str] = collections.Counter()
    for pid in session.processes(""):
        # A process may end meanwhile.
        with contextlib.suppress(OSError, StopIteration):
            name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
            found[name] += process.proportional(pid)
    return dict(found.most_common())


def processor_time(session: screen.KioskSession) -> float:
    return sum(process.processor_time(pid) for pid in session.processes(""))


def summary(values: list[float]) -> str:
    """The range of values that were taken once a minute, and the slope of the line through them, by least squares."""
    slope = 60 * statistics.linear_regression(range(len(values)), values).slope
    return f"{min(values):.1f} to {max(values):.1f} MiB, growing by {slope:.1f} MiB an hour"


def measure(server: Server, session: screen.KioskSession, group: ControlGroup, minutes: int) -> None:
    with group.entered():
        session.start()
    wait_until(lambda: shows_reading(server, session), lambda: f"no colour:\n{session.log}", screen.SESSION_PATIENCE)
    began, first, computed = time.monotonic(), server.reading()["sequence"], processor_time(session)
    shown, sizes, usage, pages = 0, [], [], set()
    for minute in range(1, minutes + 1):
        time.sleep(max(0, began + 60 * minute - time.monotonic()))
        if session.has_ended:
            sys.exit(f"The session ended in minute {minute}:\n{session.log}")
        count = server.reading()["sequence"] - first
        shown += shows_reading(server, session)
        pages.update(session.processes("WPEWebProcess"), session.processes("--type=renderer"))
        parts = memory(session)
        sizes.append(sum(parts.values()))
        usage.append(group.usage)
        largest = ", ".join(f"{name} {size:.1f}" for name, size in list(parts.items())[:4])
        print(f"minute {minute}: {count} readings, on the screen {shown} of {minute} times, ", end="")
        print(
            f"PSS {sizes[-1]:.1f} MiB ({largest}), group {usage[-1]:.1f} MiB, {len(pages)} processes of pages so far",
            flush=True,
        )
    half = minutes // 2
    print(f"PSS: {summary(sizes)}; in the second half {summary(sizes[half:])}")
    print(f"group: {summary(usage)}; in the second half {summary(usage[half:])}")
    busy = (processor_time(session) - computed) / (time.monotonic() - began)
    print(f"processor time: {100 * busy:.0f} % of one core")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--browser", choices=["chromium", "cog"], default="cog")
    parser.add_argument("--minutes", type=int, default=60, help="at least 4")
    parser.add_argument("--rate", type=float, default=60, help="readings a second")
    parser.add_argument("--limit", type=int, default=300, help="MiB of the control group")
    parser.add_argument("--flags", default="", help="more flags for the browser")
    arguments = parser.parse_args()
    if arguments.minutes < 4:
        parser.error("--minutes must be 4 at least")
    # Chromium's own sandbox often does not work in a container.
    flags = f"--no-sandbox {arguments.flags}" if arguments.browser == "chromium" else arguments.flags
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        folder.chmod(0o755)
        (folder / "server").mkdir()
        (folder / "screen").mkdir()
        server = Server(folder / "server", config=f"fps = 60\n[readings]\nrate = {arguments.rate}\n")
        stack.callback(server.stop)
        server.start()
        session = screen.KioskSession(
            stack.enter_context(screen.installed()),
            folder / "screen",
            server.config,
            stack.enter_context(screen.display()),
            SWATCHCAM_KIOSK_BROWSER=arguments.browser,
            SWATCHCAM_KIOSK_FLAGS=flags,
            SWATCHCAM_KIOSK_URL=f"{server.url}kiosk",
        )
        group = ControlGroup(arguments.limit)
        stack.callback(group.remove)
        stack.callback(session.stop)
        measure(server, session, group, arguments.minutes)


if __name__ == "__main__":
    main()
