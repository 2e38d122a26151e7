"""The real program with cameras that are played (`Harness/played.py`): what other people's cameras do.

.venv/bin/python -m pytest Tests/Cameras
"""

import pytest
from Harness.played import PlayedCamera
from Harness.server import starting


@pytest.fixture
def serve(tmp_path):
    """Starts a server of a camera."""
    with starting(tmp_path) as start:
        yield lambda camera, config="": start(camera.node, config, env=camera.environment)


@pytest.fixture
def play(tmp_path):
    """Makes a camera; the arguments are those of `PlayedCamera`."""
    return lambda *arguments, **settings: PlayedCamera(tmp_path / "camera", *arguments, **settings)
