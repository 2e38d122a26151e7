"""Hostile and broken clients: what they are answered, and that ten good clients notice nothing of them.

One server goes through all of it.
"""

import os
import pathlib
import resource
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from raw import PATIENCE, Raw, frame

pytestmark = pytest.mark.usefixtures("good_clients")

LONGEST_HEAD = 16_384
LONGEST_BODY = 65_536


@pytest.fixture(scope="module", autouse=True)
def many_descriptors():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def in_parallel(count, job):
    """Fails when one of them does."""
    with ThreadPoolExecutor(count) as pool:
        for future in [pool.submit(job) for _ in range(count)]:
            future.result()


# Heads


def test_a_url_of_300_kilobytes_is_refused_at_once(server):
    def ask():
        for _ in range(10):
            with Raw(server) as client:
                client.try_to_send("GET /" + "a" * 300_000 + f" HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
                assert client.status() == 414

    in_parallel(4, ask)


def test_heads_without_an_end_are_refused(server):
    with Raw(server) as client:
        client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\n")
        client.try_to_send("".join(f"X-{index}: {'a' * 1000}\r\n" for index in range(2000)))
        assert client.status() == 431


def test_a_head_may_be_16_kibibytes_long(server):
    with Raw(server) as client:
        start = f"GET /api/reading HTTP/1.1\r\nHost: {client.host}\r\nX: "
        client.send(start + "a" * (LONGEST_HEAD - len(start) - 4) + "\r\n\r\n")
        assert client.head()[0] == 200


@pytest.mark.parametrize("byte", [b"a", b"\xe9"], ids=["ASCII", "Latin-1"])
def test_a_hundred_clients_with_the_longest_heads_one_after_the_other_are_answered(server, byte):
    def ask():
        with Raw(server) as client:
            for connection in ["keep-alive"] * 49 + ["close"]:
                start = f"GET /healthz HTTP/1.1\r\nHost: {client.host}\r\nConnection: {connection}\r\nX: ".encode()
                client.send(start + byte * (LONGEST_HEAD - len(start) - 4) + b"\r\n\r\n")
            assert client.all().count(b"HTTP/1.1 200 OK\r\n") == 50

    in_parallel(100, ask)


@pytest.mark.parametrize(("count", "status"), [(99, 200), (100, 431)])
def test_a_head_may_have_100_fields(server, count, status):
    with Raw(server) as client:
        client.get("/api/reading", *[f"X-{index}: a" for index in range(count)])
        assert client.head()[0] == status


@pytest.mark.parametrize(
    ("head", "status"),
    {
        "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
        "no version": (b"GET /\r\n\r\n", 400),
        "HTTP/2": (b"GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", 505),
        "HTTP/1.2": (b"GET / HTTP/1.2\r\nHost: localhost\r\n\r\n", 505),
        "no host": (b"GET /api/reading HTTP/1.1\r\nConnection: close\r\n\r\n", 400),
        "two hosts": (b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400),
        "folded field": (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n", 400),
        "no field": (b"GET / HTTP/1.1\r\nHost: localhost\r\nX\r\n\r\n", 400),
        "bad UTF-8": (b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        "control character": (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n", 400),
        "bare CR": (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\rY: b\r\n\r\n", 400),
    }.values(),
    ids=lambda value: value[:16] if isinstance(value, bytes) else "",
)
def test_a_bad_head_is_answered_and_ends_the_connection(server, head, status):
    with Raw(server) as client:
        client.send(head)
        assert client.status() == status


def test_slow_heads_are_cut_within_ten_seconds(server):
    clients = [Raw(server) for _ in range(200)]
    ends = []

    def read(client):
        ends.append(client.seconds_to_end())

    readers = [threading.Thread(target=read, args=(client,)) for client in clients]
    for client in clients:
        client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\nX: ")
    for reader in readers:
        reader.start()
    while any(reader.is_alive() for reader in readers):
        for client in clients:
            client.try_to_send("a")
        time.sleep(0.5)  # the attack's own pace
    print(f"    200 slow heads: cut after {min(ends):.1f} to {max(ends):.1f} s")
    assert max(ends) <= 10


def test_connections_that_say_nothing_are_cut_within_ten_seconds(server):
    with Raw(server) as client:
        assert client.seconds_to_end() <= 10


# Bodies, and requests hidden in them


def forged(server, count=1):
    """Requests that must not be taken for such."""
    return f"GET /api/reading HTTP/1.1\r\nHost: localhost:{server.port}\r\n\r\n" * count


SMUGGLED = {
    "2.2 MB body": lambda inner: (f"Content-Length: {len(inner)}", inner, 413),
    "chunked": lambda inner: ("Transfer-Encoding: chunked", f"{len(inner):x}\r\n{inner}\r\n0\r\n\r\n", 413),
    "both lengths": lambda inner: ("Content-Length: 4\r\nTransfer-Encoding: chunked", f"0\r\n\r\n{inner}", 400),
    "both lengths, the other way": lambda inner: ("Transfer-Encoding: chunked\r\nContent-Length: 4", inner, 400),
    "two lengths": lambda inner: (f"Content-Length: 0\r\nContent-Length: {len(inner)}", inner, 400),
    "length with a sign": lambda inner: ("Content-Length: +0", inner, 400),
    "list of lengths": lambda inner: ("Content-Length: 0, 0", inner, 400),
    "length before a space": lambda inner: (f"Content-Length : {len(inner)}", inner, 400),
    "negative length": lambda inner: ("Content-Length: -1", inner, 400),
    "immense length": lambda inner: ("Content-Length: 99999999999999999999", inner, 400),
    "other coding": lambda inner: ("Transfer-Encoding: xchunked", inner, 501),
    "coding with a control character": lambda inner: ("Transfer-Encoding: \x0bchunked", inner, 400),
}


@pytest.mark.parametrize("shape", SMUGGLED)
def test_requests_in_a_body_are_never_answered(server, shape):
    count = 20_000 if shape == "2.2 MB body" else 3
    fields, body, status = SMUGGLED[shape](forged(server, count))
    with Raw(server) as client:
        client.try_to_send(f"POST /api/controls/lock HTTP/1.1\r\nHost: {client.host}\r\n{fields}\r\n\r\n{body}")
        answer = client.all()
    assert answer.count(b"HTTP/1.1 ") <= 1
    if answer:
        assert int(answer.split(b" ", 2)[1]) == status


def test_a_body_that_stays_away_is_cut_within_ten_seconds(server):
    with Raw(server) as client:
        client.send(
            f"PUT /api/settings HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/json\r\n"
            "Content-Length: 60000\r\n\r\n{"
        )
        assert client.seconds_to_end() <= 10


def test_a_reset_in_the_midst_of_a_body_is_nobody_elses_business(server):
    for _ in range(200):
        client = Raw(server)
        client.send(f"PUT /api/settings HTTP/1.1\r\nHost: {client.host}\r\nContent-Length: 1000\r\n\r\n" + "x" * 10)
        client.reset()


# WebSockets


@pytest.mark.parametrize(
    ("send", "code"),
    {
        "unmasked": (lambda client: client.send_frame(9, b"x", masked=False), 1002),
        "reserved bit": (lambda client: client.send_frame(9, b"x", reserved=4), 1002),
        "unknown opcode": (lambda client: client.send_frame(3, b"x"), 1002),
        "fragmented ping": (lambda client: client.send_frame(9, b"x", fin=False), 1002),
        "ping of 126 bytes": (lambda client: client.send_frame(9, b"x" * 126), 1002),
        "text": (lambda client: client.send_frame(1, b"hello"), 1008),
        "text that is no UTF-8": (lambda client: client.send_frame(1, b"\xff\xfe"), 1008),
        "fragments without an end": (
            lambda client: [client.try_to_send(frame(1, b"a", fin=False) + frame(0, b"a", fin=False) * 1000)],
            1008,
        ),
        "frame of 4097 bytes": (lambda client: client.send_frame(2, b"", length=4097), 1009),
        "frame of 2 GB": (lambda client: client.send_frame(2, b"", length=2 << 30), 1009),
        "frame of 2^63 bytes": (lambda client: client.send_frame(2, b"", length=1 << 63), 1009),
    }.values(),
    ids=lambda value: str(value) if isinstance(value, int) else "",
)
def test_a_bad_frame_closes_its_websocket_with_the_reason(server, send, code):
    with Raw(server) as client:
        assert client.upgrade() == 101
        send(client)
        assert client.close_code() == code


def test_a_giant_frame_is_not_stored(server):
    before = memory(server)
    with Raw(server) as client:
        assert client.upgrade() == 101
        client.send_frame(2, b"", length=1 << 30)
        for _ in range(200):
            client.try_to_send(bytes(1 << 20))
    assert memory(server) < before + 20


def test_a_flood_of_pings_costs_no_memory(server):
    before = memory(server)
    with Raw(server) as client:
        assert client.upgrade() == 101
        end = time.monotonic() + 3
        pings = frame(9, b"x" * 125) * 1000
        client.socket.settimeout(0.5)
        while time.monotonic() < end:
            client.try_to_send(pings)
    assert memory(server) < before + 20


@pytest.mark.parametrize("version", [8, 12, 14])
def test_another_version_of_websocket_is_refused_with_the_one_that_is_spoken(server, version):
    with Raw(server) as client:
        status, fields = client.ask_to_upgrade(version=version)
        assert (status, fields["sec-websocket-version"]) == (426, "13")


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost", "http://localhost.evil.example"]
)
def test_another_sites_page_gets_no_websocket(server, origin):
    with Raw(server) as client:
        assert client.upgrade(f"Origin: {origin}") == 403


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "0.0.0.0"])
def test_another_sites_name_for_this_machine_is_refused(server, host):
    with Raw(server) as client:
        client.send(f"GET /api/reading HTTP/1.1\r\nHost: {host}:{server.port}\r\n\r\n")
        assert client.head()[0] == 421


def test_clients_that_never_read_are_let_go(server):
    """Streams, which send more than the kernel holds for them, and a WebSocket, which answers no ping."""
    before = sockets(server)
    clients = [Raw(server) for _ in range(20)]
    for client in clients:
        client.get("/stream.mjpg")
    clients.append(Raw(server, receive_buffer=2048))
    assert clients[-1].upgrade() == 101
    began = time.monotonic()
    while sockets(server) > before and time.monotonic() < began + 60:
        time.sleep(0.5)
    print(f"    20 streams and a WebSocket: gone after {time.monotonic() - began:.0f} s")
    assert sockets(server) <= before
    for client in clients:
        client.socket.close()


# Crowds


def test_five_thousand_connections_at_once(server):
    clients = []
    for _ in range(5000):
        clients.append(Raw(server))
    for client in clients:
        client.socket.close()


def test_a_thousand_resets_a_second(server):
    end = time.monotonic() + 5
    count = 0
    while time.monotonic() < end:
        began = time.monotonic()
        for _ in range(10):
            client = Raw(server)
            client.try_to_send(f"GET /api/reading HTTP/1.1\r\nHost: {client.host}\r\n")
            client.reset()
            count += 1
        time.sleep(max(0, began + 0.01 - time.monotonic()))  # the attack's own pace
    print(f"    {count / 5:.0f} resets a second")


def test_half_open_connections_end(server):
    with Raw(server) as client:
        client.send(f"GET /api/reading HTTP/1.1\r\nHost: {client.host}\r\n")
        client.socket.shutdown(1)
        assert client.seconds_to_end() < 5


@pytest.mark.parametrize(
    "path",
    [
        "/resources/../config.toml",
        "/resources/%2e%2e/config.toml",
        "/resources/..%2fconfig.toml",
        "/resources/..%5cconfig.toml",
        "/resources/%252e%252e/config.toml",
        "/resources//etc/passwd",
        "/resources/./swatchcam.css",
        "/resources/%c0%ae%c0%ae/config.toml",
        "/../../../../etc/passwd",
        "//etc/passwd",
    ],
)
def test_no_path_leads_out_of_the_assets(server, path):
    with Raw(server) as client:
        client.get(path)
        assert client.head()[0] == 404


def test_after_all_of_it_the_server_has_what_it_had_at_first(server):
    """Runs last. All connections but those of the good clients are gone."""
    deadline = time.monotonic() + PATIENCE
    while sockets(server) > 20 and time.monotonic() < deadline:
        time.sleep(0.5)
    print(f"    {sockets(server)} sockets, {memory(server):.1f} MiB")
    assert sockets(server) <= 20
    assert memory(server) < 120


def memory(server) -> float:
    """Resident, in MiB."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def sockets(server) -> int:
    folder = pathlib.Path(f"/proc/{server.process.pid}/fd")
    count = 0
    for entry in folder.iterdir():
        try:
            count += os.readlink(entry).startswith("socket:")
        except FileNotFoundError:
            continue
    return count
