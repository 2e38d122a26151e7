"""Prints where the time of the last `make test`, `make test-all` or `make test-release` went. `make durations` runs it.

It lists the parts, with their seconds and the processor seconds that they used, and the slowest tests that pytest reports.
Unit tests run side by side, so what Swift Testing prints only says how late one ended. To measure each alone, keep what
`.build/debug/swatchcamPackageTests.xctest --testing-library swift-testing --no-parallel` prints, and name that file as
argument.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOGS = ROOT / ".build/test-parts"

# "12.34s call     Tests/Web/test_api.py::test_name"
PYTEST = re.compile(r"^\s*(?P<seconds>[\d.]+)s (?:call|setup|teardown)\s+(?P<name>\S.*)$")
SWIFT = re.compile(r'Test "(?P<name>.+?)"(?: with \d+ test cases?)? passed after (?P<seconds>[\d.]+) seconds')


def parts() -> list[tuple[str, int, int]]:
    """Each part with its seconds and processor seconds."""
    found = []
    for result in LOGS.glob("*.result"):
        _, seconds, processor = result.read_text().split()
        found.append((result.stem, int(seconds), int(processor)))
    return found


def durations(logs: list[pathlib.Path], pattern: re.Pattern[str]) -> list[tuple[float, str, str]]:
    """The seconds and the name of each test in the logs, and the log's name."""
    found = []
    for log in logs:
        for line in log.read_text(errors="replace").splitlines():
            if match := pattern.search(line):
                found.append((float(match["seconds"]), match["name"], log.stem))
    return found


def show(title: str, rows: list[tuple[float, str, str]], count: int) -> None:
    if not rows:
        return
    print(f"\n{title}")
    for seconds, name, log in sorted(rows, reverse=True)[:count]:
        print(f"{seconds:8.1f} s  {log:12} {name}")


def main() -> int:
    if len(sys.argv) > 1:
        show("The slowest unit tests", durations([pathlib.Path(sys.argv[1])], SWIFT), 40)
        return 0
    if not LOGS.is_dir():
        print("Nothing has run yet: make test")
        return 1
    print(f"{'part':14} {'seconds':>8} {'processor':>10} {'processors busy':>16}")
    for part, seconds, processor in sorted(parts(), key=lambda each: -each[1]):
        print(f"{part:14} {seconds:8} {processor:10} {processor / max(seconds, 1):16.2f}")
    show("The slowest tests", durations([*LOGS.glob("*.log")], PYTEST), 40)
    return 0


if __name__ == "__main__":
    sys.exit(main())
