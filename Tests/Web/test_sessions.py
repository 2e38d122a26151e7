"""The sender of a request: pages of other origins, sessions, and tokens."""

import urllib.parse

import pytest
from raw import Raw, ask

TOKEN = "test-token-of-forty-letters-and-a-few-more"
BEARER = f"Authorization: Bearer {TOKEN}"


@pytest.mark.parametrize(
    "fields",
    [
        ["Origin: https://{host}", "Sec-Fetch-Site: cross-site"],
        ["Origin: https://{host}"],
        ["Origin: http://{host}", "Sec-Fetch-Site: cross-site"],
        ["Origin: http://{host}", "Sec-Fetch-Site: same-site"],
        ["Sec-Fetch-Site: same-site"],
        ["Origin: null"],
    ],
    ids=repr,
)
def test_a_page_of_another_origin_changes_nothing_and_gets_no_websocket(server, fields):
    with Raw(server) as client:
        fields = [field.format(host=client.host) for field in fields]
        client.get("/api/camera/toggle", *fields, method="POST")
        assert client.head()[0] == 403
    with Raw(server) as client:
        assert client.upgrade(*[field.format(host=client.host) for field in fields]) == 403


def log_in(server, token=TOKEN, *fields):
    form = urllib.parse.urlencode({"token": token})
    return ask(server, "POST", "/login", "Content-Type: application/x-www-form-urlencoded", *fields, body=form)


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


def test_a_login_form_cannot_add_a_field_to_the_answer(server):
    form = "token=a%0d%0aSet-Cookie:%20b=c%0d%0a%0d%0a<h1>&next=/%0d%0aX:%20y"
    with Raw(server) as client:
        client.send(
            f"POST /login HTTP/1.1\r\nHost: {client.host}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Connection: close\r\nContent-Length: {len(form)}\r\n\r\n{form}"
        )
        answer = client.all()
    assert b"Set-Cookie" not in answer and b"<h1>" not in answer and b"\nX:" not in answer


def test_the_cookie_does_not_contain_the_token(guarded):
    cookie = session(guarded)
    assert TOKEN not in cookie
    assert ask(guarded, "GET", "/api/reading", f"Cookie: {cookie}")[0] == 200
    assert ask(guarded, "GET", "/api/reading", f"Cookie: {cookie.split('=')[0]}={TOKEN}")[0] == 401


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


def test_cookies_that_another_port_has_set_lock_nobody_out(guarded):
    cookie = session(guarded)
    name = cookie.split("=")[0]
    for _ in range(30):
        assert ask(guarded, "GET", "/api/reading", f"Cookie: {name}=x; {name}=y")[0] == 401
    assert ask(guarded, "GET", "/api/reading", f"Cookie: {name}=x; {cookie}; {name}=y")[0] == 200
    assert log_in(guarded, TOKEN, f"Cookie: {name}=x")[0] == 303


def test_the_right_token_is_accepted_after_any_number_of_wrong_ones(start_server):
    server = start_server(f'[web]\ntoken = "{TOKEN}"\n')
    statuses = [log_in(server, "wrong")[0] for _ in range(30)]
    assert statuses[:10] == [401] * 10
    assert 429 in statuses
    assert log_in(server)[0] == 303
