"""Network cameras, files and camera modules through swatchcam-feed.service, read by the sandboxed service.

A camera that goes away is lost; when it is back, its new colour is live, by itself; and no old colour is ever live.
"""

import asyncio
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading

sys.path.append(str(pathlib.Path(__file__).parents[1] / "Service"))

import pytest
import service
import websockets
from Harness import waiting

STAGE = pathlib.Path(".build/feeds")
SETTINGS = pathlib.Path("/etc/default/swatchcam-feed")
FEED = "swatchcam-feed.service"
FILM = pathlib.Path("/srv/film.mp4")
# Those of `run`, and what the stand-in for rpicam-vid makes of the gains.
COLORS = {"red": (0xC8, 0x50, 0x28), "green": (0x28, 0x96, 0xC8), "grey": (210, 100, 150)}
# As docs/cameras.md has them.
INPUTS = {
    "rtsp": "-rtsp_transport tcp -timeout 10000000 -i rtsp://127.0.0.1:8554/camera",
    "http": "-rw_timeout 10000000 -i http://127.0.0.1:8554/",
    "film": f"-stream_loop -1 -i {FILM}",
}

CAMERA = "--shutter 20000 --gain 1 --awbgains 2.1,1.5 --denoise off --sharpness 0"


class Recorder:
    """Every reading that the service has sent since it was made."""

    def __init__(self):
        self.readings = []
        threading.Thread(target=lambda: asyncio.run(self._receive()), daemon=True).start()
        service.wait_until(lambda: self.readings, "no reading")

    async def _receive(self):
        async with websockets.connect(f"{service.URL.replace('http', 'ws')}/ws") as client:
            async for message in client:
                self.readings.append(json.loads(message))

    def wait_until_live(self, mark=0):
        """The index of the first live reading since the mark."""
        return self._wait(lambda reading: reading["state"] == "live", mark)

    def wait_until_lost(self, mark):
        """The index of the first reading since the mark that is not live."""
        return self._wait(lambda reading: reading["state"] != "live", mark)

    def _wait(self, condition, mark):
        def found():
            return [place for place in range(mark, len(self.readings)) if condition(self.readings[place])]

        def problem():
            return f"{self.readings[-1]}\n{journal()}"

        return waiting.wait_until(found, problem, timeout=60)[0]


@pytest.fixture
def recorder():
    """A recorder that begins when the last test's colour is gone."""
    service.wait_until(lambda: not service.reading("live"), "an old colour stays live")
    return Recorder()


def journal():
    return service.run("journalctl", "--quiet", "--boot", "--no-pager", "--unit", FEED).stdout


@contextlib.contextmanager
def source(kind, color):
    file = STAGE / f"{color}.{ {'rtsp': 'mp4', 'http': 'jpg'}[kind] }"
    command = [sys.executable, pathlib.Path(__file__).with_name("source.py"), kind, file]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as process:
        try:
            service.wait_until(is_listening, "the camera does not listen")
            yield process
        finally:
            process.kill()


def is_listening():
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", 8554)) == 0


@contextlib.contextmanager
def installed(drop_in):
    path = pathlib.Path(f"/etc/systemd/system/{FEED}.d", drop_in)
    path.parent.mkdir(exist_ok=True)
    path.write_text(pathlib.Path("Resources/systemd", drop_in).read_text())
    try:
        yield
    finally:
        path.unlink()


@contextlib.contextmanager
def feeding(settings):
    SETTINGS.write_text(settings)
    service.systemctl("daemon-reload")
    service.systemctl("start", FEED)
    try:
        yield
    finally:
        service.systemctl("stop", FEED)


def wait_for_restart():
    restarts = int(service.show("NRestarts", FEED))
    service.wait_until(lambda: int(service.show("NRestarts", FEED)) > restarts, "ffmpeg does not end")


def process(program):
    """The number of the process whose command line has this program."""
    found = (path for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if program in path.read_text().split("\0"))
    return int(next(found).parent.name)


def check_color(reading, color):
    """Within the rounding of YUV's 8 bits."""
    assert [reading["rgb"][channel] for channel in "rgb"] == pytest.approx(COLORS[color], abs=1)


def colors(readings):
    return {reading["hex"] for reading in readings}


@pytest.mark.parametrize("kind", ["rtsp", pytest.param("http", marks=pytest.mark.release)])
def test_a_network_camera_is_lost_when_it_hangs_or_goes_and_live_when_it_is_back(kind, recorder):
    with (
        source(kind, "red") as camera,
        feeding(f"SWATCHCAM_FEED_INPUT={INPUTS[kind].replace('10000000', '3000000')}\n"),
    ):
        red = recorder.wait_until_live()
        check_color(recorder.readings[red], "red")
        camera.send_signal(signal.SIGSTOP)
        lost = recorder.wait_until_lost(red)
        # ffmpeg gives up, and with it the last picture that it has.
        wait_for_restart()
        camera.kill()
        assert colors(recorder.readings[lost:]) == {None}
        with source(kind, "green"):
            green = recorder.wait_until_live(lost)
            check_color(recorder.readings[green], "green")
        lost = recorder.wait_until_lost(green)
        assert colors(recorder.readings[green:lost]) == colors([recorder.readings[green]])


def test_a_film_is_played_again_and_again(recorder):
    cut = ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", STAGE / "film.mp4", "-t", "1", "-c", "copy", FILM]
    subprocess.run(cut, check=True)
    FILM.chmod(0o644)
    with feeding(f"SWATCHCAM_FEED_INPUT={INPUTS['film']}\nSWATCHCAM_FEED_PACE=-re\nSWATCHCAM_FEED_MATRIX=bt709\n"):
        live = recorder.wait_until_live()
        # By the matrix that the settings name, because the file names none.
        check_color(recorder.readings[live], "red")
        # Five times as long as the film.
        service.wait_until(lambda: len(recorder.readings) >= live + 20, "there are too few readings")
        assert {reading["state"] for reading in recorder.readings[live:]} == {"live"}


def test_a_camera_module_is_fed_with_the_settings_options_and_restarted(recorder):
    with installed("rpicam.conf"), feeding(f"SWATCHCAM_FEED_CAMERA={CAMERA}\n"):
        live = recorder.wait_until_live()
        check_color(recorder.readings[live], "grey")
        os.kill(process("/usr/bin/rpicam-vid"), signal.SIGKILL)
        recorder.wait_until_live(recorder.wait_until_lost(live))


def test_the_module_is_loaded_with_the_options_of_its_file():
    text = pathlib.Path("Resources/systemd/swatchcam-feed.modprobe.conf").read_text()
    options = next(line for line in text.splitlines() if line.startswith("options"))
    assert options in service.run("/sbin/modprobe", "--showconfig").stdout.splitlines()


def test_swatchcam_itself_runs_on():
    assert service.restarts() == 0
