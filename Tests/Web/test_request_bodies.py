"""The cost of request bodies, and the clients that may send them."""

import json
import signal

import pytest
from Harness import process
from Harness.waiting import stretched
from raw import Raw, ask


def test_bodies_from_clients_without_the_token_are_not_stored(guarded):
    before = process.resident(guarded.pid)
    clients = [Raw(guarded) for _ in range(400)]
    for client in clients:
        client.send(
            f"PUT /api/settings HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/json\r\n"
            "Content-Length: 65536\r\n\r\n"
        )
        client.try_to_send(b"x" * 65_000)
    for client in clients:
        assert client.head()[0] == 401
    # The bodies alone are 25 MiB.
    assert process.resident(guarded.pid) < before + 12
    for client in clients:
        client.socket.close()


DEEP = {
    "500 arrays": '{"region":' + "[" * 500 + "]" * 500 + "}",
    "500 arrays without an end": '{"region":' + "[" * 500,
    "objects in arrays": "[" * 400 + ",".join(["{}"] * 20_000) + "]" * 400,
    "objects in objects": '{"a":' * 300 + "1" + "}" * 300,
    # To compare strings, their combining marks are sorted: 16,000 of them in the wrong order took 20 s.
    "combining marks": '{"effect":"e' + "\u0316\u0301" * 16_000 + '"}',
    "combining marks in a name": '{"e' + "\u0301" * 15_000 + "\u0316" * 15_000 + '":1}',
    "combining marks in escapes": '{"id":"e' + "\\u0301" * 5_000 + "\\u0316" * 5_000 + '"}',
    "very many values": '{"region":[' + "0," * 30_000 + "0]}",
}


@pytest.mark.parametrize("body", DEEP.values(), ids=DEEP)
def test_json_that_would_be_slow_to_decode_is_refused_quickly(server, body):
    before = process.processor_time(server.pid)
    status, _, answer = ask(server, "PUT", "/api/settings", "Content-Type: application/json", body=body)
    assert (status, json.loads(answer)["error"]["code"]) == (400, "bad-json")
    # Decoding these bodies took seconds or minutes.
    assert process.processor_time(server.pid) - before < stretched(1)


def test_stopping_does_not_wait_for_unfinished_requests(start_server):
    server = start_server()
    clients = [Raw(server) for _ in range(50)]
    for client in clients:
        client.send(
            f"PUT /api/settings HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/json\r\n"
            'Content-Length: 60000\r\n\r\n{"region": ['
        )
    running = server.process
    running.send_signal(signal.SIGTERM)
    assert running.wait(stretched()) == 0
    for client in clients:
        client.socket.close()
