#!/usr/bin/env python3
"""Starts Swatchcam as docs/container.md says, in a Debian with Podman: in_podman.py ARCHIVE

Runs as root in the lab, and prints what it saw as JSON on the last line. The machine is thrown away afterwards.
"""

import contextlib
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests"))

from Harness import api
from Harness.waiting import wait_until

FILES = ROOT / "docs/container"
URL = "http://127.0.0.1:8080/"


def run(command: str, folder: Path | None = None) -> str:
    print("$", command, flush=True)
    done = subprocess.run(shlex.split(command), check=False, cwd=folder, stdout=subprocess.PIPE, text=True)
    print(done.stdout, flush=True)
    if done.returncode:
        sys.exit(f"{command} ended with {done.returncode}")
    return done.stdout


def succeeds(command: str) -> bool:
    return subprocess.run(shlex.split(command), check=False, stdout=subprocess.DEVNULL).returncode == 0


def health() -> int:
    with contextlib.suppress(OSError):
        return api.request(f"{URL}healthz").status
    return 0


def seen() -> dict:
    """What a container that has just been started shows."""
    wait_until(health, "it is not healthy", holds=lambda status: status == 200)
    config = run("podman exec swatchcam cat /config/config.toml")
    (token,) = re.findall('^token = "(.*)"$', config, re.MULTILINE)
    reading = wait_until(
        lambda: api.get_json(f"{URL}api/reading", token), "there is no colour", holds=lambda it: it["state"] == "live"
    )
    return {
        "health": health(),
        "without token": api.request(f"{URL}api/reading").status,
        "reading": reading,
        "token": token,
        "effect": api.get_json(f"{URL}api/settings", token)["effect"],
        "check": succeeds("podman healthcheck run swatchcam"),
        "checked": json.loads(run("podman inspect --format '{{json .Config.Healthcheck}}' swatchcam")),
        "listens": run("podman port swatchcam").strip(),
    }


def tried(start, stop) -> dict:
    """A container, what was changed in it, and a new container with the same volumes."""
    start()
    first = seen()
    api.request(f"{URL}api/settings", "PUT", {"effect": "zebra"}, token=first["token"])
    wait_until(lambda: succeeds("podman exec swatchcam grep -r zebra /data"), "nothing is kept")
    stop()
    removed = not succeeds("podman container exists swatchcam")
    start()
    second = seen()
    stop()
    return {"first": first, "removed": removed, "second": second}


def install(name: str, folder: Path, version: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text((FILES / name).read_text().replace("VERSION", version))


def as_a_unit(version: str) -> dict:
    install("swatchcam.container", Path("/etc/containers/systemd"), version)
    run("systemctl daemon-reload")
    return tried(lambda: run("systemctl start swatchcam"), lambda: run("systemctl stop swatchcam"))


def by_compose(version: str) -> dict:
    # Both ways have the same volumes.
    run("podman volume rm swatchcam-config swatchcam-data")
    folder = Path("/srv/swatchcam")
    install("compose.yaml", folder, version)
    return tried(
        lambda: run("podman-compose up --detach", folder=folder),
        lambda: run("podman-compose down", folder=folder),
    )


def main() -> None:
    archive = sys.argv[1]
    version = Path(archive).name.split("-")[1]
    loaded = run(f"podman load --input {archive}")
    inspect = f"podman image inspect --format {{{{.Architecture}}}} localhost/swatchcam:{version}"
    facts = {
        "loaded": loaded.strip().splitlines()[-1],
        "architecture": run(inspect).strip(),
        "versions": [run("podman --version").strip(), run("podman-compose --version").strip()],
        "unit": as_a_unit(version),
        "compose": by_compose(version),
    }
    print(json.dumps(facts))


main()
