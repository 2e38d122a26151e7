"""Heads that are too long or malformed."""

import pytest
from conftest import in_parallel
from Harness.cases import sampled
from raw import Raw

pytestmark = pytest.mark.usefixtures("good_clients")

LONGEST_HEAD = 16_384


def test_a_url_of_300_kilobytes_is_refused(server):
    def ask():
        for _ in range(10):
            with Raw(server) as client:
                client.try_to_send("GET /" + "a" * 300_000 + f" HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
                assert client.status() == 414

    in_parallel(4, ask)


def test_an_endless_head_is_refused(server):
    with Raw(server) as client:
        client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\n")
        client.try_to_send("".join(f"X-{index}: {'a' * 1000}\r\n" for index in range(2000)))
        assert client.status() == 431


def test_a_head_of_16_kibibytes_is_accepted(server):
    with Raw(server) as client:
        start = f"GET /api/reading HTTP/1.1\r\nHost: {client.host}\r\nX: "
        client.send(start + "a" * (LONGEST_HEAD - len(start) - 4) + "\r\n\r\n")
        assert client.head()[0] == 200


@pytest.mark.parametrize(
    ("byte", "clients", "count"), sampled([(b"\xe9", 20, 10), (b"\xe9", 100, 50), (b"a", 100, 50)])
)
def test_many_clients_that_each_send_many_of_the_longest_heads_are_answered(server, byte, clients, count):
    def ask():
        with Raw(server) as client:
            for connection in ["keep-alive"] * (count - 1) + ["close"]:
                start = f"GET /healthz HTTP/1.1\r\nHost: {client.host}\r\nConnection: {connection}\r\nX: ".encode()
                client.send(start + byte * (LONGEST_HEAD - len(start) - 4) + b"\r\n\r\n")
            assert client.all().count(b"HTTP/1.1 200 OK\r\n") == count

    in_parallel(clients, ask)


@pytest.mark.parametrize(("count", "status"), [(99, 200), (100, 431)])
def test_a_head_with_more_than_100_fields_is_refused(server, count, status):
    with Raw(server) as client:
        client.get("/api/reading", *[f"X-{index}: a" for index in range(count)])
        assert client.head()[0] == status


MALFORMED = {
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    "no version": (b"GET /\r\n\r\n", 400),
    "HTTP/2": (b"GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", 505),
    "no host": (b"GET /api/reading HTTP/1.1\r\nConnection: close\r\n\r\n", 400),
    "two hosts": (b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400),
    "folded field": (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n", 400),
    "no field": (b"GET / HTTP/1.1\r\nHost: localhost\r\nX\r\n\r\n", 400),
    "bad UTF-8": (b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "control character": (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n", 400),
    "bare CR": (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\rY: b\r\n\r\n", 400),
}


@pytest.mark.parametrize(("head", "status"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_head_is_refused_and_ends_the_connection(server, head, status):
    with Raw(server) as client:
        client.send(head)
        assert client.status() == status
