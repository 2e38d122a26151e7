"""Requests to a running program over HTTP and WebSocket."""

import asyncio
import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from email.message import Message
from typing import Any

import websockets

from Harness.waiting import stretched


@dataclass(frozen=True)
class Response:
    status: int
    fields: Message
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def request(url: str, method="GET", body=None, token=None, fields=None) -> Response:
    """The response, whatever its status; raises OSError if there is none. A body other than bytes is sent as JSON."""
    sent = urllib.request.Request(url, method=method, headers=fields or {})
    if token:
        sent.add_header("Authorization", f"Bearer {token}")
    if body is not None:
        is_raw = isinstance(body, bytes)
        sent.data = body if is_raw else json.dumps(body).encode()
        if not is_raw:
            sent.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(sent, timeout=stretched()) as received:
            return Response(received.status, received.headers, received.read())
    except urllib.error.HTTPError as error:
        with error:
            return Response(error.code, error.headers, error.read())


def get_json(url: str, token: str | None = None) -> Any:
    """The document at this address; fails if there is none."""
    response = request(url, token=token)
    assert response.status == 200, f"{url}: {response.status} {response.body[:200]!r}"
    return response.json


def pushed_readings(url: str, count: int) -> list[dict]:
    """The next readings that a WebSocket receives. `url` is the address of the server's root."""

    async def receive():
        address = url.rstrip("/").replace("http", "ws", 1) + "/ws"
        async with websockets.connect(address) as client:
            return [json.loads(await asyncio.wait_for(client.recv(), stretched())) for _ in range(count)]

    return asyncio.run(receive())
