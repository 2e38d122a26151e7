"""Access: tokens in the log, and limits on connections."""

import resource
import socket
import subprocess
import sys

import pytest
from conftest import HERE, TOKEN
from Harness import process
from Harness.api import get_json, request
from Harness.waiting import wait_until
from raw import Raw
from second_machine import second_machine


def status(server, path, token=None, method="GET"):
    return request(server.url + path, method, token=token).status


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


def test_idle_connections_from_one_address_of_this_machine_leave_some_to_others(start_server):
    """Half of 128 descriptors are for connections, of which an address of this machine gets a half."""
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
    wait_until(lambda: len(process.descriptors(server.pid)) - before >= 32, "32 connections are not accepted")
    assert status(server, "api/reading") == 200
    assert len(process.descriptors(server.pid)) - before <= 33
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
