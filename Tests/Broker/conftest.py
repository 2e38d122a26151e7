"""The program with a real MQTT broker, and with brokers that misbehave.

    .venv/bin/python -m pytest -n 4 -m 'not slow' Tests/Broker       # in a minute
    SWATCHCAM_BROKER_CUTS=1000 .venv/bin/python -m pytest -k cut Tests/Broker       # cuts connections for an hour

What concerns libmosquitto is also tested with that of Debian 13, as root.
"""

import os

import brokers
import pytest
from Harness.server import starting


@pytest.fixture
def broker(tmp_path):
    """A broker that lets everybody in."""
    with brokers.running(tmp_path) as broker:
        yield broker


@pytest.fixture
def start_server(tmp_path):
    """A function that starts a server whose table [mqtt] contains these lines.

    Unless they say otherwise, it is not described to Home Assistant.
    """

    def start_with(mqtt, **how):
        discovery = "" if "discovery" in mqtt else "discovery = false\n"
        return start(config=f'[mqtt]\nhost = "127.0.0.1"\n{discovery}{mqtt}', **how)

    with starting(tmp_path) as start:
        yield start_with


@pytest.fixture(params=["debian12", pytest.param("debian13", marks=pytest.mark.slow)])
def prefix(request, tmp_path):
    """The command that runs the program with the libmosquitto of a Debian: 2.0.11 of this one, or 2.0.21."""
    if request.param == "debian12":
        return []
    if os.geteuid() != 0:
        pytest.skip("chroot requires root")
    return brokers.in_trixie(tmp_path)


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    return brokers.make_certificates(tmp_path_factory.mktemp("certificates"))
