"""Swatchcam's messages and the real Home Assistant, with a real broker between them. As root.

    .venv/bin/python -m pytest Tests/HomeAssistant

`prepare` installs both in a Debian of their own.
"""

import json
import os
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest
from Harness.program import ROOT
from Harness.waiting import stretched
from home_assistant import Broker, Debian, HomeAssistant

ID = "ab12cd"
TOPIC = f"swatchcam/{ID}"
CONFIG = f"homeassistant/device/swatchcam_{ID}/config"

CONCENTRATION = {"belowDetection": False, "extrapolated": True, "high": 2.6, "low": 2.4, "unit": "mg/L", "value": 2.5}


def golden(name: str) -> dict:
    """A message of Swatchcam's, as its unit tests have it."""
    return json.loads((ROOT / "Tests/Golden" / name).read_text())


STATE = golden("state.json") | {
    "concentration": CONCENTRATION,
    "locked": False,
    "noise": 0.09,
    "quality": "good",
    "targets": [{"deltaE": 1.4, "verdict": "pass"}],
}

NO_COLOR = {key: None for key, value in golden("state-none.json").items() if value is None and key != "camera"}

PROBES = [{"name": "A1", "concentration": CONCENTRATION | {"extrapolated": False, "value": 1.25}}]


class Kiosk:
    """A Swatchcam as the broker sees it. Its description is that of Swatchcam's own code."""

    PERIOD = 1.0
    """Seconds after which it repeats its state. Swatchcam's are longer."""

    def __init__(self, broker: Broker, messages: dict[str, bytes]):
        self.broker, self.messages = broker, messages
        self.state = STATE
        self.is_silent = False
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._repeat)
        self._thread.start()

    def end(self) -> None:
        self._ends.set()
        self._thread.join()

    def _repeat(self) -> None:
        while not self._ends.wait(self.PERIOD):
            if not self.is_silent:
                self._send()

    def _send(self) -> None:
        self.broker.publish(f"{TOPIC}/camera", "online" if self.state["rgb"] else "offline", 1, retain=True)
        self.broker.publish(f"{TOPIC}/state", json.dumps(self.state))
        if self.state["concentration"]:
            self.broker.publish(f"{TOPIC}/probes", json.dumps(PROBES))

    def announce(self, message: str = "full") -> None:
        """Sends what Swatchcam sends after it has connected."""
        self.is_silent = False
        self.describe(message)
        self.broker.publish(f"{TOPIC}/availability", "online", 1, retain=True)
        self.say()

    def describe(self, message: str) -> None:
        self.broker.publish(CONFIG, self.messages[message], 1, retain=True)

    def say(self, **changes) -> None:
        """Sends a state: the example with these changes."""
        self.state = STATE | changes
        self._send()

    def lose_color(self) -> None:
        self.say(**NO_COLOR, state="lost", problem=True)

    def leave(self) -> None:
        self.is_silent = True
        self.broker.publish(f"{TOPIC}/availability", "offline", 1, retain=True)

    def remove(self) -> None:
        """Sends what Swatchcam sends if discovery is turned off."""
        self.broker.publish(CONFIG, b"", 1, retain=True)


def written_messages() -> dict[str, bytes]:
    """The messages that `DiscoveryTests` writes."""
    if folder := os.environ.get("SWATCHCAM_DISCOVERY"):
        return {path.stem: path.read_bytes() for path in Path(folder).glob("*.json")}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["swift", "test", "--disable-xctest", "-Xcc", "-O2", "--filter", "DiscoveryTests/write"],
            check=True,
            cwd=ROOT,
            env=os.environ | {"SWATCHCAM_WRITE_DISCOVERY": folder, "SWATCHCAM_UNIT": "Fleet", "CI": "1"},
            stdout=subprocess.DEVNULL,
            timeout=stretched(600),
        )
        return {path.stem: path.read_bytes() for path in Path(folder).glob("*.json")}


@pytest.fixture(scope="session")
def messages() -> dict[str, bytes]:
    return written_messages()


@pytest.fixture(scope="session")
def debian():
    debian = Debian()
    yield debian
    debian.remove()


@pytest.fixture(scope="session")
def broker(debian):
    broker = Broker(debian)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture(scope="session")
def home(debian, broker):
    """Home Assistant, connected to the broker."""
    home = HomeAssistant(debian)
    home.start()
    home.set_up(broker.port)
    yield home
    home.stop()


@pytest.fixture(scope="session")
def kiosk(broker, home, messages):
    kiosk = Kiosk(broker, messages)
    yield kiosk
    kiosk.end()


@pytest.fixture(autouse=True)
def known(home, kiosk):
    """Before each test, Home Assistant knows the Swatchcam and its color. After it, its log has no complaint."""
    home.renew()
    kiosk.announce()
    home.wait_for("sensor.bench_color", "#3FA7D6")
    before = home.complaints()
    yield
    assert home.complaints()[len(before) :] == []
