"""The fleet: what a page learns of the instances that use the same broker, whatever they send."""

import contextlib
import json
import subprocess
import threading
import time

import packets
import pytest
from brokers import program
from Harness import api, process
from Harness.cases import sampled
from Harness.waiting import stretched, wait_until
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


def send(broker, topic: str, payload: str | bytes, *options: str) -> None:
    payload = payload if isinstance(payload, bytes) else payload.encode()
    command = [program("mosquitto_pub"), "-p", str(broker.port), "-t", f"swatchcam/{topic}", *options]
    subprocess.run([*command, "-s"], input=payload, check=True)


class Fleet:
    """A client of /ws/fleet, and the instances that it sees."""

    def __init__(self, server, broker=None):
        self._broker = broker
        self._socket = connect(f"{server.url.replace('http', 'ws')}ws/fleet", open_timeout=stretched(10))

    def publish(self, topic: str, payload: str | bytes, *options: str) -> None:
        send(self._broker, topic, payload, *options)

    def newest(self) -> dict:
        return json.loads(self._socket.recv(timeout=stretched(10)))

    def wait_for(self, holds) -> dict:
        """The first list for which a condition holds."""
        deadline = time.monotonic() + stretched(20)
        while not holds(fleet := self.newest()):
            assert time.monotonic() < deadline, fleet
        return fleet

    def member(self, fleet_id: str) -> dict:
        """An instance as soon as it is in the list."""
        fleet = self.wait_for(lambda fleet: any(member["id"] == fleet_id for member in fleet["members"]))
        return next(member for member in fleet["members"] if member["id"] == fleet_id)

    def read_into(self, lists: list[dict]) -> None:
        """Keeps the newest list in `lists`, until the connection ends."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                lists[:] = [json.loads(self._socket.recv())]

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def fleet(start_server, broker):
    server = start_server(f"port = {broker.port}\n")
    fleet = Fleet(server, broker)
    fleet.wait_for(lambda list_of: list_of["connected"] and list_of["members"])
    yield fleet
    with contextlib.suppress(OSError):
        fleet.close()


def state(**values) -> str:
    return json.dumps({"name": "Press 4", "state": "live", "hex": "#3FA7D6", "verdict": None, **values})


def test_an_instance_appears_with_its_name_and_colour(fleet):
    fleet.publish("press4/state", state())
    member = fleet.member("press4")
    assert (member["name"], member["hex"], member["state"], member["gone"]) == ("Press 4", "#3FA7D6", "live", False)
    assert member["textColor"] in ("#000000", "#FFFFFF")


def test_a_colour_that_the_broker_has_kept_is_not_shown(start_server, broker):
    server = start_server(f"port = {broker.port}\n")
    # Before anybody looks at the fleet, because the server then subscribes: what comes later is not kept, but new.
    send(broker, "old/state", state(), "-r")
    send(broker, "old/availability", "online", "-r")
    fleet = Fleet(server, broker)
    assert fleet.member("old")["hex"] is None
    fleet.close()


def test_values_that_are_not_valid_are_left_out_and_names_are_plain_text(fleet):
    fleet.publish("odd/state", state(name="a\u202eb\x1b[2J" + "c" * 200, hex="red", state="great", verdict=7))
    member = fleet.member("odd")
    assert member["hex"] is None and member["state"] is None and member["verdict"] is None
    assert "\u202e" not in member["name"] and "\x1b" not in member["name"] and len(member["name"]) <= 60


def test_without_a_broker_the_page_says_so(start_server, broker):
    server = start_server("port = 1\n")
    server.config.write_text(server.config.read_text().replace('host = "127.0.0.1"', ""))
    fleet = Fleet(server, broker)
    fleet.wait_for(lambda list_of: "No broker is configured" in (list_of["problem"] or ""))
    fleet.close()


def test_a_broker_that_does_not_let_the_fleet_be_read_is_named(start_server):
    with packets.rogue(packets.sending(granted=0x80)) as rogue:
        server = start_server(f"port = {rogue.port}\n")
        fleet = Fleet(server)
        fleet.wait_for(lambda list_of: "does not let this Swatchcam read swatchcam/+/" in (list_of["problem"] or ""))
        fleet.close()


def publish(topic: str | bytes, payload: str | bytes, retained: bool = False) -> bytes:
    return packets.publish(topic, payload.encode() if isinstance(payload, str) else payload, retained)


def states(count: int, **values) -> list[bytes]:
    return [publish(f"swatchcam/k{number}/state", state(**values)) for number in range(count)]


HARM = {
    "retained garbage": [publish(f"swatchcam/g{number}/state", b"\0\xff" * 500, True) for number in range(2000)],
    "topics with control characters": [publish(b"swatchcam/\x01\x1b[2J/state", state())] * 1000,
    "a payload of 256 MB": [b"\x30\xff\xff\xff\x7f" + packets.text("swatchcam/big/state"), *[b"x" * 1_000_000] * 100],
    "the description of a stranger": [publish("homeassistant/device/swatchcam_x/config", "{}", True)] * 1000,
    "long names": states(5000, name="\U0001f9ff\u202e" * 2000),
    "twenty thousand instances": states(20_000),
    "a hundred thousand messages": [publish("swatchcam/one/state", state()) * 100_000],
}


@pytest.mark.parametrize("kind", sampled([*HARM], 2))
def test_harm_while_somebody_looks(start_server, kind):
    """Memory is bounded, the server answers, and the log does not grow."""
    with packets.rogue(packets.sending(*HARM[kind], subscribed=b"/+/state")) as rogue:
        server = start_server(f"port = {rogue.port}\n")
        before = process.resident(server.pid)
        fleet = Fleet(server)
        lists = []
        reader = threading.Thread(target=fleet.read_into, args=[lists])
        reader.start()
        # Twenty thousand instances take ten seconds, because the broker has to wait.
        slowest, end = 0.0, time.monotonic() + (12 if kind == "twenty thousand instances" else 4)
        while time.monotonic() < end:
            began = time.monotonic()
            assert api.request(f"{server.url}healthz").status == 200
            slowest = max(slowest, time.monotonic() - began)
            time.sleep(0.1)
        most = process.peak(server.pid)
        fleet.close()
        reader.join()
        newest = lists[-1]
    print(f"\n    memory: {before:.0f} MB, at most {most:.0f} MB; slowest answer {1000 * slowest:.0f} ms")
    assert server.is_running
    assert most < before + 60
    assert slowest < stretched(1)
    assert "\x1b" not in server.logged()
    assert len(server.logged().splitlines()) < 40
    assert len(newest["members"]) <= 5000
    assert newest["incomplete"] == (kind == "twenty thousand instances")


def test_the_topics_of_others_are_received_only_while_somebody_looks(start_server, broker):
    server = start_server(f"port = {broker.port}\n")
    fleet = Fleet(server, broker)
    fleet.wait_for(lambda list_of: list_of["connected"])
    wait_until(lambda: "swatchcam/+/state" in broker.log.read_text(), "nothing is subscribed")
    fleet.close()
    wait_until(lambda: "UNSUBSCRIBE" in broker.log.read_text(), "the subscription stays")
