"""People and scripts that come through the reverse proxies of docs/security.md."""

import datetime
import json
import socket
import subprocess
import time
import urllib.parse

import pytest
import websockets.sync.client
from Harness.proxies import NAME, TOKEN, apache, caddy, guarded_server, haproxy, nginx, proxied
from Harness.waiting import stretched


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    with guarded_server(tmp_path_factory.mktemp("guarded")) as server:
        yield server


@pytest.fixture(scope="module", params=[nginx, caddy, haproxy, apache], ids=lambda proxy: proxy.__name__)
def site(request, guarded, tmp_path_factory):
    with proxied(request.param, tmp_path_factory.mktemp("proxy"), guarded) as site:
        yield site


def test_a_person_logs_in_once_through_a_proxy(site):
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
    assert cookie.startswith("__Secure-swatchcam-")


def test_the_server_is_up_by_the_proxys_own_check(site):
    """HAProxy asks for /healthz by HTTP/1.0 without Host. While the server is down for it, it answers 503."""
    deadline = time.monotonic() + stretched(1.5)
    while time.monotonic() < deadline:
        assert site.ask("/healthz")[0] == 200
        time.sleep(0.1)


def test_a_request_from_another_sites_page_is_refused_behind_a_proxy(site):
    status, _, _ = site.ask(
        "/api/controls/lock", f"Authorization: Bearer {TOKEN}", "Origin: https://evil.example", method="POST"
    )
    assert status == 403


def test_a_proxy_passes_on_the_readings_of_a_websocket_in_order_and_without_delay(site):
    with websockets.sync.client.connect(
        f"wss://{NAME}:{site.port}/ws",
        sock=socket.create_connection(("127.0.0.1", site.port)),
        ssl=site.context,
        server_hostname=NAME,
        origin=site.origin,
        additional_headers={"Authorization": f"Bearer {TOKEN}"},
    ) as client:
        readings = [json.loads(client.recv(stretched())) for _ in range(12)]
        # If the proxy held readings back, the last of them would be old.
        age = time.time() - datetime.datetime.fromisoformat(readings[-1]["time"]).timestamp()
        assert age < stretched(2)
    numbers = [reading["sequence"] for reading in readings]
    # One may be missing: if this test is slow, a newer reading replaces it.
    assert numbers == sorted(set(numbers))


def test_a_proxy_passes_on_pictures_without_delay(site):
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
    # If a proxy held pictures back, all would have been taken long before the last one arrived.
    assert time.time() - times[-1] < stretched(2)


def curl(site, path, *options):
    """The command that asks for an address by HTTP/2, if the proxy speaks it."""
    name = ["--resolve", f"{NAME}:{site.port}:127.0.0.1"]
    token = ["--header", f"Authorization: Bearer {TOKEN}"]
    return ["curl", "--silent", "--insecure", "--http2", *name, *token, *options, site.origin + path]


def by_http2(site, path, *options):
    """What there is at an address, and the version of HTTP by which it came."""
    limit = ["--max-time", str(stretched())]
    answer = subprocess.run(
        curl(site, path, "--write-out", "%{stderr}%{http_version}", *limit, *options), check=True, capture_output=True
    )
    return answer.stdout, answer.stderr.decode()


def test_a_page_comes_by_http2(site):
    page, version = by_http2(site, "/")
    assert version == "2"
    assert b'id="dashboard"' in page


def test_a_change_by_the_api_goes_by_http2(site):
    settings, version = by_http2(
        site, "/api/settings", "-X", "PUT", "-H", "Content-Type: application/json", "-d", '{"effect":"none"}'
    )
    assert version == "2"
    assert json.loads(settings)["effect"] == "none"


def test_pictures_come_by_http2_as_they_are_captured(site):
    command = curl(site, "/stream.mjpg?fps=2", "--no-buffer", "--dump-header", "-")
    with subprocess.Popen(command, stdout=subprocess.PIPE) as viewer:
        try:
            assert viewer.stdout.readline().startswith(b"HTTP/2 200")
            for _ in range(3):
                while not (line := viewer.stdout.readline()).startswith(b"X-Timestamp: "):
                    assert line, "the stream has ended"
                # A proxy that fills a buffer first would hold a picture back until the next one.
                assert time.time() - float(line.split(b" ")[1]) < stretched(0.4)
        finally:
            viewer.terminate()


def test_a_forged_x_forwarded_for_does_not_reach_the_log(site, guarded):
    """What the client itself claims in the field is not believed."""
    before = guarded.logged()
    site.ask("/api/reading", "Authorization: Bearer wrong", "X-Forwarded-For: 192.0.2.9")
    assert "192.0.2.9" not in guarded.logged().removeprefix(before)
