"""Requests that decide where they end, whom they are for, and who sent them: each as hostile clients would write it."""

import contextlib
import json
import os
import pathlib
import random
import signal
import socket
import struct
import time
import urllib.parse

import pytest
from raw import PATIENCE, Raw

TOKEN = "test-token-of-forty-letters-and-a-few-more"
BEARER = f"Authorization: Bearer {TOKEN}"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A server that wants a token."""
    from swatchcam_server import Server

    server = Server(tmp_path_factory.mktemp("guarded"))
    server.config.write_text(server.config.read_text() + f'[web]\ntoken = "{TOKEN}"\n')
    server.start()
    yield server
    server.stop()


def answers(data: bytes) -> list[int]:
    return [int(part[:3]) for part in data.split(b"HTTP/1.1 ")[1:]]


def ask(server, method, path, *fields, body="", version="HTTP/1.1"):
    """Status, head and body of one answer."""
    with Raw(server) as client:
        lines = [
            f"{method} {path} {version}",
            f"Host: {client.host}",
            *fields,
            f"Content-Length: {len(body)}",
            "",
            body,
        ]
        client.send("\r\n".join(lines))
        return client.response()


def cpu(server) -> float:
    """Seconds that the program has computed."""
    stat = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


# Where a request ends


@pytest.mark.parametrize("method", ["PROPFIND", "MKCOL", "FOO", "get", "Post", "PRI"])
def test_an_unknown_method_is_answered_by_the_gate_and_its_body_is_not_a_request(guarded, method):
    with Raw(guarded) as client:
        inner = f"GET /healthz HTTP/1.1\r\nHost: {client.host}\r\n\r\n"
        client.send(f"{method} / HTTP/1.1\r\nHost: {client.host}\r\nContent-Length: {len(inner)}\r\n\r\n{inner}")
        answer = client.all()
    assert answers(answer) == [501]
    assert b"X-Content-Type-Options: nosniff\r\n" in answer
    assert b"\r\nConnection: close\r\n" in answer


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"])
def test_a_body_that_nobody_reads_ends_the_connection(guarded, method):
    with Raw(guarded) as client:
        inner = f"GET /healthz HTTP/1.1\r\nHost: {client.host}\r\n\r\n"
        client.send(f"{method} /healthz HTTP/1.1\r\nHost: {client.host}\r\nContent-Length: {len(inner)}\r\n\r\n{inner}")
        assert len(answers(client.all())) == 1


def test_a_body_that_was_read_leaves_the_connection_open(server):
    with Raw(server) as client:
        body = '{"effect": "none"}'
        for _ in range(3):
            client.send(
                f"PUT /api/settings HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}"
            )
            assert client.response()[0] == 200


def test_requests_in_a_row_are_answered_in_a_row(server):
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
def test_a_field_that_could_be_understood_in_two_ways_is_refused(server, lines, status):
    with Raw(server) as client:
        head = "\r\n".join(["GET /healthz HTTP/1.1", f"Host: {client.host}", *lines, "", ""])
        client.send(head.encode("latin-1"))
        assert client.status() == status


@pytest.mark.parametrize("line_end", ["\n", "\r", "\n\r"])
def test_a_line_of_a_head_ends_with_cr_lf_and_nothing_else(server, line_end):
    with Raw(server) as client:
        client.send(f"GET /healthz HTTP/1.1{line_end}Host: {client.host}{line_end}{line_end}\r\n\r\n")
        assert client.status() == 400


def test_bytes_above_ascii_are_let_pass_in_a_field_and_not_in_an_address(server):
    with Raw(server) as client:
        client.send(f"GET /healthz HTTP/1.1\r\nHost: {client.host}\r\nCookie: a=".encode() + b"\xff\xfe\r\n\r\n")
        assert client.head()[0] == 200
    with Raw(server) as client:
        client.send(b"GET /\xc3\xa9 HTTP/1.1\r\nHost: " + client.host.encode() + b"\r\n\r\n")
        assert client.status() == 400


def test_http_1_0_has_no_transfer_coding_no_upgrade_and_no_stream(server):
    with Raw(server) as client:
        client.get("/healthz", "Transfer-Encoding: chunked", version="HTTP/1.0")
        assert client.status() == 400
    with Raw(server) as client:
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        client.get(
            "/ws", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", key, version="HTTP/1.0"
        )
        assert client.status() == 426
    with Raw(server) as client:
        client.get("/stream.mjpg", version="HTTP/1.0")
        assert client.status() == 505


def test_http_1_0_is_closed_unless_it_asks_not_to_be(server):
    with Raw(server) as client:
        client.get("/healthz", version="HTTP/1.0")
        assert answers(client.all()) == [200]
    with Raw(server) as client:
        for _ in range(2):
            client.get("/healthz", "Connection: keep-alive", version="HTTP/1.0")
            status, fields, _ = client.response()
            assert (status, fields["connection"]) == (200, "keep-alive")


def test_a_client_that_waits_to_be_asked_for_its_body_is_asked(server):
    with Raw(server) as client:
        body = '{"effect": "none"}'
        client.send(
            f"PUT /api/settings HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/json\r\n"
            f"Expect: 100-continue\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        assert client.head()[0] == 100
        client.send(body)
        assert client.response()[0] == 200


def test_a_stranger_that_waits_to_be_asked_for_its_body_is_refused_instead(guarded):
    with Raw(guarded) as client:
        client.send(
            f"PUT /api/settings HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/json\r\n"
            "Expect: 100-continue\r\nContent-Length: 60000\r\n\r\n"
        )
        assert answers(client.all()) == [401]


def test_what_strangers_post_is_not_kept(guarded):
    before = memory(guarded)
    clients = [Raw(guarded) for _ in range(1000)]
    for client in clients:
        client.send(
            f"PUT /api/settings HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/json\r\n"
            "Content-Length: 65536\r\n\r\n"
        )
        client.try_to_send(b"x" * 65_000)
    for client in clients:
        assert client.head()[0] == 401
    # The bodies alone are 62 MiB.
    assert memory(guarded) < before + 30
    for client in clients:
        client.socket.close()


def memory(server) -> float:
    """Resident, in MiB."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


