"""Clients of HTTP/1.0, such as old recorders and the checks of proxies, and requests for heads."""

import json

import pytest
from raw import Raw, ask

UPGRADE = ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]


@pytest.mark.parametrize("fields", [[], ["Connection: keep-alive"]], ids=["plain", "keep-alive"])
def test_a_stream_to_an_old_client_has_no_chunks_and_ends_with_its_connection(server, fields):
    with Raw(server) as client:
        client.get("/stream.mjpg", *fields, version="HTTP/1.0")
        status, head = client.head()
        assert (status, head["connection"]) == (200, "close")
        assert "transfer-encoding" not in head and "content-length" not in head
        data = b""
        while data.count(b"--swatchcam-picture\r\n") < 3:
            data += client.socket.recv(1 << 16)
    for part in data.split(b"--swatchcam-picture\r\n")[1:3]:
        fields, _, picture = part.partition(b"\r\n\r\n")
        length = int(fields.split(b"Content-Length: ")[1].split(b"\r\n")[0])
        assert picture[length:] == b"\r\n" and picture.startswith(b"\xff\xd8")


@pytest.mark.parametrize("version", ["HTTP/1.0", "HTTP/1.1"])
def test_the_head_of_a_stream_has_no_length_and_no_body(server, version):
    with Raw(server) as client:
        client.get("/stream.mjpg", "Connection: close", method="HEAD", version=version)
        status, head = client.head()
        assert status == 200 and head["content-type"].startswith("multipart/x-mixed-replace")
        assert "content-length" not in head
        assert client.all() == b""


def test_a_connection_goes_on_after_the_head_of_a_stream(server):
    with Raw(server) as client:
        client.get("/stream.mjpg", method="HEAD")
        assert client.head()[0] == 200
        client.get("/api/openapi.json", method="HEAD")
        assert client.head()[1]["content-type"] == "application/json"


def test_the_refusal_of_a_plain_request_keeps_the_option_for_the_upgrade_on_a_connection_that_ends(server):
    status, head, _ = ask(server, "GET", "/ws", "Connection: close")
    assert (status, head["upgrade"], head["connection"]) == (426, "websocket", "upgrade, close")


def test_an_old_client_learns_that_a_websocket_requires_a_newer_version(server):
    status, head, body = ask(server, "GET", "/ws", "Connection: Upgrade", *UPGRADE, version="HTTP/1.0")
    assert (status, json.loads(body)["error"]["code"]) == (505, "old-version")
    assert "upgrade" not in head


def test_a_body_in_chunks_is_refused_because_it_has_no_length(server):
    with Raw(server) as client:
        client.get("/api/settings", "Content-Type: application/json", "Transfer-Encoding: chunked", method="PUT")
        client.send("2\r\n{}\r\n0\r\n\r\n")
        status, head, body = client.response()
    assert (status, json.loads(body)["error"]["code"], head["connection"]) == (411, "no-length", "close")
