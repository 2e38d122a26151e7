"""Paths that lead to no camera, named by a client, in the configuration and on the command line."""

import os
import socket

import pytest
from Harness import process, program
from Harness.api import request
from Harness.cases import sampled

WRONG = 15
"""How many paths lead to no camera."""


@pytest.fixture
def wrong(tmp_path):
    """Paths of files of every kind that is not a camera, and paths that lead to no file."""
    (tmp_path / "file").write_text("text")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
    for name, target in (("passwd", "/etc/passwd"), ("null", "/dev/null"), ("pipe", "pipe"), ("nothing", "nothing")):
        (tmp_path / f"to-{name}").symlink_to(target)
    here = [str(path) for path in sorted(tmp_path.iterdir(), key=lambda path: path.name != "pipe")]
    paths = [*here, str(tmp_path / "missing"), "/etc/passwd", "/etc/shadow", "/dev/ptmx", "/dev/null", "/dev/tty", "/"]
    assert len(paths) == WRONG
    return paths


def choose(server, camera):
    return request(f"{server.url}api/camera", "POST", {"id": camera})


def test_a_client_that_names_a_file_as_camera_learns_nothing_about_it(server, wrong):
    answers = [choose(server, camera) for camera in [*wrong, "/etc/passwd\0", "", "no such camera"]]
    refusal = {"code": "camera-not-found", "message": "There is no such camera. /api/cameras lists the cameras."}
    assert {answer.status for answer in answers} == {404}
    assert [answer.json for answer in answers] == [{"error": refusal}] * len(answers)
    assert len({answer.body for answer in answers}) == 1
    # Nor is a file left open.
    assert not set(process.descriptors(server.pid)) & (set(wrong) - {"/dev/null"})


@pytest.mark.parametrize("number", sampled(range(WRONG), 3))
def test_the_command_line_says_that_a_path_leads_to_no_camera(tmp_path, wrong, number):
    path = wrong[number]
    answer = program.run("read", "--device", path, cwd=tmp_path)
    assert (answer.returncode, answer.stdout) == (69, "")
    assert answer.stderr.startswith(f"There is no camera at {path}")
    assert "'swatchcam cameras' lists the cameras." in answer.stderr


def test_a_reading_says_that_the_configured_path_leads_to_no_camera(start_server, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    server = start_server()
    for path in (tmp_path / "pipe", tmp_path / "missing"):
        server.restart(f'[camera]\ndevice = "{path}"\n')
        reading = server.reading()
        assert reading["state"] == "no-camera"
        assert reading["message"].startswith(f"There is no camera at {path}")
