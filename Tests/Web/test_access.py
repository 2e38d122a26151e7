"""Who is let in, on the real program: addresses beyond this machine, tokens, logs, descriptors."""

import json
import os
import pathlib
import resource
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest
from conftest import HERE
from raw import PATIENCE, Raw
from second_machine import second_machine
from swatchcam_server import ROOT

PROGRAM = os.environ.get("SWATCHCAM", str(ROOT / ".build/release/swatchcam"))
TOKEN = "test-token-of-forty-letters-and-a-few-more"
VIEW_TOKEN = "view-token-of-forty-letters-and-a-few-more"


def status(server, path, token=None, method="GET", fields=None, patience=PATIENCE):
    request = urllib.request.Request(server.url + path, method=method, headers=fields or {})
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=patience) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.1"])
def test_beyond_this_machine_it_refuses_to_start_without_a_token(address, tmp_path):
    run = subprocess.run(
        [PROGRAM, "serve", "--device", "test-pattern", "--port", "0", "--address", address],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert run.returncode == 64
    assert run.stderr == (
        f'--address: "{address}" lets others in, and that needs web.token; `swatchcam token` prints one\n'
    )


def test_a_token_is_made_for_it():
    tokens = {subprocess.check_output([PROGRAM, "token"], text=True) for _ in range(3)}
    assert len(tokens) == 3
    assert all(len(token) == 44 for token in tokens)


def test_beyond_this_machine_with_a_token(start_server):
    server = start_server(f'[web]\naddress = "0.0.0.0"\ntoken = "{TOKEN}"\nview_token = "{VIEW_TOKEN}"\n')
    assert status(server, "api/reading") == 401
    assert status(server, "api/reading", TOKEN) == 200
    assert status(server, "api/reading", VIEW_TOKEN) == 200
    assert status(server, "api/camera/toggle", VIEW_TOKEN, "POST") == 403
    assert status(server, "snapshot.jpg") == 401
    assert status(server, "healthz") == 200


def test_tokens_are_in_no_log_and_no_answer(start_server):
    server = start_server(f'[log]\nlevel = "trace"\n[web]\ntoken = "{TOKEN}"\n')
    for token in (TOKEN, "wrong-" + TOKEN):
        status(server, "api/reading", token)
        status(server, f"?token={token}", token)
    request = urllib.request.Request(server.url + "api/config", headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request) as response:
        assert json.load(response)["config"]["web"]["token"] == "hidden"
    # What was edited is told without its value.
    server.config.write_text(server.config.read_text().replace(TOKEN, TOKEN[::-1]))
    deadline = time.monotonic() + PATIENCE
    while "Applied web.token." not in (log := server.log.read_text()):
        assert time.monotonic() < deadline, log
        time.sleep(0.1)
    assert "A wrong token came from 127.0.0.1." in log
    assert TOKEN not in log.replace(f"?token={TOKEN}", "") and TOKEN[::-1] not in log


def test_a_configuration_with_a_token_that_all_may_read_is_complained_of(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n')
    assert (
        "config.toml contains a token that every user of this machine can read. Run: chmod o= "
        in server.log.read_text()
    )


def test_guessing_is_slowed_down(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n')
    answers = [status(server, "api/reading", f"wrong-{number}") for number in range(30)]
    assert answers[:10] == [401] * 10
    assert 429 in answers
    assert 1 <= server.log.read_text().count("wrong token") <= answers.count(401)


def test_with_few_descriptors_it_goes_on_when_all_are_taken(start_server):
    """Connections wait to be accepted rather than take the last descriptor, which the camera or a file may need."""
    server = start_server("", prefix=["prlimit", "--nofile=128:128"])
    clients = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(120)]
    # Those that were accepted say nothing, and are cut; then it is the turn of the others.
    assert status(server, "api/reading", patience=60) == 200
    count = len(list(pathlib.Path(f"/proc/{server.process.pid}/fd").iterdir()))
    assert count <= 128 / 2 + 8
    for client in clients:
        client.close()


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("198.51.100.1/24", ["198.51.100.2/24"]),
        ("fd77:5a7c:ca11:1::1/64", [f"fd77:5a7c:ca11:1::{number:x}/64" for number in range(2, 12)]),
    ],
    ids=["one IPv4 address", "ten addresses of one IPv6 network"],
)
def test_a_network_has_256_connections_and_others_are_served(start_server, ours, theirs):
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 2000:
        pytest.skip("too few descriptors for this here")
    with second_machine(ours, theirs) as prefix:
        server = start_server(f'[web]\naddress = "::"\ntoken = "{TOKEN}"\n')
        address, *sources = [one.split("/")[0] for one in (ours, *theirs)]
        command = [*prefix, sys.executable, HERE / "crowd.py", address, str(server.port), "400", *sources]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crowd:
            assert int(crowd.stdout.readline()) == 256
            with Raw(server) as client:
                client.get("/healthz")
                assert client.head()[0] == 200
