"""The reverse proxies of docs/security.md, configured as in docs/proxies: TLS in front of a Swatchcam with a token."""

import contextlib
import os
import pathlib
import socket
import ssl
import subprocess

from Harness.program import free_port
from Harness.server import running
from Harness.waiting import stretched, wait_until

HERE = pathlib.Path(__file__).parent
TOKEN = "test-token-of-forty-letters-and-a-few-more"
NAME = "cam.example"
FILES = HERE.parents[1] / "docs/proxies"


@contextlib.contextmanager
def guarded_server(folder: pathlib.Path):
    """A Swatchcam on loopback that requires a token and accepts the host name under which the proxy serves it."""
    config = (
        f'[readings]\nrate = 4\n[web]\nallowed_hosts = ["{NAME}"]\ntoken = "{TOKEN}"\ntrusted_proxies = ["127.0.0.1"]\n'
    )
    with running(folder, config=config) as server:
        yield server


def make_certificate(folder: pathlib.Path) -> None:
    """Makes cert.pem and key.pem, and both in one file."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
        + ["-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True,
        capture_output=True,
    )
    (folder / "both.pem").write_text((folder / "cert.pem").read_text() + (folder / "key.pem").read_text())


def tls(folder: pathlib.Path) -> ssl.SSLContext:
    """What a server of these tests needs for TLS."""
    make_certificate(folder)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context


def filled_in(name: str, values: dict[str, str]) -> str:
    """A file of docs/proxies with other values."""
    text = (FILES / name).read_text()
    for old, new in values.items():
        assert old in text
        text = text.replace(old, new)
    return text


def haproxy(folder: pathlib.Path, port: int, server, keeps_connections=True) -> tuple[list[str], dict]:
    """The command that starts HAProxy, and its environment. It asks for /healthz by itself, by HTTP/1.0 without a host."""
    assert keeps_connections
    make_certificate(folder)
    config = filled_in(
        "haproxy.cfg",
        {
            "bind :443": f"bind 127.0.0.1:{port}",
            "/etc/ssl/private/cam.example.pem": f"{folder}/both.pem",
            "127.0.0.1:8080 check": f"127.0.0.1:{server.port} check inter 200",
        },
    )
    (folder / "haproxy.cfg").write_text(config)
    return ["haproxy", "-db", "-f", str(folder / "haproxy.cfg")], {}


def apache(folder: pathlib.Path, port: int, server, keeps_connections=True) -> tuple[list[str], dict]:
    """The command that starts Apache, and its environment."""
    assert keeps_connections
    make_certificate(folder)
    site = filled_in(
        "apache.conf",
        {
            "*:443": f"127.0.0.1:{port}",
            "/etc/ssl/certs/cam.example.pem": f"{folder}/cert.pem",
            "/etc/ssl/private/cam.example.key": f"{folder}/key.pem",
            "127.0.0.1:8080": f"127.0.0.1:{server.port}",
        },
    )
    modules = ["mpm_event", "authz_core", "headers", "http2", "proxy", "proxy_http", "socache_shmcb", "ssl"]
    loaded = "".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n" for name in modules)
    head = (
        f"ServerRoot {folder}\nServerName {NAME}\nPidFile {folder}/pid\nErrorLog /dev/stderr\nListen 127.0.0.1:{port}\n"
    )
    (folder / "apache.conf").write_text(loaded + head + "User nobody\nGroup nogroup\n" + site)
    return ["apache2", "-D", "FOREGROUND", "-f", str(folder / "apache.conf")], {}


def nginx(folder: pathlib.Path, port: int, server, keeps_connections=False) -> tuple[list[str], dict]:
    """The command that starts nginx, and its environment.

    nginx opens a connection to the server for each request, or reuses connections if it has an `upstream` with
    `keepalive`.
    """
    make_certificate(folder)
    address = f"127.0.0.1:{server.port}"
    site = filled_in(
        "nginx.conf",
        {
            "listen 443 ssl http2": f"listen 127.0.0.1:{port} ssl http2",
            "/etc/ssl/certs/cam.example.pem": f"{folder}/cert.pem",
            "/etc/ssl/private/cam.example.key": f"{folder}/key.pem",
            "127.0.0.1:8080": "kept" if keeps_connections else address,
        },
    )
    if keeps_connections:
        site = f"upstream kept {{ server {address}; keepalive 8; }}\n{site}"
    folders = " ".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; user root; pid {folder}/pid; error_log stderr; events {{}} "
        f"http {{ access_log off; {folders} {site} }}"
    )
    return ["nginx", "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")], {}


def caddy(folder: pathlib.Path, port: int, server, keeps_connections=True) -> tuple[list[str], dict]:
    """The command that starts Caddy, and its environment. Caddy always reuses connections to the server."""
    assert keeps_connections
    site = (FILES / "Caddyfile").read_text()
    assert site.startswith(f"{NAME} {{")
    site = site.replace(NAME, f"https://{NAME}:{port}").replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
    # Caddy makes its own certificate, and writes nothing outside the folder.
    options = (
        "{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n\tgrace_period 1s\n}\n"
    )
    (folder / "Caddyfile").write_text(options + site)
    environment = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")], environment


class Site:
    """A site served over TLS under a name, on a port of this machine."""

    def __init__(self, port):
        self.port = port
        self.origin = f"https://{NAME}:{port}"
        self.context = ssl.create_default_context()
        self.context.check_hostname = False
        self.context.verify_mode = ssl.CERT_NONE

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=stretched())
        return self.context.wrap_socket(plain, server_hostname=NAME)

    def ask(self, path, *fields, method="GET", body=""):
        """Status, head and body."""
        with self.connect() as client:
            lines = [f"{method} {path} HTTP/1.1", f"Host: {NAME}:{self.port}", f"Content-Length: {len(body)}"]
            client.sendall("\r\n".join([*lines, "Connection: close", *fields, "", body]).encode())
            data = b""
            while part := client.recv(1 << 16):
                data += part
        head, _, rest = data.partition(b"\r\n\r\n")
        return int(head.split(b" ")[1]), head.decode(), rest


@contextlib.contextmanager
def proxied(proxy, folder: pathlib.Path, server, **how):
    """The site that a proxy (`nginx` or `caddy`) makes of a server."""
    port = free_port()
    command, environment = proxy(folder, port, server, **how)
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | environment)
    try:
        site = Site(port)

        def answers():
            assert process.poll() is None, f"the proxy ended:\n{(folder / 'log').read_text()}"
            try:
                site.connect().close()
            except OSError:
                return False
            return True

        wait_until(answers, lambda: f"the proxy does not answer:\n{(folder / 'log').read_text()}")
        yield site
    finally:
        process.terminate()
        process.wait(stretched())
