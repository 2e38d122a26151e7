"""The script that a guest of test_power_cut.py runs. Its disk, /dev/vda, holds the folder of the history.

power_cut.py write           records until the tables have been written three times, and for 40 seconds more,
                             prints the time, and resets the machine, as a power cut does
power_cut.py check SECONDS   sets the clock to this time, and prints what is on the disk, what the program reads back
                             from it, and what it leaves there
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests"))

from Harness import api
from Harness.server import Server
from Harness.waiting import wait_until

DISK = pathlib.Path("/run/disk")
FOLDER = DISK / "history"


def tables() -> dict[str, str]:
    """The content of every table of readings, valid or not."""
    return {path.name: path.read_bytes().decode("latin-1") for path in sorted(FOLDER.glob("swatchcam-????-??-??.csv"))}


def start() -> Server:
    place = pathlib.Path("/run/server")
    place.mkdir()
    server = Server(place, config=f'[history]\nfolder = "{FOLDER}"\n')
    server.start()
    return server


def write() -> None:
    FOLDER.mkdir()
    os.sync()
    server = start()
    for number in range(3):
        if number == 1:
            api.request(f"{server.url}api/marks", method="POST", body={"text": "before the cut"})
        before = tables()
        # A minute of the guest's time takes a second.
        wait_until(lambda before=before: tables() != before, "nothing is written for a minute", timeout=90)
    # With this, the row under way and the time until the reset, less than a minute is lost.
    time.sleep(40)
    print(json.dumps({"cut": time.time()}), flush=True)
    # Long enough for the line to leave the guest.
    time.sleep(2)
    pathlib.Path("/proc/sysrq-trigger").write_text("b")
    time.sleep(60)


def check(now: float) -> None:
    time.clock_settime(time.CLOCK_REALTIME, now)
    found = tables()
    server = start()
    server.wait_for_log("Read back into the history: ")
    history = api.get_json(f"{server.url}api/history?span=1h&points=360")
    server.stop(signal.SIGTERM)
    print(json.dumps({"found": found, "log": server.logged(), "history": history, "left": tables()}), flush=True)


DISK.mkdir()
subprocess.run(["mount", "-t", "ext4", "/dev/vda", DISK], check=True)
if sys.argv[1] == "write":
    write()
else:
    check(float(sys.argv[2]))