# What a body may cost

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
@pytest.mark.parametrize(
    ("method", "path"), [("PUT", "/api/settings"), ("PUT", "/api/controls/gain"), ("POST", "/api/camera")]
)
def test_json_that_is_deep_or_endless_is_refused_before_it_is_decoded(server, method, path, body):
    before = cpu(server)
    status, _, answer = ask(server, method, path, "Content-Type: application/json", body=body)
    assert (status, json.loads(answer)["error"]["code"]) == (400, "bad-json")
    # It took seconds, or minutes; a hundredth of one is the clock's own step.
    assert cpu(server) - before < 1


def test_a_stop_does_not_wait_for_requests(start_server):
    server = start_server()
    clients = [Raw(server) for _ in range(50)]
    for client in clients:
        client.send(
            f"PUT /api/settings HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/json\r\n"
            'Content-Length: 60000\r\n\r\n{"region": ['
        )
    process = server.process
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0
    for client in clients:
        client.socket.close()


# Who sent it


@pytest.mark.parametrize(
    "fields",
    [
        ["Origin: https://{host}", "Sec-Fetch-Site: cross-site"],
        ["Origin: https://{host}"],
        ["Origin: http://{host}", "Sec-Fetch-Site: cross-site"],
        ["Origin: http://{host}", "Sec-Fetch-Site: same-site"],
        ["Sec-Fetch-Site: same-site"],
        ["Origin: null"],
    ],
    ids=repr,
)
def test_a_page_of_another_origin_changes_nothing_and_opens_nothing(server, fields):
    with Raw(server) as client:
        fields = [field.format(host=client.host) for field in fields]
        client.get("/api/camera/toggle", *fields, method="POST")
        assert client.head()[0] == 403
    with Raw(server) as client:
        assert client.upgrade(*[field.format(host=client.host) for field in fields]) == 403


def log_in(server, token=TOKEN, *fields):
    form = urllib.parse.urlencode({"token": token})
    return ask(server, "POST", "/login", "Content-Type: application/x-www-form-urlencoded", *fields, body=form)


def session(server) -> str:
    # By hand: `Raw.head` lowers what it reads, and the value of a cookie is not to be.
    with Raw(server) as client:
        form = urllib.parse.urlencode({"token": TOKEN})
        client.send(
            f"POST /login HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Connection: close\r\nContent-Length: {len(form)}\r\n\r\n{form}"
        )
        head = client.all().decode()
    return head.split("Set-Cookie: ")[1].split(";")[0]


def test_a_form_cannot_add_a_field_to_the_answer(server):
    form = "token=a%0d%0aSet-Cookie:%20b=c%0d%0a%0d%0a<h1>&next=/%0d%0aX:%20y"
    with Raw(server) as client:
        client.send(
            f"POST /login HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Connection: close\r\nContent-Length: {len(form)}\r\n\r\n{form}"
        )
        answer = client.all()
    assert b"Set-Cookie" not in answer and b"<h1>" not in answer and b"\nX:" not in answer


def test_the_cookie_is_not_the_token(guarded):
    cookie = session(guarded)
    assert TOKEN not in cookie
    assert ask(guarded, "GET", "/api/reading", f"Cookie: {cookie}")[0] == 200
    assert ask(guarded, "GET", "/api/reading", f"Cookie: {cookie.split('=')[0]}={TOKEN}")[0] == 401


