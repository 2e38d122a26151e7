"""A client that sends exactly the bytes that it is given."""

import base64
import contextlib
import os
import socket
import struct
import time

from Harness import process
from Harness.waiting import stretched, wait_until


class Raw:
    def __init__(self, server, timeout=None, receive_buffer=None):
        self.host = f"localhost:{server.port}"
        self.socket = socket.socket()
        self.socket.settimeout(timeout or stretched())
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect(("127.0.0.1", server.port))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data: bytes | str) -> None:
        self.socket.sendall(data.encode() if isinstance(data, str) else data)

    def try_to_send(self, data: bytes | str) -> None:
        """Sends the data, although the server may close the connection before all of it is sent."""
        with contextlib.suppress(OSError):
            self.send(data)

    def get(self, path="/api/reading", *fields, method="GET", version="HTTP/1.1") -> None:
        self.send("\r\n".join([f"{method} {path} {version}", f"Host: {self.host}", *fields, "", ""]))

    def all(self) -> bytes:
        """Everything that arrives until the server closes the connection."""
        data = b""
        with contextlib.suppress(ConnectionResetError):
            while part := self.socket.recv(1 << 16):
                data += part
        return data

    def status(self) -> int:
        """The status of the one response before the server closes the connection."""
        return int(self.all().split(b" ", 2)[1])

    def head(self) -> tuple[int, dict[str, str]]:
        """Status and fields of a response, whose body is not read."""
        data = b""
        while not data.endswith(b"\r\n\r\n"):
            byte = self.socket.recv(1)
            assert byte, f"the server closed after {data!r}"
            data += byte
        first, *lines = data.decode().split("\r\n")
        return int(first.split(" ")[1]), dict(line.lower().split(": ", 1) for line in lines if line)

    def response(self) -> tuple[int, dict[str, str], bytes]:
        status, fields = self.head()
        body = b""
        while left := int(fields.get("content-length", 0)) - len(body):
            part = self.socket.recv(left)
            assert part, f"the server closed after {len(body)} bytes of a body"
            body += part
        return status, fields, body

    def seconds_to_end(self) -> float:
        began = time.monotonic()
        self.all()
        return time.monotonic() - began

    def reset(self) -> None:
        """Ends the connection with an RST."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    # WebSocket

    def upgrade(self, *fields, path="/ws") -> int:
        return self.ask_to_upgrade(*fields, path=path)[0]

    def ask_to_upgrade(self, *fields, version=13, path="/ws") -> tuple[int, dict[str, str]]:
        key = base64.b64encode(os.urandom(16)).decode()
        self.get(
            path,
            "Connection: Upgrade",
            "Upgrade: websocket",
            f"Sec-WebSocket-Version: {version}",
            f"Sec-WebSocket-Key: {key}",
            *fields,
        )
        return self.head()

    def send_frame(self, opcode, payload=b"", fin=True, masked=True, reserved=0, length=None) -> None:
        self.send(frame(opcode, payload, fin, masked, reserved, length))

    def close_code(self) -> int | None:
        """The code of the server's close frame, after any readings; None if the server closes without one."""
        try:
            while True:
                opcode, payload = self.receive_frame()
                if opcode == 8:
                    return int.from_bytes(payload[:2], "big")
        except (ConnectionResetError, EOFError):
            return None

    def receive_frame(self) -> tuple[int, bytes]:
        """The opcode and the payload of the server's next frame."""
        first, second = self._exactly(2)
        length = second & 0x7F
        if length >= 126:
            length = int.from_bytes(self._exactly(2 if length == 126 else 8), "big")
        return first & 0x0F, self._exactly(length)

    def _exactly(self, count) -> bytes:
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data


def ask(server, method, path, *fields, body="", version="HTTP/1.1"):
    """Status, fields and body of the answer to one request with exactly these fields."""
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


def frame(opcode, payload=b"", fin=True, masked=True, reserved=0, length=None) -> bytes:
    """The bytes of a WebSocket frame. `length` is the length that it claims, if not the true one."""
    length = len(payload) if length is None else length
    data = bytes([fin << 7 | reserved << 4 | opcode])
    bit = 0x80 if masked else 0
    if length < 126:
        data += bytes([bit | length])
    elif length < 1 << 16:
        data += bytes([bit | 126]) + length.to_bytes(2, "big")
    else:
        data += bytes([bit | 127]) + length.to_bytes(8, "big")
    # A mask of zeros masks nothing.
    return data + (bytes(4) if masked else b"") + payload


def wait_until_dropped(clients, server, before) -> None:
    """Waits until the server drops these clients, which never read, and so has at most `before` sockets again."""
    wait_until(
        lambda: process.sockets(server.pid),
        "clients that never read are still connected",
        timeout=90,
        holds=lambda count: count <= before,
    )
    for client in clients:
        client.socket.close()
