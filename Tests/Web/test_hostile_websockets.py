"""WebSockets whose clients break the protocol, or send without end."""

import pytest
from Harness import process
from raw import Raw, frame

pytestmark = pytest.mark.usefixtures("good_clients")


BROKEN = {
    "unmasked": (lambda client: client.send_frame(9, b"x", masked=False), 1002),
    "text": (lambda client: client.send_frame(1, b"hello"), 1008),
    "fragments without an end": (
        lambda client: [client.try_to_send(frame(1, b"a", fin=False) + frame(0, b"a", fin=False) * 1000)],
        1008,
    ),
    "frame of 4097 bytes": (lambda client: client.send_frame(2, b"", length=4097), 1009),
    "frame of 2 GB": (lambda client: client.send_frame(2, b"", length=2 << 30), 1009),
    "frame of 2^63 bytes": (lambda client: client.send_frame(2, b"", length=1 << 63), 1009),
}


@pytest.mark.parametrize(("send", "code"), BROKEN.values(), ids=BROKEN)
def test_a_frame_that_breaks_the_protocol_closes_its_websocket_with_the_reason(server, send, code):
    with Raw(server) as client:
        assert client.upgrade() == 101
        send(client)
        assert client.close_code() == code


def test_a_frame_of_a_gibibyte_is_not_stored(server):
    before = process.resident(server.pid)
    with Raw(server) as client:
        assert client.upgrade() == 101
        client.send_frame(2, b"", length=1 << 30)
        for _ in range(200):
            client.try_to_send(bytes(1 << 20))
        assert process.resident(server.pid) < before + 20


def test_a_flood_of_pings_takes_no_memory_and_ends_the_connection(server):
    before = process.resident(server.pid)
    with Raw(server) as client:
        assert client.upgrade() == 101
        pings = frame(9, b"x" * 125) * 1000
        with pytest.raises(ConnectionError):
            for _ in range(200):
                client.send(pings)
        assert process.resident(server.pid) < before + 20
