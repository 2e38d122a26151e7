"""Events at receivers that work, and at receivers that do not."""

import os
import queue
import socket

import pytest
import webhooks
from Harness import api, program
from Harness.eventful import CARD, ORANGE, SCENE, look_at, wait_for_state
from Harness.waiting import stretched, wait_until
from webhooks import answering


@pytest.fixture
def start(start_server):
    """A function that starts a server that sends its events there, and returns when the card is the state."""

    def start_with(url, more="", **how):
        server = start_server(config=f'{SCENE}[events]\nwebhook = "{url}"\n{more}', **how)
        wait_for_state(server, "card")
        return server

    return start_with


def notice(server):
    return next((one["message"] for one in server.reading()["notices"] if one["topic"] == "events"), None)


def wait_for_notice(server, *words):
    return wait_until(
        lambda: notice(server) or "",
        lambda: f"no notice says {words}:\n{server.logged()}",
        timeout=40,
        holds=lambda text: all(word in text for word in words),
    )


def received(receiver):
    return receiver.requests.get(timeout=stretched(40))


def test_a_state_that_changes_is_sent_although_nobody_watches(start, tmp_path):
    token = tmp_path / "token"
    token.write_text("s3cret\nmore\n")
    token.chmod(0o600)
    with webhooks.receiving() as receiver:
        server = start(f"http://{receiver.place}/boiler?x=1", f'webhook_token_file = "{token}"')
        look_at(server, ORANGE, "orange")
        request = received(receiver)
        assert request.path == "/boiler?x=1"
        assert request.headers["Content-Type"] == "application/json"
        assert request.headers["Authorization"] == "Bearer s3cret"
        event = request.event
        kinds = {key: event[key] for key in ("event", "name", "from", "to", "text")}
        assert kinds == {"event": "state", "name": None, "from": "card", "to": "orange", "text": "card → orange"}
        assert event["reading"]["regionState"]["name"] == "orange"
        mark = api.get_json(server.url + "api/history?span=1m")["marks"][-1]
        assert {key: mark[key] for key in ("kind", "time")} == {"kind": "state", "time": event["time"]}
        wait_until(lambda: "Events are sent to" in server.logged(), "the log does not say that events are sent")
        assert notice(server) is None
        # Neither the path nor the token, which may both be secrets, is shown.
        config = api.get_json(server.url + "api/config")["config"]["events"]
        assert config["webhook"] == f"http://{receiver.place}"
        assert "boiler" not in server.logged() and "s3cret" not in server.logged()


def test_events_are_sent_in_their_order_after_a_failure(start):
    with webhooks.receiving(answering(500), answering(200)) as receiver:
        server = start(f"http://{receiver.place}/")
        look_at(server, ORANGE, "orange")
        look_at(server, CARD, "card")
        assert [received(receiver).event["to"] for _ in range(3)] == ["orange", "orange", "card"]
        wait_until(lambda: notice(server) is None, "the notice stays")
        assert "has failed to receive an event (500)" in server.logged()


def test_an_event_that_is_refused_for_good_does_not_hold_up_the_next(start):
    with webhooks.receiving(answering(422), answering(200)) as receiver:
        server = start(f"http://{receiver.place}/")
        look_at(server, ORANGE, "orange")
        look_at(server, CARD, "card")
        assert [received(receiver).event["to"] for _ in range(2)] == ["orange", "card"]
        server.wait_for_log("an event is given up: card → orange")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (answering(401), "If it requires a token"),
        (answering(404), "does not know the address (404)"),
        (answering(503), "has failed to receive an event (503)"),
        (answering(200, b"x" * 300_000), "answers with more than 256 KiB"),
        (lambda request: request.answer(302, Location=request.path), "redirects again and again"),
        (answering(302, Location="https://127.0.0.1:1/"), "redirects to another scheme than http"),
        (answering(302, Location="file:///etc/passwd"), "redirects to another scheme than http"),
        (lambda request: request.connection.shutdown(socket.SHUT_RDWR), "ends the connection without an answer"),
    ],
    ids=["token", "address", "failure", "long", "circle", "https", "file", "closed"],
)
def test_a_notice_says_why_events_are_not_sent(start, answer, words):
    with webhooks.receiving(answer) as receiver:
        server = start(f"http://{receiver.place}/")
        look_at(server, ORANGE, "orange")
        wait_for_notice(server, "Events are not sent to the webhook.", receiver.place.split(":")[0], words)
        assert server.reading()["state"] == "test-pattern"


def test_a_redirection_within_the_scheme_is_followed_with_the_event_and_without_the_token_for_another_host(
    start, tmp_path
):
    token = tmp_path / "token"
    token.write_text("s3cret")
    with webhooks.receiving() as other:
        elsewhere = answering(302, Location=f"http://localhost:{other.server_port}/there")
        with webhooks.receiving(elsewhere) as receiver:
            server = start(f"http://{receiver.place}/", f'webhook_token_file = "{token}"')
            look_at(server, ORANGE, "orange")
            request = received(other)
            assert (request.path, request.event["to"]) == ("/there", "orange")
            assert request.headers["Authorization"] is None


def test_a_receiver_that_refuses_connections_has_a_notice_until_it_is_there(start):
    with socket.create_server(("127.0.0.1", 0)) as place:
        port = place.getsockname()[1]
    server = start(f"http://127.0.0.1:{port}/")
    look_at(server, ORANGE, "orange")
    wait_for_notice(server, f"127.0.0.1:{port} cannot be reached")


