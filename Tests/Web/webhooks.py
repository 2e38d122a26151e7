"""Receivers of events, which behave as a test says."""

import contextlib
import http.server
import json
import queue
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

Answer = Callable[["Request"], None]


class Request(http.server.BaseHTTPRequestHandler):
    """A request, whose body was read."""

    protocol_version = "HTTP/1.1"
    body = b""

    def do_POST(self):
        self.body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.put(self)
        self.server.answers.pop(0)(self) if len(self.server.answers) > 1 else self.server.answers[0](self)

    @property
    def event(self) -> dict:
        return json.loads(self.body)

    def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def answering(status: int, body: bytes = b"", **headers: str) -> Answer:
    return lambda request: request.answer(status, body, **headers)


class Receiver(http.server.ThreadingHTTPServer):
    """A server that answers its requests in turn, and further ones as the last."""

    daemon_threads = True

    def __init__(self, *answers: Answer):
        super().__init__(("127.0.0.1", 0), Request)
        self.requests: queue.Queue[Request] = queue.Queue()
        self.answers = list(answers or [answering(200)])
        self.place = f"127.0.0.1:{self.server_port}"


@contextlib.contextmanager
def receiving(*answers: Answer, certificate: Path | None = None) -> Iterator[Receiver]:
    with Receiver(*answers) as receiver:
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            receiver.socket = context.wrap_socket(receiver.socket, server_side=True)
        thread = threading.Thread(target=receiver.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield receiver
        finally:
            receiver.shutdown()
            thread.join()


@contextlib.contextmanager
def hanging() -> Iterator[str]:
    """The place of a server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


def make_certificate(folder: Path, name: str = "127.0.0.1") -> Path:
    """A certificate that its own key has signed, with that key, in one file."""
    file = folder / f"{name}.pem"
    kind = "IP" if name[0].isdigit() else "DNS"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test", "-addext"]
    out = subprocess.run(
        [*command, f"subjectAltName={kind}:{name}", "-keyout", "-", "-out", "-"], check=True, capture_output=True
    )
    file.write_bytes(out.stdout)
    return file
