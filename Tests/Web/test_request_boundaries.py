"""The end of a request, and requests that could be read in two ways, as a hostile client would write them."""

import pytest
from raw import Raw


def answers(data: bytes) -> list[int]:
    return [int(part[:3]) for part in data.split(b"HTTP/1.1 ")[1:]]


@pytest.mark.parametrize("method", ["PROPFIND", "MKCOL", "FOO", "get", "Post", "PRI"])
def test_the_body_of_an_unknown_method_is_not_taken_for_a_request(guarded, method):
    with Raw(guarded) as client:
        inner = f"GET /healthz HTTP/1.1\r\nHost: {client.host}\r\n\r\n"
        client.send(f"{method} / HTTP/1.1\r\nHost: {client.host}\r\nContent-Length: {len(inner)}\r\n\r\n{inner}")
        answer = client.all()
    assert answers(answer) == [501]
    assert b"X-Content-Type-Options: nosniff\r\n" in answer
    assert b"\r\nConnection: close\r\n" in answer


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"])
def test_a_body_that_is_not_read_ends_the_connection(guarded, method):
    with Raw(guarded) as client:
        inner = f"GET /healthz HTTP/1.1\r\nHost: {client.host}\r\n\r\n"
        client.send(f"{method} /healthz HTTP/1.1\r\nHost: {client.host}\r\nContent-Length: {len(inner)}\r\n\r\n{inner}")
        assert len(answers(client.all())) == 1


def test_a_body_that_is_read_leaves_the_connection_open(server):
    with Raw(server) as client:
        body = '{"effect": "none"}'
        for _ in range(3):
            client.send(
                f"PUT /api/settings HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}"
            )
            assert client.response()[0] == 200


def test_pipelined_requests_are_answered_in_their_order(server):
    with Raw(server) as client:
        colors = ["ff0000", "00ff00", "0000ff"]
        client.send("".join(f"GET /test/{color} HTTP/1.1\r\nHost: {client.host}\r\n\r\n" for color in colors))
        for color in colors:
            assert color.upper().encode() in client.response()[2]


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["Content-Length: \u00a07"], 400),
        # The same space in UTF-8.
        (["Content-Length: \u00c2\u00a07"], 400),
        (["Content-Length: 7\u00a0"], 400),
        (["Content-Length: 7\x0b"], 400),
        (["Origin: http://localhost", "Origin: http://evil.example"], 400),
        (["Authorization: Bearer a", "Authorization: Bearer b"], 400),
        (["Content-Type: a/b", "Content-Type: c/d"], 400),
        (["Expect: 200-ok"], 417),
        (["Transfer-Encoding: gzip, chunked"], 501),
        (["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], 400),
    ],
    ids=repr,
)
def test_a_field_that_could_be_read_in_two_ways_is_refused(server, lines, status):
    with Raw(server) as client:
        head = "\r\n".join(["GET /healthz HTTP/1.1", f"Host: {client.host}", *lines, "", ""])
        client.send(head.encode("latin-1"))
        assert client.status() == status


@pytest.mark.parametrize("line_end", ["\n", "\r", "\n\r"])
def test_a_head_whose_lines_do_not_end_with_cr_lf_is_refused(server, line_end):
    with Raw(server) as client:
        client.send(f"GET /healthz HTTP/1.1{line_end}Host: {client.host}{line_end}{line_end}\r\n\r\n")
        assert client.status() == 400


def test_bytes_above_ascii_are_accepted_in_a_field_and_refused_in_a_path(server):
    with Raw(server) as client:
        client.send(f"GET /healthz HTTP/1.1\r\nHost: {client.host}\r\nCookie: a=".encode() + b"\xff\xfe\r\n\r\n")
        assert client.head()[0] == 200
    with Raw(server) as client:
        client.send(b"GET /\xc3\xa9 HTTP/1.1\r\nHost: " + client.host.encode() + b"\r\n\r\n")
        assert client.status() == 400


def test_http_1_0_gets_no_transfer_coding(server):
    with Raw(server) as client:
        client.get("/healthz", "Transfer-Encoding: chunked", version="HTTP/1.0")
        assert client.status() == 400


def test_a_connection_of_http_1_0_is_closed_unless_it_asks_to_be_kept(server):
    with Raw(server) as client:
        client.get("/healthz", version="HTTP/1.0")
        assert answers(client.all()) == [200]
    with Raw(server) as client:
        for _ in range(2):
            client.get("/healthz", "Connection: keep-alive", version="HTTP/1.0")
            status, fields, _ = client.response()
            assert (status, fields["connection"]) == (200, "keep-alive")


def test_a_client_that_expects_100_continue_is_asked_for_its_body(server):
    with Raw(server) as client:
        body = '{"effect": "none"}'
        client.send(
            f"PUT /api/settings HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/json\r\n"
            f"Expect: 100-continue\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        assert client.head()[0] == 100
        client.send(body)
        assert client.response()[0] == 200


def test_a_client_without_the_token_that_expects_100_continue_is_refused(guarded):
    with Raw(guarded) as client:
        client.send(
            f"PUT /api/settings HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/json\r\n"
            "Expect: 100-continue\r\nContent-Length: 60000\r\n\r\n"
        )
        assert answers(client.all()) == [401]
