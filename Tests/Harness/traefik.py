"""A model of Traefik with TLS, its middlewares StripPrefix and RedirectRegex, and HTTP/1.1.

What it adds to a request is in pkg/middlewares/forwardedheaders/forwarded_header.go and stripprefix/strip_prefix.go. The
scheme of a WebSocket is `wss` (traefik/traefik#6388).
"""

from Harness.mounting import Mounting, Request, response

PREFIX = "/swatch"


class Traefik(Mounting):
    prefix = PREFIX

    def answer(self, request: Request) -> str | None:
        if request.target != PREFIX:
            return None
        return response(status="308 Permanent Redirect", fields=[f"Location: https://{request.host}{PREFIX}/"])

    def passed_on(self, request: Request) -> list[str]:
        # What the client itself claims is not believed.
        kept = [
            line for line in request.lines if not line.lower().startswith(("x-forwarded-", "x-real-ip", "connection"))
        ]
        return [
            *kept,
            "Connection: " + ("Upgrade" if request.is_upgrade else "close"),
            "X-Forwarded-For: 127.0.0.1",
            f"X-Forwarded-Host: {request.host}",
            f"X-Forwarded-Port: {self.port}",
            f"X-Forwarded-Prefix: {PREFIX}",
            f"X-Forwarded-Proto: {'wss' if request.is_upgrade else 'https'}",
            "X-Forwarded-Server: traefik",
            "X-Real-Ip: 127.0.0.1",
        ]
