#!/usr/bin/env python3
"""Runs the tests that need V4L2, in groups: run.py [--quick | --prepare] [--jobs N] [GROUP...] [-- PYTEST ARGUMENTS]

Most groups boot a guest of their own (see `lab`). As many groups run at a time as this machine has processors, but at
most four. A guest that prints nothing for long is ended; the whole run has no limit. A line is printed for each test;
everything that a group printed is in .build/lab/GROUP.log. On a machine whose own kernel has vivid, nothing is booted.

--quick runs one test of each kind, in one guest, in about a minute. `-- -m "not release"` leaves out groups and cases that
only a release needs. --prepare only downloads and builds what the guests need of Debian, for which no program is needed.
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / ".build/lab"
PYTEST = (".venv/bin/python", "-m", "pytest", "-v", "-rP", "-p", "no:cacheprovider")

# vivid through both of V4L2's APIs, and the modules that uvc_camera.py is plugged into.
DRIVERS = ("--vivid", "n_devs=2 node_types=0x1,0x1 multiplanar=1,2", "--modules", "vhci_hcd uvcvideo")
FILES = ("Tests/Lab", "Tests/Harness", "Tests/pytest.ini", ".build/lab")
PASSED_ON = ("SWATCHCAM", "SWATCHCAM_LAB", "SWATCHCAM_LAB_FULL", "PYTEST_DISABLE_PLUGIN_AUTOLOAD")
# In seconds. Even a guest that computes all the time prints something every few seconds.
SILENCE = 120

# Each of these is one guest, because booting takes as long as many tests. What reloads a driver comes last.
IN_GUESTS = {
    "pictures": ("formats", "colorimetry", "calibration", "sizes"),
    "running": ("switching", "serving", "states", "cadence", "demand", "faults", "presence"),
    "devices": ("controls", "measurement", "uvc", "discovery", "loopback"),
}
# Groups that boot no guest for their tests: a browser of this machine is the client of dashboard, clients needs no guest,
# and power-cut boots its own.
ON_THIS_MACHINE = {
    "dashboard": ("dashboard",),
    "clients": ("pictures", "viewers"),
    "power-cut": ("power_cut",),
}
# The longest groups come first, so that no processor is idle at the end.
ORDER = ("pictures", "running", "devices", "camera-module", "dashboard", "power-cut", "clients")
RELEASE = ("power-cut",)
"""The groups that only a release needs."""
NOT_RELEASE = "not release"
"""What selects, after pytest's option -m, the tests that not only a release needs."""

QUICK = (
    "formats.py::test_the_mean_is_that_of_the_drivers_bytes[single-planar-YUYV]",
    "formats.py::test_the_mean_is_that_of_the_drivers_bytes[multi-planar-NM12]",
    "states.py::test_a_camera_in_use_by_another_program_is_reported",
    "presence.py::test_an_unplugged_camera_is_lost_and_found_again[auto]",
    "switching.py::test_toggling_cycles_through_the_cameras_for_every_client",
    "controls.py::TestARunningCamera::test_a_control_of_each_kind_is_set_and_read_back[brightness-77-77-77]",
    "uvc.py::test_a_jpeg_frame_is_read_in_its_colour",
    "loopback.py::test_a_source_whose_feeder_hangs_is_lost_until_it_delivers_a_new_frame[trixie-1]",
)


def has_vivid():
    names = pathlib.Path("/sys/class/video4linux").glob("*/name")
    return any("vivid" in name.read_text() for name in names)


def guest(*options, drivers=DRIVERS):
    passed_on = itertools.chain.from_iterable(("--env", name) for name in PASSED_ON)
    return ["Tests/Lab/lab", "--silence", str(SILENCE), *drivers, *passed_on, *options, "--"]


# A camera module alone. The modules that it depends on come first.
CAMERA_MODULE = (
    *("--vivid", "none", "--modules"),
    "videobuf2-v4l2 v4l2-tpg videobuf2-dma-contig videobuf2-vmalloc .build/lab/modules/vimc.ko",
)


