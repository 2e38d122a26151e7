"""greedy.py PORT TOKEN ATTACK COUNT SECONDS: a client that takes all it can get of one thing, on many connections.

It comes from an address of its own, 127.0.0.2, or says that it is a proxy of 250 networks. It prints "ready" once every connection was tried, and at the end, as
JSON, how often it got each status; 0 stands for a connection that was closed without an answer.
"""

import asyncio
import base64
import collections
import contextlib
import itertools
import json
import os
import pathlib
import resource
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1]))  # for Harness, without pytest

from raw import frame

SOURCE = "127.0.0.2"
PORTS = range(10_000, 32_000)
"""The ports of the connections: not those that the kernel chooses, of which other tests find free ones."""

DOCUMENTS = [
    "/api/samples",
    "/samples.json",
    "/samples.csv",
    "/samples.gpl",
    "/samples.txt",
    "/history.csv?span=31d",
    "/history.csv?span=1h",
    "/api/history?span=31d&points=2000",
    "/api/openapi.json",
    "/",
    "/measuring",
    "/absorbance",
    "/calibrate",
    "/metrics",
]
NETWORKS = 250
PAUSE = 0.2
"""Seconds between two bytes that a slow reader takes, and after a refusal."""


class Greedy:
    def __init__(self, port: int, token: str):
        self.port, self.token = port, token
        self.statuses = collections.Counter()
        self.tried = 0
        self.points = itertools.count()
        self.ports = itertools.cycle(PORTS)

    async def connect(self):
        # A small buffer, so that the server cannot leave the whole response with the kernel.
        address = (SOURCE, next(self.ports))
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=address, limit=4096)

    def head(self, path: str, *fields: str, method="GET") -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"Host: localhost:{self.port}", f"Authorization: Bearer {self.token}"]
        return "\r\n".join([*lines, *fields, "", ""]).encode()

    def upgrade(self, path: str) -> bytes:
        key = base64.b64encode(os.urandom(16)).decode()
        fields = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"]
        return self.head(path, *fields)

    async def answer(self, reader) -> tuple[int, int]:
        """The status of the next response and the length of its body."""
        lines = []
        while (line := await reader.readline()) not in (b"\r\n", b""):
            lines.append(line)
        status = int(lines[0].split()[1]) if lines else 0
        self.statuses[status] += 1
        length = next((int(line.split()[1]) for line in lines if line.lower().startswith(b"content-length")), 0)
        return status, length

    async def read(self, reader, length: int) -> None:
        while length > 0:
            part = await reader.read(min(length, 1 << 16))
            if not part:
                return
            length -= len(part)

    async def once(self, request: bytes, after: bytes = b"", hold=True) -> None:
        """Sends a request, and keeps the connection without reading on."""
        reader, writer = await self.connect()
        with contextlib.closing(writer):
            writer.write(request)
            status, _ = await self.answer(reader)
            self.tried += 1
            if after and status == 101:
                writer.write(after)
            if hold and status in (101, 200):
                await asyncio.sleep(3600)

    async def from_everywhere(self, index: int, path: str, *fields: str, method="GET", body=b"") -> None:
        """Sends a request from one of many networks, and keeps the connection without reading the response."""
        network = f"X-Forwarded-For: 10.0.{index % NETWORKS}.7"
        await self.once(self.head(path, network, *fields, method=method) + body)

    async def slowly(self, path: str) -> None:
        """Reads a response byte by byte."""
        reader, writer = await self.connect()
        with contextlib.closing(writer):
            writer.write(self.head(path))
            status, _ = await self.answer(reader)
            self.tried += 1
            while status == 200 and await reader.read(1):
                await asyncio.sleep(PAUSE)

    async def again(self, paths: list[str], method="GET", body="") -> None:
        """Requests one thing after another, and reads each response as fast as it can."""
        reader, writer = await self.connect()
        fields = [f"Content-Length: {len(body)}"] if body else []
        if method == "POST":
            form = (
                "Content-Type: application/x-www-form-urlencoded"
                if "token=" in body
                else "Content-Type: application/json"
            )
            fields.append(form)
        with contextlib.closing(writer):
            for path in itertools.cycle(paths):
                writer.write(self.head(path, *fields, method=method) + body.encode())
                status, length = await self.answer(reader)
                self.tried += 1
                if status == 0:
                    return
                await self.read(reader, length)

    async def idle(self) -> None:
        reader, writer = await self.connect()
        with contextlib.closing(writer):
            self.tried += 1
            self.statuses[0] += await reader.read(1) == b""

    def attack(self, name: str, index: int):
        path = DOCUMENTS[index % len(DOCUMENTS)]
        history = f"/api/history?span=31d&points={next(self.points) % 2000 + 1}"
        attacks = {
            "slow documents": lambda: self.slowly(path),
            "slow samples": lambda: self.slowly(DOCUMENTS[index % 4]),
            "slow histories": lambda: self.slowly(history),
            "slow downloads": lambda: self.slowly("/history.csv?span=31d"),
            "documents again and again": lambda: self.again([path]),
            "ever another history": lambda: self.again(
                [f"/api/history?span=31d&points={index * 7 % 2000 + number % 40 + 1}" for number in range(40)]
            ),
            "pages again and again": lambda: self.again(["/", "/kiosk", "/test", "/nowhere", "/login"]),
            "readings again and again": lambda: self.again(["/api/reading", "/healthz", "/api/statistics", "/metrics"]),
            "picture sockets that never ask": lambda: self.once(self.upgrade("/ws/picture")),
            "picture sockets that never read": lambda: self.once(self.upgrade("/ws/picture"), frame(1, b"next")),
            "sockets of the fleet that never read": lambda: self.once(self.upgrade("/ws/fleet")),
            "streams that never read": lambda: self.once(self.head("/stream.mjpg")),
            "snapshots again and again": lambda: self.again(["/snapshot.jpg"]),
            "WebSockets that never read": lambda: self.once(self.upgrade("/ws")),
            "connections": self.idle,
            "logins": lambda: self.again(["/login"], "POST", f"next=/&token={self.token}"),
            "changes": lambda: self.again(["/api/marks", "/api/samples"], "POST", "{}"),
            "readings for many networks": lambda: self.from_everywhere(index, "/api/reading"),
            "metrics for many networks": lambda: self.from_everywhere(index, "/metrics"),
            "settings for many networks": lambda: self.from_everywhere(index, "/api/settings"),
            "probes for many networks": lambda: self.from_everywhere(index, "/api/probes"),
            "bodies of many networks": lambda: self.from_everywhere(
                index,
                "/api/settings",
                "Content-Type: application/json",
                "Content-Length: 65536",
                method="PUT",
                body=b" " * 65_000,
            ),
        }
        return attacks[name]()

    async def repeat(self, name: str, index: int) -> None:
        while True:
            try:
                await self.attack(name, index)
            except (OSError, asyncio.LimitOverrunError):
                self.statuses[0] += 1
                self.tried += 1
            await asyncio.sleep(PAUSE)

    async def run(self, name: str, count: int, seconds: float) -> None:
        tasks = [asyncio.create_task(self.repeat(name, index)) for index in range(count)]
        while self.tried < count:
            await asyncio.sleep(0.05)
        print("ready", flush=True)
        await asyncio.sleep(seconds)
        for task in tasks:
            task.cancel()
        print(json.dumps(self.statuses), flush=True)


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    port, token, name, count, seconds = sys.argv[1:]
    asyncio.run(Greedy(int(port), token).run(name, int(count), float(seconds)))
