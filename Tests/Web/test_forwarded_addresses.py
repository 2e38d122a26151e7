"""The sender of a request according to a proxy."""

from raw import ask

TOKEN = "test-token-of-forty-letters-and-a-few-more"


def wrong(server, sender):
    return ask(server, "GET", "/api/reading", "Authorization: Bearer wrong", f"X-Forwarded-For: {sender}")[0]


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
