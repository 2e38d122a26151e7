"""`swatchcam status`, asked about programs that run, are ill, and are not there."""

import json
import os
import subprocess

from swatchcam_server import ROOT, free_port

PROGRAM = os.environ.get("SWATCHCAM", str(ROOT / ".build/release/swatchcam"))
TOKEN = "test-token-of-forty-letters-and-a-few-more"
VIEW_TOKEN = "view-token-of-forty-letters-and-a-few-more"


def ask(server, *options):
    return subprocess.run(
        [PROGRAM, "status", "--config", str(server.config), "--port", str(server.port), *options],
        check=False,
        capture_output=True,
        text=True,
        timeout=20,
    )


def test_one_that_is_well(server):
    answer = ask(server)
    assert answer.returncode == 0, answer.stderr
    lines = answer.stdout.splitlines()
    assert lines[0] == f"http://127.0.0.1:{server.port}/: healthy"
    assert lines[1].startswith("State: test-pattern since 20")
    assert any(line.startswith("Colour: #") for line in lines)
    assert "Camera: Test pattern, RGB3 640x480" in lines


def test_one_that_is_well_for_a_script(server):
    assert json.loads(ask(server, "--json").stdout)["state"] == "test-pattern"


def test_one_without_its_camera(start_server):
    server = start_server("")
    server.stop()
    server.config.write_text('[camera]\ndevice = "/dev/video99"\n')
    server.start()
    answer = ask(server)
    assert answer.returncode == 69
    lines = answer.stdout.splitlines()
    assert lines[0].endswith(": not healthy")
    assert lines[2].startswith("There is no camera at /dev/video99;")


def test_one_with_a_view_token_shows_its_reading(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\nview_token = "{VIEW_TOKEN}"\n')
    answer = ask(server)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "Camera: Test pattern, RGB3 640x480" in answer.stdout.splitlines()


def test_one_with_a_control_token_alone_shows_its_health(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n')
    answer = ask(server)
    assert (answer.returncode, answer.stdout) == (0, f"http://127.0.0.1:{server.port}/: healthy\n")
    assert answer.stderr == "To see the reading too, set web.view_token: the control token is not sent.\n"
    assert json.loads(ask(server, "--json").stdout)["status"] == "ok"


def test_one_that_is_ill_says_why_without_its_token(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n')
    server.stop()
    server.config.write_text(server.config.read_text().replace("test-pattern", "/dev/video99"))
    server.start()
    answer = ask(server)
    assert answer.returncode == 69
    lines = answer.stdout.splitlines()
    assert lines[0].endswith(": not healthy")
    assert len(lines) == 2


def test_one_that_wants_a_token_that_another_configuration_has(start_server, tmp_path):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n')
    server.config = tmp_path / "other.toml"
    server.config.write_text("")
    answer = ask(server)
    assert (answer.returncode, answer.stdout) == (69, "")
    assert answer.stderr.endswith("Name its configuration with --config\n")


def test_none_at_all(tmp_path):
    port = free_port()
    answer = subprocess.run(
        [PROGRAM, "status", "--port", str(port)], check=False, capture_output=True, text=True, cwd=tmp_path, timeout=20
    )
    assert answer.returncode == 69
    assert answer.stderr == f"127.0.0.1:{port}: Swatchcam does not answer. Start it with: swatchcam serve\n"
