"""Camera modules, played by vimc, the kernel's model of one: a sensor behind a media graph.

Plain V4L2 gets nothing from its nodes before somebody has set up the graph. libcamera does so, and its V4L2 layer
presents one camera in place of all nodes.
"""

import json
import os
import subprocess

import program
import pytest

pytestmark = pytest.mark.skipif("SWATCHCAM_LAB" not in os.environ, reason="needs vimc, which only the lab loads")

LAYER = ("libcamerify",)
# The layer's own messages are of no interest.
QUIET = {"LIBCAMERA_LOG_LEVELS": "*:FATAL"}


@pytest.fixture(scope="module", autouse=True)
def udev():
    """libcamera finds only devices that udev has initialized."""
    os.makedirs("/run/udev", exist_ok=True)
    daemon = subprocess.Popen(["/lib/systemd/systemd-udevd"], stdin=subprocess.DEVNULL)
    program.wait_until(
        lambda: subprocess.run(["udevadm", "control", "--ping"], check=False).returncode == 0, "udev does not answer"
    )
    subsystems = ("--subsystem-match=media", "--subsystem-match=video4linux")
    subprocess.run(["udevadm", "trigger", "--action=add", *subsystems], check=True)
    subprocess.run(["udevadm", "settle"], check=True)
    yield
    daemon.terminate()
    daemon.wait()


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    for name, value in QUIET.items():
        monkeypatch.setenv(name, value)


def run(*arguments, prefix=()):
    command = [*prefix, *program.PROGRAM, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=program.patience())


def read(*arguments, prefix=()):
    result = run("read", "--json", *arguments, prefix=prefix)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


class TestWithoutLibcamera:
    def test_auto_shows_the_test_pattern_and_says_what_helps(self, tmp_path):
        with program.serving(program.config(tmp_path, "auto"), 8080, state="test-pattern"):
            notices = program.get("http://127.0.0.1:8080/api/reading")["notices"]
        message = next(notice["message"] for notice in notices if notice["topic"] == "camera")
        assert "the receiver of a camera module, vimc (/dev/video0)" in message
        assert "libcamerify swatchcam serve" in message

    def test_a_node_whose_graph_is_not_set_up_is_explained(self):
        result = run("read", "--device", "/dev/video0")
        assert (result.returncode, result.stdout) == (69, "")
        assert "the camera module behind this node is not set up (Broken pipe (errno 32))" in result.stderr

    def test_the_node_streams_once_its_graph_is_set_up_for_its_very_format(self, tmp_path):
        set_up = ["media-ctl", "-d", "/dev/media0", "-V", '"Sensor A":0[fmt:SBGGR8_1X8/640x480]']
        subprocess.run(set_up, check=True)
        path = program.config(tmp_path, "/dev/video0", format="BA81", width=640, height=480)
        assert read("--config", str(path))["frame"]["format"] == "BA81"


class TestUnderLibcamerasLayer:
    def test_each_of_its_nodes_means_the_camera(self):
        for node in ("/dev/video0", "/dev/video2"):
            assert read("--device", node, prefix=LAYER)["state"] == "live"

    def test_its_colour_is_that_of_plain_v4l2_behind_the_same_graph(self, tmp_path):
        size = {"width": 640, "height": 480}
        layer = read("--config", str(program.config(tmp_path, "auto", format="RGB3", **size)), prefix=LAYER)
        # libcamera leaves the graph as it set it up, with a few columns less than the camera of its layer.
        path = program.config(tmp_path, "/dev/video2", format="RGB3", width=636, height=480)
        plain = read("--config", str(path))
        assert layer["frame"]["format"] == plain["frame"]["format"] == "RGB3"
        assert layer["mean"] == pytest.approx(plain["mean"], abs=0.5)

    @pytest.mark.release
    def test_the_camera_is_opened_again_and_again_without_a_failure(self, tmp_path):
        times = 200 if os.environ.get("SWATCHCAM_LAB_FULL") else 60
        url = "http://127.0.0.1:8080"

        def choose(pixels):
            return program.config(tmp_path, "auto", format=pixels, width=320, height=240)

        log = tmp_path / "log"
        with log.open("w") as stderr, program.serving(choose("BGR3"), 8080, prefix=LAYER, stderr=stderr):
            for turn in range(times):
                pixels = ("RGB3", "BGR3")[turn % 2]
                choose(pixels)
                program.wait_until(
                    lambda: program.get(f"{url}/api/reading"),
                    f"no frame came after opening the camera {turn + 1} times",
                    holds=lambda reading, pixels=pixels: (
                        reading["state"] == "live" and reading["frame"]["format"] == pixels
                    ),
                )
        assert "failed" not in log.read_text()

    def test_a_camera_that_another_program_holds_is_explained(self, tmp_path):
        first, second = tmp_path / "first", tmp_path / "second"
        first.mkdir()
        second.mkdir()
        # Both have found the camera before one of them uses it.
        waiting = program.config(second, "test-pattern", port=8081)
        with (
            program.serving(waiting, 8081, state="test-pattern", prefix=LAYER) as server,
            program.serving(program.config(first, "auto"), 8080, prefix=LAYER),
        ):
            program.config(second, "/dev/video0", port=8081)
            reading = program.wait_for_state("failed", "http://127.0.0.1:8081", server)
        assert "another program has used this camera" in reading["message"]
        assert "restart Swatchcam" in reading["message"]
