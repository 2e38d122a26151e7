"""Wrong command lines and configurations, and the messages that the program must print.

`python Tests/Lab/bad_inputs.py --markdown` prints them as a table with the messages that it does print.
"""

import os
import pathlib
import re
import sys
import tempfile
from dataclasses import dataclass

import program

USAGE, UNAVAILABLE, CONFIGURATION = 64, 69, 78


@dataclass(frozen=True)
class BadInput:
    """A wrong command line or configuration. The message must contain the `fragments`, in upper or lower case."""

    arguments: tuple
    status: int
    fragments: tuple
    config: str | bytes | None = None

    @property
    def input(self):
        words = " ".join(self.arguments)
        if self.config is None:
            return words
        text = repr(self.config) if isinstance(self.config, bytes) else self.config.replace("\n", "; ")
        return text if len(text) <= 60 else f"{text[:57]}..."

    def run(self):
        """Runs the program in an empty directory, where ./config.toml is the only configuration."""
        with tempfile.TemporaryDirectory() as directory:
            if self.config is not None:
                content = self.config if isinstance(self.config, bytes) else self.config.encode()
                (pathlib.Path(directory) / "config.toml").write_bytes(content)
            env = {**os.environ, "HOME": directory, "XDG_CONFIG_HOME": directory}
            return program.run(*self.arguments, cwd=directory, env=env)


def usage(words, *fragments):
    return BadInput(tuple(words.split(" ")), USAGE, fragments)


def config(text, *fragments):
    return BadInput(("read", "--json"), CONFIGURATION, fragments, text)


COMMAND_LINES = [
    usage("frobnicate", "frobnicate"),
    usage("serve --frobnicate", "--frobnicate"),
    usage("serve extra", "extra"),
    usage("serve --port 70000", "70000"),
    usage("serve --port -1", "port"),
    usage("serve --port http", "http"),
    usage("serve --port", "port"),
    usage("serve --address nonsense", "nonsense"),
    usage("serve --log-level loud", "loud"),
    usage("read --count 0", "count"),
    usage("read --count -1", "count"),
    usage("read --count many", "many"),
    usage("read --count 99999999999999999999", "99999999999999999999"),
    usage("read --json=yes", "json"),
    usage("cameras --all", "--all"),
    usage("check --config", "config"),
    BadInput(("check", "--config", "/nonexistent.toml"), CONFIGURATION, ("/nonexistent.toml",)),
    BadInput(("read", "--config", "/nonexistent.toml"), CONFIGURATION, ("/nonexistent.toml",)),
    BadInput(("read", "--config", "/"), CONFIGURATION, ("/",)),
    BadInput(("read", "--config", "/dev/zero"), CONFIGURATION, ("/dev/zero",)),
]

CONFIGS = [
    config("[camera", "config.toml:1:"),
    config('[camera]\ndevice = "auto', "config.toml:2:"),
    config("[camera]\nfps = 1\nfps = 2", "config.toml:3:"),
    config("[readings]\nrate = 99999999999999999999", "config.toml:2:"),
    config("x = " + "[" * 5000, "config.toml:1:"),
    config(b'[camera]\ndevice = "\xff\xfe"\n', "config.toml"),
    config(b'[camera]\ndevice = "a\x00b"\n', "config.toml"),
    config("fps = 15", "config.toml:1:", "fps"),
    config("[camra]\nfps = 15", "config.toml:1:", "camra", "camera"),
    config("[camera]\nfsp = 15", "config.toml:2:", "camera.fsp", "fps"),
    config("camera = 5", "config.toml:1:", "camera"),
    config('[camera]\nwidth = "640"', "config.toml:2:", "camera.width", "640"),
    config("[camera]\nwidth = 0", "config.toml:2:", "camera.width", "0"),
    config("[camera]\nwidth = -640", "config.toml:2:", "camera.width", "-640"),
    config("[camera]\nheight = 9223372036854775807", "config.toml:2:", "camera.height", "9223372036854775807"),
    config("[camera]\nfps = 900", "config.toml:2:", "camera.fps", "900", "1...240"),
    config("[camera]\nfps = true", "config.toml:2:", "camera.fps", "true"),
    config("[camera]\nformat = 5", "config.toml:2:", "camera.format", "5"),
    config('[camera]\nformat = "MOTION"', "config.toml:2:", "camera.format", "MOTION"),
    config('[camera]\ndevice = ""', "config.toml:2:", "camera.device"),
    config("[readings]\nrate = 0", "config.toml:2:", "readings.rate", "0.1...60"),
    config("[readings]\nrate = 61", "config.toml:2:", "readings.rate", "61", "0.1...60"),
    config("[readings]\nrate = nan", "config.toml:2:", "readings.rate", "nan"),
    config("[readings]\nrate = inf", "config.toml:2:", "readings.rate", "inf"),
    config("[readings]\nrate = 2026-11-20", "config.toml:2:", "readings.rate"),
    config("[readings]\nregion = [0, 0, 2, 1]", "config.toml:2:", "readings.region"),
    config("[readings]\nregion = [0, 0, 0, 0]", "config.toml:2:", "readings.region"),
    config("[readings]\nregion = [0, 0, 1]", "config.toml:2:", "readings.region"),
    config('[readings]\nregion = ["a", 0, 1, 1]', "config.toml:2:", "readings.region"),
    config("[web]\nport = 70000", "config.toml:2:", "web.port", "70000"),
    config("[web]\nport = -1", "config.toml:2:", "web.port", "-1"),
    config('[web]\naddress = "300.1.1.1"', "config.toml:2:", "web.address", "300.1.1.1"),
    config('[web]\ntemplates = "/nonexistent"', "config.toml:2:", "web.templates", "/nonexistent"),
    config('[log]\nlevel = "loud"', "config.toml:2:", "log.level", "loud"),
    BadInput(("read", "--json"), UNAVAILABLE, ("/dev/video99",), '[camera]\ndevice = "/dev/video99"'),
    BadInput(("read", "--json"), UNAVAILABLE, ("/etc/passwd",), '[camera]\ndevice = "/etc/passwd"'),
]


def markdown():
    """Prints the table, for the documentation."""
    print("| input | what it printed | status |\n|---|---|---|")
    for case in COMMAND_LINES + CONFIGS:
        result = case.run()
        said = re.sub(r"\s*\n\s*", " ⏎ ", (result.stderr or result.stdout).strip()).replace("|", "\\|")
        print(f"| `{case.input}` | {said} | {result.returncode} |")


if __name__ == "__main__":
    if sys.argv[1:] != ["--markdown"]:
        sys.exit(f"usage: {sys.argv[0]} --markdown")
    markdown()
