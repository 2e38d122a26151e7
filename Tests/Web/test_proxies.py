"""The two reverse proxies of the README, as docs/proxies configures them: TLS before a Swatchcam that wants a token."""

import json
import os
import pathlib
import socket
import ssl
import subprocess
import time
import urllib.parse

import pytest
import websockets.sync.client
from conftest import HERE
from swatchcam_server import free_port

TOKEN = "test-token-of-forty-letters-and-a-few-more"
NAME = "cam.example"
FILES = HERE.parents[1] / "docs/proxies"
PATIENCE = 20


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A Swatchcam on loopback that knows the proxy's name for it."""
    from swatchcam_server import Server

    server = Server(tmp_path_factory.mktemp("guarded"))
    server.config.write_text(
        server.config.read_text()
        + f'[readings]\nrate = 4\n[web]\nhosts = ["{NAME}"]\ntoken = "{TOKEN}"\ntrusted_proxies = ["127.0.0.1"]\n'
    )
    server.start()
    yield server
    server.stop()


def nginx(folder: pathlib.Path, port: int, server) -> tuple[list[str], dict]:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
        + ["-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True,
        capture_output=True,
    )
    site = (FILES / "nginx.conf").read_text()
    for old, new in {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "/etc/ssl/certs/cam.example.pem": f"{folder}/cert.pem",
        "/etc/ssl/private/cam.example.key": f"{folder}/key.pem",
        "127.0.0.1:8080": f"127.0.0.1:{server.port}",
    }.items():
        assert old in site
        site = site.replace(old, new)
    folders = " ".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log stderr; events {{}} http {{ access_log off; {folders} {site} }}"
    )
    return ["nginx", "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")], {}


def caddy(folder: pathlib.Path, port: int, server) -> tuple[list[str], dict]:
    site = (FILES / "Caddyfile").read_text()
    assert site.startswith(f"{NAME} {{")
    site = site.replace(NAME, f"https://{NAME}:{port}").replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
    # A certificate of its own making, and nothing that leaves the folder.
    options = "{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"
    (folder / "Caddyfile").write_text(options + site)
    environment = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")], environment


class Site:
    """What is served by TLS under a name, on a port of this machine."""

    def __init__(self, port):
        self.port = port
        self.origin = f"https://{NAME}:{port}"
        self.context = ssl.create_default_context()
        self.context.check_hostname = False
        self.context.verify_mode = ssl.CERT_NONE

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        return self.context.wrap_socket(plain, server_hostname=NAME)

    def ask(self, path, *fields, method="GET", body=""):
        """Status, head and the beginning of the body."""
        with self.connect() as client:
            lines = [f"{method} {path} HTTP/1.1", f"Host: {NAME}:{self.port}", f"Content-Length: {len(body)}"]
            client.sendall("\r\n".join([*lines, "Connection: close", *fields, "", body]).encode())
            data = b""
            while part := client.recv(1 << 16):
                data += part
        head, _, rest = data.partition(b"\r\n\r\n")
        return int(head.split(b" ")[1]), head.decode(), rest


@pytest.fixture(scope="module", params=[nginx, caddy], ids=lambda proxy: proxy.__name__)
def site(request, guarded, tmp_path_factory):
    folder = tmp_path_factory.mktemp("proxy")
    port = free_port()
    command, environment = request.param(folder, port, guarded)
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | environment)
    site = Site(port)
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            site.connect().close()
            break
        except OSError:
            log = (folder / "log").read_text()
            assert process.poll() is None and time.monotonic() < deadline, f"the proxy does not answer:\n{log}"
            time.sleep(0.1)
    yield site
    process.terminate()
    process.wait(PATIENCE)


def test_a_person_logs_in_once(site):
    status, head, page = site.ask("/", "Accept: text/html")
    assert status == 401
    assert b'name="token"' in page
    form = urllib.parse.urlencode({"token": TOKEN, "next": "/"})
    status, head, _ = site.ask(
        "/login",
        "Content-Type: application/x-www-form-urlencoded",
        f"Origin: {site.origin}",
        "Sec-Fetch-Site: same-origin",
        method="POST",
        body=form,
    )
    assert status == 303
    cookie = next(line for line in head.split("\r\n") if line.lower().startswith("set-cookie:")).split(": ", 1)[1]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and "Secure" in cookie
    status, _, page = site.ask("/", "Accept: text/html", f"Cookie: {cookie.split(';')[0]}")
    assert status == 200
    assert b'id="dashboard"' in page
    assert cookie.startswith("__Host-swatchcam-")


def test_another_site_is_refused(site):
    status, _, _ = site.ask(
        "/api/lock", f"Authorization: Bearer {TOKEN}", "Origin: https://evil.example", method="POST"
    )
    assert status == 403


def test_readings_come_four_times_a_second(site):
    with websockets.sync.client.connect(
        f"wss://{NAME}:{site.port}/ws",
        sock=socket.create_connection(("127.0.0.1", site.port)),
        ssl=site.context,
        server_hostname=NAME,
        origin=site.origin,
        additional_headers={"Authorization": f"Bearer {TOKEN}"},
    ) as client:
        readings = [json.loads(client.recv(PATIENCE)) for _ in range(12)]
    numbers = [reading["sequence"] for reading in readings]
    assert numbers == list(range(numbers[0], numbers[0] + 12))


def test_pictures_come_as_they_are_taken(site):
    with site.connect() as client:
        client.sendall(
            f"GET /stream.mjpg HTTP/1.1\r\nHost: {NAME}:{site.port}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
        )
        data, parts = b"", []
        while len(parts) < 11:
            data += client.recv(1 << 16)
            parts = data.split(b"--swatchcam-picture\r\n")
    times = [float(part.split(b"X-Timestamp: ")[1].split(b"\r\n")[0]) for part in parts[1:10]]
    assert times == sorted(set(times))
    # Held back by a proxy, they would all have been taken long before the last one came.
    assert time.time() - times[-1] < 2


def test_the_proxy_tells_who_sends_a_wrong_token(site, guarded):
    """Whatever the client claims."""
    before = guarded.log.read_text()
    site.ask("/api/reading", "Authorization: Bearer wrong", "X-Forwarded-For: 192.0.2.9")
    assert "192.0.2.9" not in guarded.log.read_text().removeprefix(before)
