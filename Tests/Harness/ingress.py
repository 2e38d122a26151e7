"""A model of Home Assistant's ingress: the proxy of its core and that of the Supervisor, as one.

What they do to a request is in homeassistant/components/hassio/ingress.py and supervisor/api/ingress.py: they admit the
user by a cookie of their own, cut the prefix off the path, keep the headers with the browser's `Host`, and add where the
pages are mounted, who the user is, and how the request came. They do not pass on a WebSocket's extensions.
"""

import contextlib
import socket
import threading

TOKEN = "Zc4ao5tDhI_KZqwcSmRmDWfXbZz5ECMeIEPVW3b0Xxo"
PREFIX = f"/api/hassio_ingress/{TOKEN}"
DROPPED = {
    "sec-websocket-extensions",
    "x-hassio-key",
    "x-supervisor-token",
    "x-remote-user-id",
    "connection",
    "upgrade",
}


class Ingress:
    """The proxy on a port of this machine. `url` is where Swatchcam is, `panel` a page of the same site with a frame of it,
    and `strays` the other paths that were requested."""

    def __init__(self, server_port: int, scheme: str = "http"):
        self._server_port = server_port
        self._scheme = scheme
        self.strays: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}{PREFIX}/"
        self.panel = f"http://127.0.0.1:{self.port}/panel"
        threading.Thread(target=self._accept, daemon=True).start()

    def stop(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError):
            data = b""
            while b"\r\n\r\n" not in data:
                if not (part := client.recv(1 << 16)):
                    return
                data += part
            head, _, body = data.partition(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").split("\r\n")
            method, target, version = first.split(" ")
            if target == "/panel":
                frame = f'<iframe src="{PREFIX}/" style="border: 0; width: 100%; height: 95vh"></iframe>'
                client.sendall(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
                    + f"Content-Length: {len(frame)}\r\n\r\n{frame}".encode()
                )
                return
            if not target.startswith(PREFIX + "/"):
                self.strays.append(target)
                client.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            is_upgrade = any(line.lower().startswith("upgrade: websocket") for line in lines)
            kept = [line for line in lines if line.split(":")[0].lower() not in DROPPED]
            host = next(line.split(": ", 1)[1] for line in kept if line.lower().startswith("host:"))
            added = [
                "Connection: " + ("Upgrade" if is_upgrade else "close"),
                *(["Upgrade: websocket"] if is_upgrade else []),
                f"X-Ingress-Path: {PREFIX}",
                "X-Remote-User-Id: 0123456789abcdef0123456789abcdef",
                "X-Remote-User-Name: paula",
                "X-Forwarded-For: 192.0.2.7, 172.30.32.1",
                f"X-Forwarded-Host: {host}",
                f"X-Forwarded-Proto: {self._scheme}",
            ]
            request = "\r\n".join([f"{method} {target.removeprefix(PREFIX)} {version}", *kept, *added, "", ""])
            with socket.create_connection(("127.0.0.1", self._server_port)) as server:
                server.sendall(request.encode("latin-1") + body)
                threading.Thread(target=_pass, args=(client, server), daemon=True).start()
                _pass(server, client)


def _pass(source: socket.socket, sink: socket.socket) -> None:
    """Passes on bytes until one side ends."""
    with contextlib.suppress(OSError):
        while part := source.recv(1 << 16):
            sink.sendall(part)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)
