"""MQTT 3.1.1, as far as the tests need it: packets, a client, and brokers that misbehave."""

import contextlib
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator

CONNACK = b"\x20\x02\x00\x00"
SUBACK, PINGRESP = 0x90, b"\xd0\x00"


def text(value: str | bytes) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return struct.pack(">H", len(data)) + data


def length(count: int) -> bytes:
    """The remaining length (2.2.3), up to 268,435,455."""
    data = b""
    while True:
        count, digit = divmod(count, 128)
        data += bytes([digit | (0x80 if count else 0)])
        if not count:
            return data


def packet(head: int, body: bytes) -> bytes:
    return bytes([head]) + length(len(body)) + body


def publish(topic: str | bytes, payload: bytes, retained: bool = False) -> bytes:
    return packet(0x30 | retained, text(topic) + payload)


def read_packet(connection: socket.socket) -> tuple[int, bytes]:
    """The next packet: its first byte, and what follows its length. Raises OSError if there is none."""
    head = _read(connection, 1)[0]
    count = shift = 0
    while True:
        digit = _read(connection, 1)[0]
        count |= (digit & 0x7F) << shift
        shift += 7
        if digit < 0x80:
            return head, _read(connection, count)


def _read(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise ConnectionError("the connection is closed")
        data += part
    return data


class Client:
    """A client that subscribes to everything, and keeps what it receives: topics, payloads, whether they were kept."""

    def __init__(self, port: int, topic: str = "#"):
        self.received: list[tuple[str, bytes, bool]] = []
        self._connection = socket.create_connection(("127.0.0.1", port), 10)
        self._connection.settimeout(None)
        body = text("MQTT") + bytes([4, 2]) + struct.pack(">H", 0) + text(f"test-{time.monotonic_ns()}")
        self._connection.sendall(packet(0x10, body))
        assert read_packet(self._connection) == (0x20, b"\0\0")
        self._connection.sendall(packet(0x82, b"\0\1" + text(topic) + b"\0"))
        assert read_packet(self._connection)[0] == SUBACK
        threading.Thread(target=self._receive, daemon=True).start()

    def _receive(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                head, body = read_packet(self._connection)
                if head & 0xF0 == 0x30:
                    end = 2 + struct.unpack(">H", body[:2])[0]
                    self.received.append((body[2:end].decode(), body[end:], bool(head & 1)))

    def send(self, topic: str, payload: str | bytes, retained: bool = False) -> None:
        data = payload.encode() if isinstance(payload, str) else payload
        self._connection.sendall(publish(topic, data, retained))

    def newest(self, ending: str) -> bytes | None:
        """The newest payload of a topic with this ending."""
        return next((payload for topic, payload, _ in reversed(self.received) if topic.endswith(ending)), None)

    def close(self) -> None:
        self._connection.close()


class Rogue:
    """A server that does to each connection what `behave` does, on a thread, and records what it receives there."""

    def __init__(self, behave: Callable[["Rogue", socket.socket], None], backlog: int = 16):
        self.bytes = b""
        self.has_sent = False
        self.packets_after = 0
        """How many packets have arrived since `sending` sent its data for the first time."""
        self.connections: list[socket.socket] = []
        self._behave = behave
        self._listener = socket.socket()
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listener.bind(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._listener.listen(backlog)
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.connections.append(connection)
                threading.Thread(target=self._serve, args=[connection], daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            self._behave(self, connection)

    def record(self, connection: socket.socket) -> bool:
        """Receives something; false at the end."""
        data = connection.recv(65_536)
        self.bytes += data
        return bool(data)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self.connections:
            connection.close()


@contextlib.contextmanager
def rogue(behave: Callable[[Rogue, socket.socket], None]) -> Iterator[Rogue]:
    server = Rogue(behave)
    try:
        yield server
    finally:
        server.close()


def silent(server: Rogue, connection: socket.socket) -> None:
    """Accepts connections, and never answers."""
    while server.record(connection):
        pass


def deaf(server: Rogue, connection: socket.socket) -> None:
    """Accepts the client, and never reads again."""
    if server.record(connection):
        connection.sendall(CONNACK)
        time.sleep(3600)


def closing(_: Rogue, connection: socket.socket) -> None:
    connection.close()


def chattering(server: Rogue, connection: socket.socket) -> None:
    """Answers with packets that MQTT does not have."""
    server.record(connection)
    connection.sendall(b"\0\0" * 1000)
    time.sleep(3600)


def waiting(server: Rogue, connection: socket.socket) -> None:
    """Answers in another protocol, with what may be the beginning of a packet."""
    server.record(connection)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    time.sleep(3600)


def sending(*data: bytes, subscribed: bytes = b"", granted: int = 0) -> Callable[[Rogue, socket.socket], None]:
    """Accepts the client, answers its subscriptions and pings, and sends this after its first message, or after it has
    `subscribed` to a topic. `granted` is the answer to subscriptions: 0x80 refuses them.
    """

    def behave(server: Rogue, connection: socket.socket) -> None:
        was_sent = False
        while True:
            head, body = read_packet(connection)
            server.packets_after += server.has_sent
            match head & 0xF0:
                case 0x10:
                    connection.sendall(CONNACK)
                case 0x80:
                    connection.sendall(packet(SUBACK, body[:2] + bytes([granted])))
                case 0xC0:
                    connection.sendall(PINGRESP)
                case 0x30 if head & 6:
                    end = 2 + struct.unpack(">H", body[:2])[0]
                    connection.sendall(packet(0x40, body[end : end + 2]))
            is_time = head & 0xF0 == 0x80 and subscribed in body if subscribed else head & 0xF0 == 0x30
            if is_time and not was_sent:
                was_sent = server.has_sent = True
                for part in data:
                    connection.sendall(part)

    return behave


@contextlib.contextmanager
def dropping_syn() -> Iterator[int]:
    """A port whose queue is full, so that the kernel drops what asks for another connection."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):
            client = stack.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(listener.getsockname())
        time.sleep(0.2)
        yield listener.getsockname()[1]
