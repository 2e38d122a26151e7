"""The sender of a request according to a proxy, or to a client that pretends to be one."""

from raw import ask

TOKEN = "test-token-of-forty-letters-and-a-few-more"


def wrong(server, sender=None):
    fields = [f"X-Forwarded-For: {sender}"] if sender else []
    return ask(server, "GET", "/api/reading", "Authorization: Bearer wrong", *fields)[0]


def test_a_forwarded_address_is_ignored_unless_the_proxy_is_trusted(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n')
    statuses = [wrong(server, f"192.0.2.{number}") for number in range(30)]
    assert statuses[:10] == [401] * 10
    assert 429 in statuses
    assert "192.0.2." not in server.logged()


def test_the_address_that_a_trusted_proxy_forwards_is_taken_for_the_clients(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\ntrusted_proxies = ["127.0.0.0/8"]\n')
    statuses = [wrong(server, "203.0.113.1, 192.0.2.9:4711") for _ in range(30)]
    assert statuses[:10] == [401] * 10
    assert 429 in statuses
    assert wrong(server, "203.0.113.1, 192.0.2.10") == 401
    assert wrong(server, "[2001:db8::1]:80") == 401
    log = server.logged()
    assert "A wrong token came from 192.0.2.9." in log and "203.0.113.1" not in log
    assert "A wrong token came from 2001:db8::/64." in log


def test_an_https_origin_is_accepted_when_a_trusted_proxy_says_that_its_client_used_tls(start_server):
    server = start_server('[web]\ntrusted_proxies = ["127.0.0.1"]\n')
    origin = f"Origin: https://localhost:{server.port}"
    body = '{"effect": "none"}'
    json_type = "Content-Type: application/json"
    assert ask(server, "PUT", "/api/settings", json_type, origin, body=body)[0] == 403
    assert ask(server, "PUT", "/api/settings", json_type, origin, "X-Forwarded-Proto: https", body=body)[0] == 200
