"""good_clients.py PORT COUNT [TOKEN]: WebSocket clients that behave, and note when each reading arrives.

It runs in a process of its own, so that nothing in the test keeps it from reading. It prints "ready" once every client
has received a reading. For each line on standard input it prints, as JSON, how many readings have arrived since the
previous line, and the longest time between two readings of one client, including the time since its last one.
"""

import base64
import json
import os
import selectors
import socket
import sys
import time

TICK = 0.005


class Client:
    def __init__(self, port, token=None):
        self.socket = socket.create_connection(("127.0.0.1", port))
        key = base64.b64encode(os.urandom(16)).decode()
        authorization = f"Authorization: Bearer {token}\r\n" if token else ""
        self.socket.sendall(
            f"GET /ws HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            f"{authorization}\r\n".encode()
        )
        self.data = b""
        self.upgraded = False
        self.last = None
        self.gaps = []
        # The longest time since the last reading for which this process was ready but did not run.
        self.stall = 0

    def gap(self, now):
        """The time since the last reading, less the time for which this process could not run."""
        return now - self.last - self.stall

    def read(self, now):
        part = self.socket.recv(1 << 16)
        assert part, "the server closed the connection of a good client"
        self.data += part
        if not self.upgraded:
            head, end, rest = self.data.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101 "), head
            self.upgraded, self.data = True, rest
        while (frame := self.frame()) is not None:
            opcode, payload = frame
            if opcode == 9:
                mask = b"\0\0\0\0"
                self.socket.sendall(bytes([0x8A, 0x80 | len(payload)]) + mask + payload)
            elif opcode == 1:
                if self.last:
                    self.gaps.append(self.gap(now))
                self.last, self.stall = now, 0

    def frame(self):
        """The next complete frame, or None if it has not arrived yet."""
        if len(self.data) < 2:
            return None
        length, head = self.data[1] & 0x7F, 2
        if length == 126:
            if len(self.data) < 4:
                return None
            length, head = int.from_bytes(self.data[2:4], "big"), 4
        if len(self.data) < head + length:
            return None
        opcode, payload = self.data[0] & 0x0F, self.data[head : head + length]
        self.data = self.data[head + length :]
        return opcode, payload


def main(port, count, token=None):
    selector = selectors.DefaultSelector()
    clients = [Client(port, token) for _ in range(count)]
    for client in clients:
        selector.register(client.socket, selectors.EVENT_READ, client)
    selector.register(sys.stdin, selectors.EVENT_READ)
    is_ready = False
    while True:
        due = time.monotonic() + TICK
        events = selector.select(TICK)
        now = time.monotonic()
        # If this idle process does not get to run in time, that is not the server's fault.
        for client in clients:
            client.stall = max(client.stall, now - due)
        for key, _ in events:
            if key.data:
                key.data.read(now)
            elif not sys.stdin.readline():
                return
            else:
                gaps = [gap for client in clients for gap in client.gaps]
                lasting = [client.gap(now) for client in clients]
                print(json.dumps({"readings": len(gaps), "longest": max(gaps + lasting)}), flush=True)
                for client in clients:
                    client.gaps = []
        if not is_ready and all(client.last for client in clients):
            is_ready = True
            print("ready", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
