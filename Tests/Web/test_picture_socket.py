"""The WebSocket that sends a picture for each `next` of its client: good clients, hostile ones, and many at once."""

import contextlib
import struct
import threading

import pytest
from conftest import in_parallel
from Harness import api, process
from Harness.waiting import wait_until
from raw import Raw, frame, wait_until_dropped

PATH = "/ws/picture"

TEXT, BINARY = 1, 2


@contextlib.contextmanager
def picture_socket(server, query="", **how):
    with Raw(server, **how) as client:
        assert client.upgrade(path=PATH + query) == 101
        yield client


def receive_picture(client) -> bytes:
    opcode, payload = client.receive_frame()
    assert opcode == BINARY
    return payload


def take_picture(client) -> bytes:
    client.send_frame(TEXT, b"next")
    return receive_picture(client)


def is_jpeg(data: bytes) -> bool:
    return data.startswith(b"\xff\xd8") and data.endswith(b"\xff\xd9")


def pictures(server) -> dict:
    return api.request(f"{server.url}healthz").json["pictures"]


def encoded(server) -> int:
    return pictures(server)["encoded"]


@pytest.mark.parametrize("query", ["", "?view=live", "?view=processed"])
def test_each_request_is_answered_with_one_jpeg(server, query):
    with picture_socket(server, query) as client:
        for _ in range(3):
            assert is_jpeg(take_picture(client))


OTHERS = {
    "other text": (lambda client: client.send_frame(TEXT, b"again"), 1008),
    "frame of 4097 bytes": (lambda client: client.send_frame(TEXT, b"", length=4097), 1009),
    "flood of requests": (lambda client: client.try_to_send(frame(TEXT, b"next") * 100_000), 1008),
}


@pytest.mark.parametrize(("send", "code"), OTHERS.values(), ids=OTHERS)
@pytest.mark.usefixtures("good_clients")
def test_a_message_other_than_next_closes_the_websocket_with_the_reason(server, send, code):
    with picture_socket(server) as client:
        send(client)
        assert client.close_code() == code


@pytest.mark.usefixtures("good_clients")
def test_clients_that_close_in_the_middle_of_a_picture_leave_nothing_behind(server):
    """They close by a reset, by a close frame, or without a word."""
    for way in ["reset", "close", "vanish"] * 10:
        client = Raw(server, receive_buffer=2048)
        assert client.upgrade(path=PATH) == 101
        client.send_frame(TEXT, b"next")
        client.socket.recv(1)
        if way == "reset":
            client.reset()
        elif way == "close":
            client.send_frame(8, struct.pack("!H", 1000))
        client.socket.close()
    wait_until(lambda: pictures(server)["viewers"], "viewers have not left", timeout=30, holds=lambda count: count == 0)


@pytest.mark.usefixtures("good_clients")
@pytest.mark.slow
def test_clients_that_ask_and_never_read_slow_nobody_down_and_are_disconnected(server):
    before = process.sockets(server.pid)
    clients = [Raw(server, receive_buffer=2048) for _ in range(20)]
    for client in clients:
        assert client.upgrade(path=PATH) == 101
        client.send(frame(TEXT, b"next") * 2)
    with picture_socket(server) as other:
        for _ in range(10):
            assert is_jpeg(take_picture(other))
    wait_until_dropped(clients, server, before)


def test_twelve_windows_with_two_pictures_and_a_feed_each_are_all_live(start_server):
    server = start_server()
    server.wait_until_healthy()
    before, first = encoded(server), server.reading()["frame"]["sequence"]
    with contextlib.ExitStack() as stack:
        feeds, viewers = [], []
        for _ in range(12):
            feeds.append(stack.enter_context(Raw(server)))
            assert feeds[-1].upgrade() == 101
            viewers += [stack.enter_context(picture_socket(server, f"?view={view}")) for view in ("live", "processed")]
        for _ in range(5):
            for viewer in viewers:
                viewer.send_frame(TEXT, b"next")
            assert all(is_jpeg(receive_picture(viewer)) for viewer in viewers)
            assert all(feed.receive_frame()[0] == TEXT for feed in feeds)
        # Each picture is encoded once for all windows that are ready for it. On a slow machine the requests of a round
        # meet several frames, of which each is encoded once for each view.
        count = encoded(server) - before
        last = api.pushed_readings(server.url, 2)[-1]["frame"]["sequence"]
        assert count <= max(5 * 24 / 2, 2 * (last - first + 1))


def test_stopping_the_server_closes_idle_websockets_and_those_that_wait_for_a_picture(start_server):
    server = start_server()
    server.wait_until_healthy()
    with picture_socket(server) as idle, picture_socket(server) as waiting:
        take_picture(idle)
        waiting.send_frame(TEXT, b"next")
        stopping = threading.Thread(target=server.stop)
        stopping.start()
        assert idle.close_code() == 1001
        assert waiting.close_code() == 1001
        stopping.join()


@pytest.mark.parametrize("count", [10, pytest.param(50, marks=pytest.mark.slow)])
def test_many_websockets_open_and_close_in_turn(server, count):
    def job():
        for _ in range(count):
            with picture_socket(server) as client:
                client.send_frame(TEXT, b"next")

    in_parallel(20, job)
    wait_until(
        lambda: pictures(server)["viewers"],
        "viewers have not left",
        timeout=30,
        holds=lambda count: count == 0,
    )
