"""Cameras that send frames that cannot be used: what is said, and what is never called live."""

import re
import subprocess

import pytest
from Harness import api, program
from Harness.program import PROGRAM
from Harness.waiting import wait_until
from pictures import doubled, jpeg, scene
from PIL import Image

GOOD = jpeg((62, 167, 214))
DAMAGED = doubled(jpeg(scene(1)))


SMALL = jpeg(Image.fromarray(scene(1)).resize((320, 240)))
CMYK = jpeg(Image.fromarray(scene(1)).convert("CMYK"), subsampling=0)


def twelve_bits() -> bytes:
    """A frame whose header says that samples have 12 bits."""
    start = GOOD.index(b"\xff\xc0")
    return GOOD[: start + 4] + b"\x0c" + GOOD[start + 5 :]


KINDS = {
    "size": ([SMALL], "sends frames of another size (320 x 240 pixels instead of the negotiated 640 x 480)"),
    "color-space": ([CMYK], "sends JPEG images whose colours cannot be read (CMYK)"),
    "12 bits": ([twelve_bits()], "sends JPEG images whose colours cannot be read (Unsupported JPEG data precision 12)"),
    "not-jpeg": ([bytes(5000)], "sends frames that are not JPEG images"),
    "damaged": ([DAMAGED], "sends only damaged frames"),
    "too-short": ([GOOD[: len(GOOD) // 2]], "sends only frames that are cut off"),
    "empty": ([(GOOD, "empty")], "sends only empty frames"),
    "flagged": ([(GOOD, "damaged")], "sends only frames that its driver marks as damaged"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_camera_whose_frames_are_of_no_use_is_lost_with_the_reason_once(play, serve, kind):
    frames, sentence = KINDS[kind]
    server = serve(play(frames))
    reading = wait_until(
        server.reading, "the reason is not given", holds=lambda reading: sentence in str(reading["message"])
    )
    assert reading["state"] == "lost"
    name = "color-space" if kind == "12 bits" else kind
    (fault,) = api.get_json(f"{server.url}api/cameras")["faults"]
    assert fault["kind"] == name and fault["frames"] > 5
    counted = [
        line
        for line in api.request(f"{server.url}metrics").text.splitlines()
        if f'faults_total{{kind="{name}"}}' in line
    ]
    assert float(counted[0].split()[-1]) >= fault["frames"]
    assert server.logged().count(sentence) == 1


@pytest.mark.parametrize("fault", ["damaged", "empty", "flagged"])
def test_nobody_who_asks_while_nobody_watches_gets_the_old_colour_as_live(play, serve, fault):
    """mjpg-streamer#47, ustreamer#230: after good frames only broken ones arrive."""
    camera = play([GOOD])
    server = serve(camera)
    assert server.wait_for_state("live")["hex"] == "#3EA7D6"
    camera.play({"damaged": [DAMAGED], "empty": [(GOOD, "empty")], "flagged": [(GOOD, "damaged")]}[fault])
    lost = wait_until(server.reading, "the old colour stays live", holds=lambda reading: reading["state"] == "lost")
    assert lost["hex"] is None and lost["frame"] is None
    assert api.request(f"{server.url}healthz").status == 503
    camera.play([GOOD])
    server.wait_for_state("live")


def test_a_command_names_the_reason_too(play):
    camera = play([SMALL])
    done = subprocess.run(
        [*PROGRAM, "read", "--device", camera.node],
        env=camera.environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 69 and "sends frames of another size (320 x 240" in done.stderr


def test_a_report_about_hardware_counts_the_faults_by_kind(play, serve, tmp_path):
    server = serve(play([SMALL, GOOD]))
    wait_until(server.reading, "no frame is dropped", holds=lambda reading: reading["dropped"])
    (tmp_path / "config.toml").write_text(f"[web]\nport = {server.port}\n")
    printed = program.run("cameras", "--report", cwd=tmp_path).stdout
    assert re.search(r"faults of frames, counted by the running Swatchcam: size [1-9]", printed), printed
