#!/usr/bin/env python3
"""Runs the package in Debian's arm64 kernels: run_lab.py [--prepare | PACKAGE.deb [MACHINE...]] [--jobs N] [-- PYTEST ARGUMENTS]

Each machine runs tests of Tests/Lab in a guest of its own (see `lab`), as many at a time as this machine has
processors, but at most four. A line is printed for each test; everything that a guest printed is in
.build/arm64-lab/MACHINE.log, and is printed if it failed. A guest that prints nothing for long is ended; the whole run
has no limit.

--prepare only makes the files of the guests, for which no package is needed.

The table at the end shows how each machine identifies itself, and what could be read there.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / ".build/arm64-lab"
sys.path.append(str(ROOT / "Tests/Lab"))

import run

# The slowest machines come first.
MACHINES = {
    "pi3": ("--pi3",),
    "a76": ("--suite", "trixie", "--cpu", "cortex-a76"),
    "sensor": ("--cpu", "cortex-a72"),
}
DRIVERS = ("--vivid", "n_devs=2 node_types=0x1,0x1 multiplanar=1,2", "--modules", "vhci_hcd uvcvideo")
# The modules that the model of a camera module needs come first.
SENSOR_DRIVERS = ("--vivid", "none", "--modules", "videobuf2-v4l2 v4l2-tpg videobuf2-dma-contig videobuf2-vmalloc")
SENSOR_MODULE = ".build/arm64-lab/model-sensor.ko"
FILES = ("Tests/Lab", "Tests/Harness", "Tests/pytest.ini")
ENVIRONMENT = ("SWATCHCAM=/usr/bin/swatchcam", "SWATCHCAM_LAB=1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1")
# Waiting takes no time there, so the rate of readings is measured for 30 s.
PYTEST = ("python3", "-m", "pytest", "-v", "-rP", "-p", "no:cacheprovider", "--durations=5", "--seconds", "30")

FORMATS = ("RGB3", "YUYV", "NV12", "YU12", "Y16")
# The tests, by the word that stands for them in the table. `{rate}` is what the tests printed.
TESTS = {
    **{code: (f"formats.py::test_the_mean_is_that_of_the_drivers_bytes[single-planar-{code}]",) for code in FORMATS},
    "snapshot, stream": ("serving.py", "switching.py::test_a_signal_ends_the_program_while_the_camera_streams"),
    "WebSocket at {rate} a second": ("cadence.py::test_readings_keep_their_rate[15]",),
    "switching": (
        "switching.py::test_toggling_cycles_through_the_cameras_for_every_client",
        "switching.py::test_the_chosen_camera_survives_a_restart_unless_the_configuration_names_another",
    ),
    "unplugging": ("presence.py::test_an_unplugged_camera_is_lost_and_found_again",),
    "busy": ("states.py::test_a_camera_in_use_by_another_program_is_reported",),
    "USB camera with MJPG": ("uvc.py",),
}
SENSOR_TESTS = {"a sensor's raw pictures": ("sensor.py",)}

# The parts of Arm's processors, from /proc/cpuinfo.
PARTS = {"0xd03": "Cortex-A53", "0xd08": "Cortex-A72", "0xd0b": "Cortex-A76"}


def command(package, machine, arguments):
    is_sensor = machine == "sensor"
    words, drivers = (SENSOR_TESTS, SENSOR_DRIVERS) if is_sensor else (TESTS, DRIVERS)
    tests = [f"Tests/Lab/test_{test}" for tests in words.values() for test in tests]
    files = [word for path in (*FILES, *((SENSOR_MODULE,) if is_sensor else ())) for word in ("--file", path)]
    guest = ["Tests/Arm64/lab", *MACHINES[machine], "--package", package, *drivers, *files, "--"]
    first = ("sh", "-c", f'insmod {SENSOR_MODULE} && exec "$@"', "sh") if is_sensor else ()
    return [*guest, *first, "env", *ENVIRONMENT, *PYTEST, *tests, *arguments]


def row(machine, elapsed):
    """The line of the table for a machine, from what it printed."""
    log = (OUT / f"{machine}.log").read_text(errors="replace")
    facts = re.search(r"^lab: kernel (\S+), pages (\d+), processor (\S+), board (.*)$", log, re.MULTILINE)
    if not facts:
        return (machine, "did not boot", "", "", "", elapsed)
    kernel, pages, part, board = facts.groups()
    rate = re.search(r"^\d+ readings in .*, (\S+) a second$", log, re.MULTILINE)
    shown = [
        word.format(rate=rate and rate[1]) for word, tests in {**TESTS, **SENSOR_TESTS}.items() if passed(log, tests)
    ]
    board = "QEMU's virtual board" if board == "linux,dummy-virt" else board
    return (kernel, f"{int(pages) // 1024} KiB", PARTS.get(part, part), board, ", ".join(shown), elapsed)


def passed(log, tests):
    """Whether the results have tests whose names begin with each of these, and all of them passed."""
    for test in tests:
        results = re.findall(rf"^Tests/Lab/test_{re.escape(test)}.* (PASSED|FAILED|ERROR|SKIPPED)", log, re.MULTILINE)
        if set(results) != {"PASSED"}:
            return False
    return True


def print_table(rows):
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for line in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("package", nargs="?")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count(), 4))
    parser.add_argument("machines", nargs="*", metavar="MACHINE", choices=[*MACHINES, []])
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:end])
    arguments = sys.argv[end + 1 :]
    machines = [machine for machine in MACHINES if machine in (options.machines or MACHINES)]
    OUT.mkdir(parents=True, exist_ok=True)
    for suite in {"trixie" if "trixie" in MACHINES[machine] else "bookworm" for machine in machines}:
        prepare = ["Tests/Arm64/lab", "--suite", suite, "--prepare"]
        subprocess.run(prepare, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    if "sensor" in machines:
        subprocess.run(["Tests/Lab/kernel-modules", "--arm64", OUT], cwd=ROOT, check=True)
    if options.prepare:
        return
    if not options.package:
        parser.error("name the package")
    runner = run.Runner(dict(os.environ), OUT)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        commands = [command(options.package, machine, arguments) for machine in machines]
        results = dict(zip(machines, pool.map(runner.run, machines, commands), strict=True))
    print("\n==== the lab on arm64")
    heading = ("kernel", "pages", "processor", "board", "read", "time")
    print_table([heading, *(row(machine, elapsed) for machine, (_, elapsed) in results.items())])
    succeeded = all(passed for passed, _ in results.values())
    print(f"{'passed' if succeeded else 'FAILED'} in {runner.elapsed()}")
    sys.exit(not succeeded)


if __name__ == "__main__":
    main()
