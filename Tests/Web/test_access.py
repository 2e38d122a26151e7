"""Access: addresses beyond this machine, tokens, and limits on connections."""

import resource
import socket
import subprocess
import sys

import pytest
from conftest import HERE, TOKEN
from Harness import process, program
from Harness.api import get_json, request
from Harness.waiting import wait_until
from raw import Raw
from second_machine import second_machine

VIEW_TOKEN = "view-token-of-forty-letters-and-a-few-more"


def status(server, path, token=None, method="GET"):
    return request(server.url + path, method, token=token).status


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.1"])
def test_the_server_refuses_to_listen_beyond_this_machine_without_a_token(address, tmp_path):
    run = program.run("serve", "--device", "test-pattern", "--port", "0", "--address", address, cwd=tmp_path)
    assert run.returncode == 64
    assert run.stderr == (
        f'--address: "{address}" lets other machines connect, which requires web.token; `swatchcam token` prints one\n'
    )


def test_every_printed_token_is_new_and_long():
    tokens = {program.run("token").stdout for _ in range(3)}
    assert len(tokens) == 3
    assert all(len(token) == 44 for token in tokens)


def test_beyond_this_machine_a_token_is_required_for_all_but_the_health(start_server):
    server = start_server(f'[web]\naddress = "0.0.0.0"\ntoken = "{TOKEN}"\nview_token = "{VIEW_TOKEN}"\n')
    assert status(server, "api/reading") == 401
    assert status(server, "api/reading", TOKEN) == 200
    assert status(server, "api/reading", VIEW_TOKEN) == 200
    assert status(server, "api/camera/toggle", VIEW_TOKEN, "POST") == 403
    assert status(server, "snapshot.jpg") == 401
    assert status(server, "healthz") == 200


def test_the_metrics_require_a_token_until_an_edit_opens_them(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\nview_token = "{VIEW_TOKEN}"\n[metrics]\nopen = false\n')
    assert status(server, "metrics") == 401
    assert status(server, "metrics", VIEW_TOKEN) == 200
    server.config.write_text(server.config.read_text().replace("open = false", "open = true"))
    wait_until(lambda: status(server, "metrics") == 200, "the metrics are not open")
    assert status(server, "metrics", f"wrong-{VIEW_TOKEN}") == 200
    assert status(server, "metrics", method="POST") == 405
    assert status(server, "api/reading") == 401


def test_tokens_appear_in_no_log_and_no_answer(start_server):
    server = start_server(f'[log]\nlevel = "trace"\n[web]\ntoken = "{TOKEN}"\n')
    for token in (TOKEN, "wrong-" + TOKEN):
        status(server, "api/reading", token)
        status(server, f"?token={token}", token)
    assert get_json(f"{server.url}api/config", TOKEN)["config"]["web"]["token"] == "hidden"
    # An edit is logged without its value.
    server.config.write_text(server.config.read_text().replace(TOKEN, TOKEN[::-1]))
    log = server.wait_for_log("Applied web.token.")
    assert "A wrong token came from 127.0.0.1." in log
    assert TOKEN not in log.replace(f"?token={TOKEN}", "") and TOKEN[::-1] not in log


def test_the_log_warns_of_a_token_in_a_configuration_that_every_user_may_read(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n')
    assert "config.toml contains a token that every user of this machine can read. Run: chmod o= " in server.logged()


def test_guesses_at_the_token_are_rate_limited(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n')
    answers = [status(server, "api/reading", f"wrong-{number}") for number in range(30)]
    assert answers[:10] == [401] * 10
    assert 429 in answers
    assert 1 <= server.logged().count("wrong token") <= answers.count(401)


def test_idle_connections_from_one_address_of_this_machine_leave_some_to_others(start_server):
    """Half of 128 descriptors are for connections, of which an address of this machine gets a third."""
    server = start_server("", prefix=["prlimit", "--nofile=128:128"])
    # The request that found the server ready may still be open, and files that it reads at the start.
    counts = []

    def is_settled():
        counts.append(len(process.descriptors(server.pid)))
        return len(counts) > 5 and len(set(counts[-5:])) == 1

    wait_until(is_settled, "the server keeps opening and closing files")
    before = counts[-1]
    clients = [
        socket.create_connection(("127.0.0.1", server.port), source_address=("127.0.0.2", 0)) for _ in range(120)
    ]
    wait_until(lambda: len(process.descriptors(server.pid)) - before >= 21, "21 connections are not accepted")
    assert status(server, "api/reading") == 200
    assert len(process.descriptors(server.pid)) - before <= 22
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
def test_one_network_may_open_256_connections_and_others_are_still_served(start_server, ours, theirs):
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 2000:
        pytest.skip("this user may not open enough files")
    with second_machine(ours, theirs) as prefix:
        server = start_server(f'[web]\naddress = "::"\ntoken = "{TOKEN}"\n')
        address, *sources = [one.split("/")[0] for one in (ours, *theirs)]
        command = [*prefix, sys.executable, HERE / "crowd.py", address, str(server.port), "400", *sources]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crowd:
            assert int(crowd.stdout.readline()) == 256
            with Raw(server) as client:
                client.get("/healthz")
                assert client.head()[0] == 200
