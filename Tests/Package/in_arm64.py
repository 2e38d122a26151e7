#!/usr/bin/env python3
"""Starts the image for arm64 in an emulated machine: in_arm64.py FOLDER CONFIG

FOLDER is the root directory of a container, and CONFIG the file with the image's configuration. Runs as root in the lab,
and prints what it saw as JSON on the last line.
"""

import contextlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.append("Tests")

from Harness import api
from Harness.waiting import wait_until

URL = "http://127.0.0.1:8080/"


def health() -> int:
    with contextlib.suppress(OSError):
        return api.request(f"{URL}healthz").status
    return 0


def main() -> None:
    root = Path(sys.argv[1])
    config = json.loads(Path(sys.argv[2]).read_text())["config"]
    for folder in ("dev", "proc", "sys"):
        (root / folder).mkdir(exist_ok=True)
        subprocess.run(["mount", "--rbind", f"/{folder}", root / folder], check=True)
    inside = ["chroot", str(root), "env", "--ignore-environment", *config["Env"]]
    read = subprocess.run(
        [*inside, "swatchcam", "read", "--device", "/dev/video0"], check=True, stdout=subprocess.PIPE, text=True
    )
    with subprocess.Popen([*inside, *config["Entrypoint"], "--device", "test-pattern"]) as process:
        wait_until(health, "it is not healthy", holds=lambda status: status == 200)
        status = Path(f"/proc/{process.pid}/status").read_text()
        (token,) = re.findall('^token = "(.*)"$', (root / "config/config.toml").read_text(), re.MULTILINE)
        facts = {
            "machine": os.uname().machine,
            "read": read.stdout,
            "health": health(),
            "state": api.get_json(f"{URL}api/reading", token)["state"],
            "user": re.search(r"^Uid:\s+(\d+)", status, re.MULTILINE)[1],
            "program": os.readlink(f"/proc/{process.pid}/exe"),
        }
        process.terminate()
    print(json.dumps(facts))


main()
