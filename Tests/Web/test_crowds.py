"""Crowds of connections."""

import time

import pytest
from raw import Raw

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("good_clients")]


def test_thousands_of_connections_at_once_do_not_delay_the_readings_of_others(server):
    clients = [Raw(server) for _ in range(5000)]
    for client in clients:
        client.socket.close()


def test_a_thousand_resets_a_second_do_not_delay_the_readings_of_others(server):
    for _ in range(200):
        began = time.monotonic()
        for _ in range(10):
            client = Raw(server)
            client.try_to_send(f"GET /api/reading HTTP/1.1\r\nHost: {client.host}\r\n")
            client.reset()
        time.sleep(max(0, began + 0.01 - time.monotonic()))  # the attack's own pace
