"""A relay in front of a server, which records every request of a browser, whichever part of the browser sends it."""

import contextlib
import socket
import socketserver
import threading
from collections.abc import Iterator

from Harness.server import Server


@contextlib.contextmanager
def relaying(server: Server) -> Iterator["Relay"]:
    """A relay to this server until the block ends."""
    with Relay(server.port) as relay:
        thread = threading.Thread(target=relay.serve_forever, daemon=True)
        thread.start()
        try:
            yield relay
        finally:
            relay.shutdown()
            thread.join()


class Relay(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int):
        """`port` is that of the server."""
        super().__init__(("127.0.0.1", 0), Connection)
        self.target = ("127.0.0.1", port)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"
        self.paths: list[str] = []
        """The paths of the requests so far, in the order of their arrival."""


class Connection(socketserver.StreamRequestHandler):
    server: Relay

    def handle(self) -> None:
        with socket.create_connection(self.server.target) as target, contextlib.suppress(OSError):
            threading.Thread(target=self.send_back, args=[target], daemon=True).start()
            is_upgraded = False
            while not is_upgraded and (line := self.rfile.readline()):
                # A page sends no request body until somebody operates it.
                self.server.paths.append(line.split()[1].decode())
                head = [line]
                while head[-1].strip():
                    head.append(self.rfile.readline())
                target.sendall(b"".join(head))
                is_upgraded = any(line.lower().startswith(b"upgrade: websocket") for line in head)
            while data := self.rfile.read1(65_536):
                target.sendall(data)

    def send_back(self, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := target.recv(65_536):
                self.connection.sendall(data)
            self.connection.shutdown(socket.SHUT_WR)
