"""Models of proxies that show a server under a path of their own site. Each connection carries one request."""

import asyncio
import contextlib
import ssl
import threading
from dataclasses import dataclass


@dataclass
class Request:
    method: str
    target: str
    version: str
    lines: list[str]
    """The fields, as they were sent."""

    @property
    def is_upgrade(self) -> bool:
        return any(line.lower().startswith("upgrade: websocket") for line in self.lines)

    @property
    def host(self) -> str:
        return next(line.split(": ", 1)[1] for line in self.lines if line.lower().startswith("host:"))


class Mounting:
    """A proxy on a port of this machine, with TLS if it has a certificate.

    `url` is where the server is, and `strays` are the other paths that were requested, without the icon for which
    browsers ask by themselves.
    """

    prefix: str

    def __init__(self, server_port: int, context: ssl.SSLContext | None = None):
        self._server_port = server_port
        self.scheme = "https" if context else "http"
        self.strays: list[str] = []
        self._is_listening = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._listen(context)), daemon=True)
        self._thread.start()
        self._is_listening.wait()
        self.origin = f"{self.scheme}://127.0.0.1:{self.port}"
        self.url = f"{self.origin}{self.prefix}/"

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._is_stopped.set)
        self._thread.join()

    async def _listen(self, context: ssl.SSLContext | None) -> None:
        self._loop, self._is_stopped = asyncio.get_running_loop(), asyncio.Event()
        listener = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=context)
        self.port = listener.sockets[0].getsockname()[1]
        self._is_listening.set()
        await self._is_stopped.wait()
        listener.close()

    def answer(self, request: Request) -> str | None:
        """The proxy's own response; None if the request is passed on."""
        return None

    def passed_on(self, request: Request) -> list[str]:
        """The fields with which a request is passed on."""
        raise NotImplementedError

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError), contextlib.closing(writer):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.removesuffix("\r\n\r\n").split("\r\n")
            request = Request(*first.split(" "), lines)
            if answer := self.answer(request):
                writer.write(answer.encode())
                await writer.drain()
                return
            if not request.target.startswith(f"{self.prefix}/"):
                if request.target != "/favicon.ico":
                    self.strays.append(request.target)
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                await writer.drain()
                return
            start = f"{request.method} {request.target.removeprefix(self.prefix)} {request.version}"
            server, to_server = await asyncio.open_connection("127.0.0.1", self._server_port)
            with contextlib.closing(to_server):
                to_server.write("\r\n".join([start, *self.passed_on(request), "", ""]).encode("latin-1"))
                ways = [asyncio.create_task(_pass(reader, to_server)), asyncio.create_task(_pass(server, writer))]
                _, rest = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in rest:
                    way.cancel()


def response(body: str = "", status: str = "200 OK", fields=()) -> str:
    """A whole response, with a page."""
    lines = [f"HTTP/1.1 {status}", "Content-Type: text/html", f"Content-Length: {len(body)}", "Connection: close"]
    return "\r\n".join([*lines, *fields, "", body])


async def _pass(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Passes on bytes until one side ends."""
    with contextlib.suppress(OSError):
        while part := await source.read(1 << 16):
            sink.write(part)
            await sink.drain()
