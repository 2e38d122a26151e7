"""`swatchcam status` for a healthy server, for an unhealthy one, and for none."""

import json

import pytest
from Harness import program

TOKEN = "test-token-of-forty-letters-and-a-few-more"
VIEW_TOKEN = "view-token-of-forty-letters-and-a-few-more"


def ask(server, *options):
    return program.run("status", "--config", server.config, "--port", server.port, *options)


def test_status_shows_the_reading_of_a_healthy_server(server):
    answer = ask(server)
    assert answer.returncode == 0, answer.stderr
    lines = answer.stdout.splitlines()
    assert lines[0] == f"http://127.0.0.1:{server.port}/: healthy"
    assert lines[1].startswith("State: test-pattern since 20")
    assert any(line.startswith("Colour: #") for line in lines)
    assert "Camera: Test pattern, RGB3 640x480" in lines


def test_status_prints_the_reading_as_json_for_a_script(server):
    assert json.loads(ask(server, "--json").stdout)["state"] == "test-pattern"


def test_status_says_why_a_server_without_its_camera_is_unhealthy(start_server):
    server = start_server(device="/dev/video99")
    answer = ask(server)
    assert answer.returncode == 69
    lines = answer.stdout.splitlines()
    assert lines[0].endswith(": not healthy")
    assert lines[2].startswith("There is no camera at /dev/video99.")


def test_status_shows_the_reading_with_the_view_token(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\nview_token = "{VIEW_TOKEN}"\n')
    answer = ask(server)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "Camera: Test pattern, RGB3 640x480" in answer.stdout.splitlines()


def test_status_shows_the_health_alone_when_there_is_no_view_token(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n')
    answer = ask(server)
    assert (answer.returncode, answer.stdout) == (0, f"http://127.0.0.1:{server.port}/: healthy\n")
    assert answer.stderr == "To see the reading too, set web.view_token: web.token is never sent.\n"
    assert json.loads(ask(server, "--json").stdout)["status"] == "ok"


def test_status_says_without_a_token_that_a_server_is_unhealthy(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n', device="/dev/video99")
    answer = ask(server)
    assert answer.returncode == 69
    lines = answer.stdout.splitlines()
    assert lines[0].endswith(": not healthy")
    assert len(lines) == 2


@pytest.mark.parametrize(("device", "status", "health"), [("test-pattern", 0, "healthy"), ("/dev/video99", 69, "not")])
def test_status_shows_the_health_of_a_server_whose_configuration_it_lacks(
    start_server, tmp_path, device, status, health
):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n', device=device)
    server.config = tmp_path / "other.toml"
    server.config.write_text("")
    answer = ask(server)
    assert (answer.returncode, answer.stdout.split()[1]) == (status, health)
    assert answer.stderr.startswith("To see the reading too, name its configuration with --config")


def test_status_says_that_no_server_answers(tmp_path):
    port = program.free_port()
    answer = program.run("status", "--port", port, cwd=tmp_path)
    assert answer.returncode == 69
    assert answer.stderr == f"127.0.0.1:{port}: Swatchcam does not answer. Start it with: swatchcam serve\n"
