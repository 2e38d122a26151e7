"""What the documents say, tried with the program."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from documents import Block
from Harness import api
from Harness.palettes import FILES
from Harness.program import PROGRAM, ROOT
from Harness.server import Server, starting

OPEN = """
[readings]
rate = 30
[web]
port = {port}
[[targets]]
name = "Sky"
color = "#808080"
tolerance = 50
"""

TOKEN = "a-token-that-swatchcam-token-has-printed-on-this-machine"
GUARDED = f"""
[web]
token = "token-of-the-owner-that-swatchcam-token-has-printed"
view_token = "{TOKEN}"
"""

SHORTER = {"--duration 10m": "--duration 2s", "--readings 64": "--readings 8"}
"""What a block says, and what is enough to see that it works."""

SUDO = """#!/bin/sh
exec "$@"
"""


@dataclass
class Reader:
    """Somebody who runs what the documents say in a folder of their own. This machine has a Swatchcam on port 8080, and
    the machine `raspberrypi.local` another one, which requires a token."""

    folder: Path
    server: Server
    guarded: Server

    def here(self, code: str) -> str:
        """The code with the test's own ports and files in place of the usual ones."""
        for old, new in SHORTER.items():
            code = code.replace(old, new)
        code = re.sub(r"(127\.0\.0\.1|localhost):8080", rf"\1:{self.server.port}", code)
        code = code.replace("raspberrypi.local:8080", f"127.0.0.1:{self.guarded.port}")
        code = code.replace("/etc/swatchcam/config.toml", str(self.folder / "config.toml"))
        code = code.replace("/lib/systemd/system/", f"{ROOT}/Resources/systemd/")
        return code.replace("/etc/systemd/system/", f"{self.folder}/")

    def run(self, command: list[str], code: str, timeout: float = 20) -> subprocess.CompletedProcess:
        """Runs a command that gets the code as its last argument. One that does not end is interrupted."""
        state = {"HOME": str(self.folder), "XDG_STATE_HOME": str(self.server.config.parent / "state")}
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return subprocess.run(
            ["timeout", "--signal=INT", str(timeout), *command, self.here(code)],
            cwd=self.folder,
            env=os.environ | state | {"PATH": path, "SWATCHCAM_TOKEN": TOKEN},
            input="\n",
            check=False,
            capture_output=True,
            text=True,
        )


@pytest.fixture(scope="session")
def reader(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reader")
    (folder / "bin").mkdir()
    for name, script in {"swatchcam": f'#!/bin/sh\nexec {" ".join(PROGRAM)} "$@"\n', "sudo": SUDO}.items():
        (folder / "bin" / name).write_text(script)
        (folder / "bin" / name).chmod(0o755)
    (folder / "brand.gpl").write_bytes(FILES["brand.gpl"])
    with starting(folder) as start:
        server = start(config=OPEN.replace("port = {port}\n", ""))
        (folder / "config.toml").write_text(f'[camera]\ndevice = "test-pattern"\n{OPEN.format(port=server.port)}')
        server.wait_until_healthy()
        # The documents speak of the sample 7.
        for number in range(1, 8):
            assert api.request(f"{server.url}api/samples", "POST", {"readings": 1}).json["id"] == number
        yield Reader(folder, server, start(config=GUARDED))


def name_of(block: Block) -> str:
    return f"{block.place} {block.language}"
