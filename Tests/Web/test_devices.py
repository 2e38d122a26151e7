"""Paths that do not lead to a camera, named by a client, in the configuration and on the command line."""

import json
import os
import socket
import subprocess
import urllib.error
import urllib.request

import pytest
from swatchcam_server import ROOT

PROGRAM = os.environ.get("SWATCHCAM", str(ROOT / ".build/release/swatchcam"))


@pytest.fixture
def wrong(tmp_path):
    """A file of every kind that is not a camera, and names of nothing."""
    (tmp_path / "file").write_text("text")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
    for name, target in (("passwd", "/etc/passwd"), ("null", "/dev/null"), ("pipe", "pipe"), ("nothing", "nothing")):
        (tmp_path / f"to-{name}").symlink_to(target)
    here = [str(path) for path in sorted(tmp_path.iterdir())]
    return [*here, str(tmp_path / "missing"), "/etc/passwd", "/etc/shadow", "/dev/ptmx", "/dev/null", "/dev/tty", "/"]


def choose(server, camera):
    """The status and the bytes of the answer."""
    request = urllib.request.Request(
        server.url + "api/camera", json.dumps({"id": camera}).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_a_client_learns_nothing_about_files(server, wrong):
    answers = {camera: choose(server, camera) for camera in [*wrong, "/etc/passwd\0", "", "no such camera"]}
    refusal = {"code": "camera-not-found", "message": "There is no such camera. /api/cameras lists the cameras."}
    assert {(status, json.dumps(json.loads(body), sort_keys=True)) for status, body in answers.values()} == {
        (404, json.dumps({"error": refusal}, sort_keys=True))
    }, answers
    assert len(set(answers.values())) == 1


def test_a_client_leaves_no_file_open(server, wrong):
    for camera in wrong:
        choose(server, camera)
    folder = f"/proc/{server.process.pid}/fd"
    opened = {os.readlink(f"{folder}/{descriptor}") for descriptor in os.listdir(folder)}
    assert not opened & (set(wrong) - {"/dev/null"})


def test_the_command_line_says_where_there_is_no_camera(tmp_path, wrong):
    for path in wrong:
        answer = subprocess.run(
            [PROGRAM, "read", "--device", path],
            check=False,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            timeout=20,
        )
        assert (answer.returncode, answer.stdout) == (69, ""), path
        assert answer.stderr.startswith(f"There is no camera at {path}"), path
        assert "'swatchcam cameras' lists the cameras." in answer.stderr


def test_the_configuration_may_name_a_file_and_is_told(start_server, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    server = start_server()
    for path in (tmp_path / "pipe", "/etc/passwd", tmp_path / "missing"):
        server.stop()
        server.config.write_text(f'[camera]\ndevice = "{path}"\n')
        server.start()
        with urllib.request.urlopen(server.url + "api/reading", timeout=20) as answer:
            reading = json.loads(answer.read())
        assert reading["state"] == "no-camera"
        assert reading["message"].startswith(f"There is no camera at {path}")