def test_logging_out_ends_the_session_its_websockets_and_its_streams(guarded):
    cookie = f"Cookie: {session(guarded)}"
    with Raw(guarded) as socket_client, Raw(guarded) as stream, Raw(guarded) as other:
        assert socket_client.upgrade(cookie) == 101
        assert other.upgrade(f"Cookie: {session(guarded)}") == 101
        stream.get("/stream.mjpg", cookie)
        assert stream.head()[0] == 200
        assert ask(guarded, "POST", "/logout", cookie)[0] == 303
        assert socket_client.close_code() == 1008
        stream.all()
        assert ask(guarded, "GET", "/api/reading", cookie)[0] == 401
        # The other session goes on.
        assert other._exactly(1)[0] & 0x0F != 8


def test_another_token_in_the_configuration_ends_all_sessions_at_once(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n')
    cookie = f"Cookie: {session(server)}"
    with Raw(server) as client:
        assert client.upgrade(cookie) == 101
        server.config.write_text(server.config.read_text().replace(TOKEN, TOKEN[::-1]))
        assert client.close_code() == 1008
    assert ask(server, "GET", "/api/reading", cookie)[0] == 401
    assert ask(server, "GET", "/api/reading", BEARER)[0] == 401
    assert ask(server, "GET", "/api/reading", f"Authorization: Bearer {TOKEN[::-1]}")[0] == 200


def test_cookies_that_another_port_planted_lock_nobody_out(guarded):
    cookie = session(guarded)
    name = cookie.split("=")[0]
    for _ in range(30):
        assert ask(guarded, "GET", "/api/reading", f"Cookie: {name}=x; {name}=y")[0] == 401
    assert ask(guarded, "GET", "/api/reading", f"Cookie: {name}=x; {cookie}; {name}=y")[0] == 200
    assert log_in(guarded, TOKEN, f"Cookie: {name}=x")[0] == 303


def test_the_right_token_gets_in_after_any_number_of_wrong_ones(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n')
    statuses = [log_in(server, "wrong")[0] for _ in range(30)]
    assert statuses[:10] == [401] * 10
    assert 429 in statuses
    assert log_in(server)[0] == 303


# A connection after another one


def test_a_head_after_a_websocket_from_the_same_port_is_cut_as_any_other(server):
    """The client's port is the same; the connection is another one, of which nothing has come yet."""
    port = random.randrange(20_000, 30_000)

    def connect():
        client = Raw.__new__(Raw)
        client.host = f"localhost:{server.port}"
        client.socket = socket.socket()
        client.socket.settimeout(PATIENCE)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        client.socket.bind(("127.0.0.1", port))
        client.socket.connect(("127.0.0.1", server.port))
        return client

    for _ in range(20):
        with connect() as client:
            assert client.upgrade() == 101
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with connect() as client:
        client.send("GET / HTTP/1.1\r\n")
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE:
            with contextlib.suppress(OSError):
                client.send("X: y\r\n")
            client.socket.settimeout(0.5)
            try:
                if not client.socket.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        assert time.monotonic() - began <= 12


# Behind a proxy


def wrong(server, sender=None):
    fields = [f"X-Forwarded-For: {sender}"] if sender else []
    return ask(server, "GET", "/api/reading", "Authorization: Bearer wrong", *fields)[0]


def test_nobody_is_believed_about_whom_they_speak_for_unless_the_configuration_says_so(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n')
    statuses = [wrong(server, f"192.0.2.{number}") for number in range(30)]
    assert statuses[:10] == [401] * 10
    assert 429 in statuses
    assert "192.0.2." not in server.log.read_text()


def test_a_trusted_proxy_is_believed_about_whom_it_speaks_for(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\ntrusted_proxies = ["127.0.0.0/8"]\n')
    statuses = [wrong(server, "203.0.113.1, 192.0.2.9:4711") for _ in range(30)]
    assert statuses[:10] == [401] * 10
    assert 429 in statuses
    assert wrong(server, "203.0.113.1, 192.0.2.10") == 401
    assert wrong(server, "[2001:db8::1]:80") == 401
    log = server.log.read_text()
    assert "A wrong token came from 192.0.2.9." in log and "203.0.113.1" not in log
    assert "A wrong token came from 2001:db8::/64." in log


def test_pages_by_tls_are_ours_when_a_trusted_proxy_says_that_its_client_came_by_tls(start_server):
    server = start_server('[web]\ntrusted_proxies = ["127.0.0.1"]\n')
    origin = f"Origin: https://localhost:{server.port}"
    body = '{"effect": "none"}'
    json_type = "Content-Type: application/json"
    assert ask(server, "PUT", "/api/settings", json_type, origin, body=body)[0] == 403
    assert ask(server, "PUT", "/api/settings", json_type, origin, "X-Forwarded-Proto: https", body=body)[0] == 200