def groups(options):
    """The command of each group."""

    def tests(modules):
        return [f"Tests/Lab/test_{module}.py" for module in modules]

    files = itertools.chain.from_iterable(("--file", path) for path in FILES)
    booting = [] if has_vivid() else guest("--skip-waits", *files)
    if options.quick:
        return {"quick": [*booting, *PYTEST, *(f"Tests/Lab/test_{name}" for name in QUICK), *options.pytest]}
    commands = {name: [*PYTEST, *tests(modules), *options.pytest] for name, modules in ON_THIS_MACHINE.items()}
    for name, modules in IN_GUESTS.items():
        commands[name] = [*booting, *PYTEST, *tests(modules), *options.pytest]
    # libcamera and udev need more of this machine than fits into a guest's memory.
    commands["camera-module"] = [
        *([] if has_vivid() else guest(drivers=CAMERA_MODULE)),
        *PYTEST,
        *tests(("camera_module", "sensor")),
        *options.pytest,
    ]
    unknown = set(options.groups) - set(commands)
    if unknown:
        sys.exit(f"There is no group {', '.join(unknown)}; there are {', '.join(commands)}.")
    chosen = options.groups or [name for name in ORDER if name not in RELEASE or NOT_RELEASE not in options.pytest]
    return {name: commands[name] for name in chosen}


class Runner:
    """Runs groups side by side and prints the results of their tests."""

    # The results that pytest prints.
    RESULT = re.compile(r"Tests/Lab/test_\w+\.py::.* (PASSED|FAILED|ERROR|SKIPPED).*|=+ .* in [\d.]+s.*=")

    def __init__(self, environment, out=OUT):
        self.environment = environment
        self.out = out
        self.began = time.monotonic()
        self.lock = threading.Lock()

    def elapsed(self, since=None):
        seconds = round(time.monotonic() - (self.began if since is None else since))
        return f"{seconds // 60}:{seconds % 60:02}"

    def print(self, name, text):
        with self.lock:
            print(f"{self.elapsed():>5} {name:13} {text}", flush=True)

    def run(self, name, command):
        """Runs a group; returns whether it passed, and how long it took."""
        began = time.monotonic()
        self.print(name, "began")
        with (
            (self.out / f"{name}.log").open("w+", errors="replace") as log,
            subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
            ) as process,
        ):
            for line in process.stdout:
                log.write(line)
                if self.RESULT.match(line):
                    self.print(name, line.strip().removeprefix("Tests/Lab/"))
        passed = process.returncode == 0
        if not passed:
            with self.lock:
                print(f"\n==== {name} failed, with status {process.returncode}. It printed:")
                print((self.out / f"{name}.log").read_text(errors="replace"), flush=True)
        return passed, self.elapsed(began)


def prepare_guests():
    """Downloads and builds what the guests need of Debian, once."""
    if not has_vivid():
        subprocess.run(["Tests/Lab/lab", "--prepare"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        # Without these modules only their own tests fail.
        subprocess.run(["Tests/Lab/kernel-modules", OUT / "modules"], cwd=ROOT, check=False)


def prepare(environment, commands):
    """Makes what the guests need of this checkout. Without its symbols, the program has a third of its size."""
    program = pathlib.Path(environment.setdefault("SWATCHCAM", str(ROOT / ".build/release/swatchcam")))
    if not os.access(program, os.X_OK):
        sys.exit(f"There is no {program} yet: make build")
    OUT.mkdir(parents=True, exist_ok=True)
    subprocess.run(["strip", "-o", OUT / "swatchcam", program], check=True)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", OUT / "padding.so", ROOT / "Tests/Lab/padding.c"], check=True)
    # Plugins that are installed for other tests take a minute to load in the guest.
    environment |= {"SWATCHCAM": str(OUT / "swatchcam"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    if "pictures" in commands:
        subprocess.run([sys.executable, ROOT / "Tests/Lab/faulty_camera.py", OUT / "faulty"], check=True)
    if not has_vivid():
        environment["SWATCHCAM_LAB"] = "1"
    prepare_guests()
    return environment


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--jobs", type=int, default=1 if has_vivid() else min(os.cpu_count(), 4))
    parser.add_argument("groups", nargs="*", metavar="GROUP")
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:end])
    options.pytest = sys.argv[end + 1 :]
    if options.prepare:
        prepare_guests()
        return
    commands = groups(options)
    runner = Runner(prepare(dict(os.environ), commands))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = dict(zip(commands, pool.map(runner.run, commands, commands.values()), strict=True))
    print("\n==== the lab")
    for name, (passed, elapsed) in results.items():
        print(f"{name:13} {'passed' if passed else 'FAILED'} {elapsed:>6}")
    print(f"{'all':13} {'passed' if all(passed for passed, _ in results.values()) else 'FAILED'} {runner.elapsed():>6}")
    sys.exit(not all(passed for passed, _ in results.values()))


if __name__ == "__main__":
    main()
