"""A model of Home Assistant's ingress: the proxy of its core and that of the Supervisor, as one.

What they do to a request is in homeassistant/components/hassio/ingress.py and supervisor/api/ingress.py: they admit the
user by a cookie of their own, cut the prefix off the path, keep the headers with the browser's `Host`, and add where the
pages are mounted, who the user is, and how the request came. They do not pass on a WebSocket's extensions.
"""

from Harness.mounting import Mounting, Request, response

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


class Ingress(Mounting):
    """The proxy, with TLS if it has a certificate. `panel` is a page of the same site with a frame of Swatchcam."""

    prefix = PREFIX

    @property
    def panel(self) -> str:
        return f"{self.origin}/panel"

    def answer(self, request: Request) -> str | None:
        if request.target != "/panel":
            return None
        return response(f'<iframe src="{PREFIX}/" style="border: 0; width: 100%; height: 95vh"></iframe>')

    def passed_on(self, request: Request) -> list[str]:
        return [
            *[line for line in request.lines if line.split(":")[0].lower() not in DROPPED],
            "Connection: " + ("Upgrade" if request.is_upgrade else "close"),
            *(["Upgrade: websocket"] if request.is_upgrade else []),
            f"X-Ingress-Path: {PREFIX}",
            "X-Remote-User-Id: 0123456789abcdef0123456789abcdef",
            "X-Remote-User-Name: paula",
            "X-Forwarded-For: 192.0.2.7, 172.30.32.1",
            f"X-Forwarded-Host: {request.host}",
            f"X-Forwarded-Proto: {self.scheme}",
        ]
