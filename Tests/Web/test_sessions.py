"""Sessions, whose end closes the connections that they opened."""

import urllib.parse

from raw import Raw, ask

TOKEN = "test-token-of-forty-letters-and-a-few-more"
BEARER = f"Authorization: Bearer {TOKEN}"


def session(server) -> str:
    # Without `ask`, which converts the cookie to lower case.
    with Raw(server) as client:
        form = urllib.parse.urlencode({"token": TOKEN})
        client.send(
            f"POST /login HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Connection: close\r\nContent-Length: {len(form)}\r\n\r\n{form}"
        )
        head = client.all().decode()
    return head.split("Set-Cookie: ")[1].split(";")[0]


def test_logging_out_ends_the_session_its_websockets_and_its_streams(guarded):
    cookie = f"Cookie: {session(guarded)}"
    with (
        Raw(guarded) as socket_client,
        Raw(guarded) as picture_client,
        Raw(guarded) as stream,
        Raw(guarded) as other,
    ):
        assert socket_client.upgrade(cookie) == 101
        assert picture_client.upgrade(cookie, path="/ws/picture") == 101
        assert other.upgrade(f"Cookie: {session(guarded)}") == 101
        stream.get("/stream.mjpg", cookie)
        assert stream.head()[0] == 200
        assert ask(guarded, "POST", "/logout", cookie)[0] == 303
        assert socket_client.close_code() == 1008
        assert picture_client.close_code() == 1008
        stream.all()
        assert ask(guarded, "GET", "/api/reading", cookie)[0] == 401
        # The other session continues.
        assert other._exactly(1)[0] & 0x0F != 8


def test_a_new_token_in_the_configuration_ends_all_sessions(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n')
    cookie = f"Cookie: {session(server)}"
    with Raw(server) as client, Raw(server) as picture_client:
        assert client.upgrade(cookie) == 101
        assert picture_client.upgrade(cookie, path="/ws/picture") == 101
        server.config.write_text(server.config.read_text().replace(TOKEN, TOKEN[::-1]))
        assert client.close_code() == 1008
        assert picture_client.close_code() == 1008
    assert ask(server, "GET", "/api/reading", cookie)[0] == 401
    assert ask(server, "GET", "/api/reading", BEARER)[0] == 401
    assert ask(server, "GET", "/api/reading", f"Authorization: Bearer {TOKEN[::-1]}")[0] == 200