def test_a_receiver_that_hangs_delays_neither_readings_nor_the_end(start):
    with webhooks.hanging() as place:
        server = start(f"http://{place}/")
        look_at(server, ORANGE, "orange")
        look_at(server, CARD, "card")
        assert server.reading()["rate"]["reading"] > 10
        server.stop()


@pytest.mark.slow
def test_a_receiver_that_hangs_has_a_notice(start):
    with webhooks.hanging() as place:
        server = start(f"http://{place}/")
        look_at(server, ORANGE, "orange")
        wait_for_notice(server, f"{place} does not answer in time")


def test_a_slow_receiver_receives_each_event_once(start):
    release = queue.Queue()

    def slowly(request):
        release.get(timeout=stretched(20))
        request.answer(200)

    with webhooks.receiving(slowly) as receiver:
        server = start(f"http://{receiver.place}/")
        look_at(server, ORANGE, "orange")
        look_at(server, CARD, "card")
        received(receiver)
        assert receiver.requests.empty()
        release.put(None)
        assert received(receiver).event["to"] == "card"
        release.put(None)


@pytest.mark.parametrize("name", ["127.0.0.1", "elsewhere.example"])
def test_a_certificate_that_the_system_does_not_know_is_not_accepted(start, tmp_path, name):
    certificate = webhooks.make_certificate(tmp_path, name)
    with webhooks.receiving(certificate=certificate) as receiver:
        server = start(f"https://{receiver.place}/")
        look_at(server, ORANGE, "orange")
        wait_for_notice(server, f"The certificate of {receiver.place} is not accepted")
        assert receiver.requests.empty()


@pytest.mark.skipif(os.geteuid() != 0, reason="the store is replaced by a mount")
def test_a_certificate_in_the_store_of_the_system_is_accepted(start, tmp_path):
    certificate = webhooks.make_certificate(tmp_path)
    store = f'mount --bind {certificate} /etc/ssl/certs/ca-certificates.crt && exec "$@"'
    with webhooks.receiving(certificate=certificate) as receiver:
        server = start(f"https://{receiver.place}/", prefix=["unshare", "--mount", "sh", "-c", store, "sh"])
        look_at(server, ORANGE, "orange")
        assert received(receiver).event["to"] == "orange"


def test_a_receiver_without_tls_has_a_notice(start):
    with webhooks.receiving() as receiver:
        server = start(f"https://{receiver.place}/")
        look_at(server, ORANGE, "orange")
        wait_for_notice(server, "does not agree on an encrypted connection")


def test_a_token_that_cannot_be_read_has_a_notice_and_is_read_again(start, tmp_path):
    token = tmp_path / "token"
    with webhooks.receiving() as receiver:
        server = start(f"http://{receiver.place}/", f'webhook_token_file = "{token}"')
        look_at(server, ORANGE, "orange")
        wait_for_notice(server, f"events.webhook_token_file: {token} cannot be read")
        token.write_text("two words")
        wait_for_notice(server, "contains a space")
        token.write_text("s3cret")
        assert received(receiver).headers["Authorization"] == "Bearer s3cret"


def test_an_edit_changes_the_receiver(start):
    with webhooks.receiving() as first, webhooks.receiving() as second:
        server = start(f"http://{first.place}/")
        server.config.write_text(server.config.read_text().replace(first.place, second.place))
        server.wait_for_log("events.webhook")
        look_at(server, ORANGE, "orange")
        assert received(second).event["to"] == "orange"
        assert first.requests.empty()


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("ftp://ntfy.example/", "begins with neither http:// nor https://"),
        ("file:///etc/passwd", "begins with neither http:// nor https://"),
        ("ntfy.example/boiler", "begins with neither http:// nor https://"),
        ("https://user:secret@ntfy.example/", "contains a user or a password"),
        ("https://token@ntfy.example/", "contains a user or a password"),
        ("https://", "has no valid host and port"),
        ("https://:443/", "has no valid host and port"),
        ("https://ntfy.example:0/", "has no valid host and port"),
        ("https://ntfy.example:99999/", "has no valid host and port"),
        ("https://ntfy.example/a b", "must be percent-encoded"),
        ("https://ntfy.example/é", "must be percent-encoded"),
        ("https://ntfy.example/#x", "has a fragment"),
        ("https://ntfy.example/" + "x" * 2000, "bytes long"),
    ],
)
def test_an_address_that_cannot_be_one_is_refused_without_being_shown(tmp_path, url, problem):
    config = tmp_path / "config.toml"
    config.write_text(f'[events]\nwebhook = "{url}"\n')
    done = program.run("check", "--config", config)
    assert done.returncode == 78
    assert "events.webhook" in done.stdout and problem in done.stdout
    assert "secret" not in done.stdout


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ('webhook_token_file = "token"\n', "a token requires events.webhook, too"),
        ('webhook = "https://ntfy.example/"\nwebhook_token_file = "missing"\n', "there is no file"),
        ('webhook = "https://ntfy.example/"\nwebhook_token_file = "."\n', "is a folder"),
    ],
)
def test_check_finds_a_token_that_cannot_be_read(tmp_path, lines, problem):
    config = tmp_path / "config.toml"
    config.write_text(f"[events]\n{lines}")
    done = program.run("check", "--config", config)
    assert done.returncode == 78
    assert "events.webhook_token_file" in done.stdout and problem in done.stdout


@pytest.mark.parametrize("url", ["http://[::1]:8080/x", "HTTPS://ntfy.example", "https://ntfy.example/b?x=%20"])
def test_an_address_is_accepted(tmp_path, url):
    config = tmp_path / "config.toml"
    config.write_text(f'[events]\nwebhook = "{url}"\n')
    assert program.run("check", "--config", config).returncode == 0
