"""Commands of clients of the broker, and brokers and clients that mean harm."""

import contextlib
import json
import socket
import time

import packets
import pytest
from Harness import api, process
from Harness.cases import sampled
from Harness.waiting import wait_until


@pytest.fixture
def client(broker):
    client = packets.Client(broker.port)
    yield client
    client.close()


@pytest.fixture
def base(broker, client):
    """A function that waits for a server, and returns the beginning of its topics."""

    def find():
        def topics():
            return [topic for topic, _, _ in client.received if topic.endswith("/state")]

        return wait_until(topics, "there is no state")[0].rsplit("/", 1)[0]

    return find


OFTEN = "interval = 1\nchange = 0\n"
"""The state is sent each second."""


def wait_for_states(client):
    """Waits for two more states, before which whatever else the program has to say is sent."""
    count = len(client.received)
    wait_until(
        lambda: [topic for topic, _, _ in client.received[count:] if topic.endswith("/state")],
        "no states follow",
        holds=lambda states: len(states) > 1,
    )


def settings(server):
    return api.get_json(f"{server.url}api/settings")


def test_commands_are_carried_out_and_the_state_follows(start_server, broker, client, base):
    server = start_server(f"port = {broker.port}\ncontrol = true\n")
    topic = base()
    client.send(f"{topic}/set/effect", "edges")
    client.send(f"{topic}/set/rate", "20")
    client.send(f"{topic}/set/sample", "PRESS")
    wait_until(
        lambda: json.loads(client.newest("/state") or b"{}"),
        lambda: server.logged(),
        holds=lambda state: (state.get("effect"), state.get("rate")) == ("edges", 20),
    )
    assert (settings(server)["effect"], settings(server)["rate"]) == ("edges", 20)
    wait_until(lambda: len(api.get_json(f"{server.url}api/samples")["samples"]) == 1, lambda: server.logged())
    client.send(f"{topic}/set/camera", "test-pattern")
    client.send(f"{topic}/set/effect", "off")
    wait_until(lambda: settings(server)["effect"] == "none", "the effect stays")
    assert "MQTT:" not in server.logged()


def test_without_control_nobody_gives_commands(start_server, broker, client, base):
    server = start_server(f"port = {broker.port}\n")
    topic = base()
    client.send(f"{topic}/set/effect", "edges")
    # The broker sends a message to all its subscribers at once.
    wait_until(lambda: client.newest("/set/effect"), "the broker has not passed it on")
    assert "/set/" not in "".join(
        line for line in broker.log.read_text().splitlines() if "Sending PUBLISH to swatchcam_" in line
    )
    assert settings(server)["effect"] == "none"


BAD = [
    ("rate", "900", "set/rate: 900.0 is out of range 0.1...60"),
    ("effect", "egdes", 'set/effect: "egdes" is not an effect; did you mean "edges"?'),
    ("effect", "\x1b[31m", "set/effect: "),
    ("locked", "ON", "set/locked: no camera is in use."),
    ("camera", "no such camera", "set/camera: There is no such camera."),
    ("camera", "/etc/passwd", "set/camera: "),
    ("rate", b"\xff\xfe", "set/rate: the payload is not UTF-8."),
]


def test_bad_commands_are_refused_in_words_once(start_server, broker, client, base):
    server = start_server(f"port = {broker.port}\ncontrol = true\n")
    topic = base()
    before = settings(server)
    for name, payload, problem in BAD * 2:
        client.send(f"{topic}/set/{name}", payload)
        # No more commands wait than the program takes.
        server.wait_for_log(f"MQTT: {problem}")
    assert settings(server) == before
    client.send(f"{topic}/set/effect", "edges")
    wait_until(lambda: settings(server)["effect"] == "edges", "a good command is not carried out")
    refusals = [line.split("MQTT: ")[1] for line in server.logged().splitlines() if "MQTT: " in line]
    assert len(refusals) == len(set(refusals)), "a refusal is logged again"
    assert "\x1b" not in server.logged()


def test_a_retained_command_is_ignored(start_server, broker, client, base):
    server = start_server(f"port = {broker.port}\ncontrol = true\n")
    topic = base()
    server.stop()
    client.send(f"{topic}/set/effect", "edges", retained=True)
    server.start()
    server.wait_for_log(f"A retained message on {topic}/set/effect is ignored.")
    assert settings(server)["effect"] == "none"


def test_home_assistant_gets_everything_again_after_its_birth(start_server, broker, client, base):
    start_server(f"port = {broker.port}\ndiscovery = true\n")
    topic = base()
    wait_until(lambda: client.newest("/config") and client.newest("/camera"), "it is not described")
    count = len(client.received)
    client.send("homeassistant/status", "online")
    wait_until(
        lambda: {name.rsplit("/", 1)[1] for name, _, _ in client.received[count:] if name.startswith(topic)},
        "not everything is sent again",
        8,
        holds=lambda names: names >= {"availability", "camera", "state"},
    )


def test_what_a_program_told_home_assistant_is_removed_by_one_that_starts_without_discovery(
    start_server, broker, client, base
):
    server = start_server(f"port = {broker.port}\ndiscovery = true\n{OFTEN}")
    description = f"homeassistant/device/swatchcam_{base().split('/')[1]}/config"
    wait_until(lambda: client.newest(description), "it is not described")
    server.stop()
    # A description by many cameras and targets is longer than what is read of a message.
    client.send(description, b'{"cmps": {' + b" " * 30_000 + b"}}", retained=True)
    stranger = "homeassistant/device/swatchcam_stranger/config"
    client.send(stranger, "{}", retained=True)
    server.config.write_text(server.config.read_text().replace("discovery = true", "discovery = false"))
    server.start()
    wait_until(lambda: client.newest(description) == b"", "it is not removed")
    wait_for_states(client)
    assert [payload for topic, payload, _ in client.received if topic == description].count(b"") == 1
    assert client.newest(stranger) == b"{}"


def test_without_discovery_nothing_is_removed_that_is_not_there(start_server, broker, client, base):
    start_server(f"port = {broker.port}\n{OFTEN}")
    base()
    wait_for_states(client)
    assert not [topic for topic, _, _ in client.received if topic.startswith("homeassistant/")]


def test_subscriptions_that_the_broker_refuses_are_named_once(start_server):
    with packets.rogue(packets.sending(granted=0x80)) as rogue:
        server = start_server(f"port = {rogue.port}\ncontrol = true\ndiscovery = true\n")
        for topic in ("/set/+", "homeassistant/status"):
            server.wait_for_log(f"{topic}. Allow it for the client swatchcam_")
        assert server.logged().count("refuses the subscription") == 2
        assert api.get_json(f"{server.url}healthz")["broker"] == {"connected": True}


@contextlib.contextmanager
def hostile_server(start_server, *data):
    """A server whose broker sends this, with the broker, and the memory that the server had resident before."""
    with packets.rogue(packets.sending(*data)) as rogue:
        server = start_server(f"port = {rogue.port}\ncontrol = true\n{OFTEN}")
        yield rogue, server, process.resident(server.pid)


def test_messages_of_qos_2_which_would_be_kept_end_the_connection(start_server):
    def message(number):
        return packets.packet(0x34, packets.text("a") + number.to_bytes(2, "big") + b"x" * 500_000)

    with hostile_server(start_server, *[message(number) for number in range(1, 200)]) as (_, server, before):
        server.wait_for_log("is not an MQTT broker")
        assert process.peak(server.pid) < before + 15


@pytest.mark.slow
def test_acknowledgements_that_the_broker_does_not_read_are_not_kept(start_server):
    """Messages of QoS 1 as fast as they are read, from a broker that reads nothing itself."""

    def behave(rogue, connection):
        if rogue.record(connection):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2304)
            connection.sendall(packets.CONNACK)
            message = packets.packet(0x32, packets.text("a") + b"\0\1x")
            while True:
                connection.sendall(message * 1000)

    with packets.rogue(behave) as rogue:
        server = start_server(f"port = {rogue.port}\n")
        time.sleep(5)
        before = process.resident(server.pid)
        time.sleep(10)
        print(f"\n    memory: {before:.1f} MB, then {process.resident(server.pid):.1f} MB")
        assert process.resident(server.pid) < before + 1.5


GARBAGE = {
    "topics with control characters": [packets.publish(b"swatchcam/\x01\x1b[2J/state", b"x")] * 100,
    "retained garbage": [packets.publish(b"swatchcam/%d/state" % n, b"\0\xff" * 500, True) for n in range(2000)],
    "a length of five bytes": [b"\x30\xff\xff\xff\xff\xff\x7f"],
    "many births": [packets.publish(b"homeassistant/status", b"online")] * 5000,
    "topics that are not UTF-8": [packets.publish(b"\xff\xfe\xff", b"x")],
    "an empty topic": [packets.publish(b"", b"x")],
    "a packet without an end": [b"\x30\xff\xff\xff\x7f" + packets.text("a")],
    "a topic longer than the packet": [packets.packet(0x30, b"\xff\xff")],
    "acknowledgements of nothing": [b"\x40\x02\x12\x34"] * 1000,
}


@pytest.mark.parametrize("kind", sampled([*GARBAGE], 4))
def test_garbage_does_no_harm(start_server, kind):
    with hostile_server(start_server, *GARBAGE[kind]) as (rogue, server, before):
        # It sends on, or connects again.
        wait_until(lambda: rogue.packets_after > 3, "nothing arrives any more")
        assert server.is_running
        assert api.request(f"{server.url}healthz").status == 200
        assert process.peak(server.pid) < before + 10
        assert "\x1b" not in server.logged()
        assert len(server.logged().splitlines()) < 40


def test_a_payload_of_256_megabytes_ends_the_connection(start_server):
    part = b"x" * 1_000_000
    data = [b"\x30\xff\xff\xff\x7f" + packets.text("a"), *[part] * 100]
    with hostile_server(start_server, *data) as (_, server, before):
        server.wait_for_log("a message of more than 1 MB")
        print(f"\n    memory: {before:.0f} MB, at most {process.peak(server.pid):.0f} MB")
        assert process.peak(server.pid) < before + 30


def test_a_flood_costs_little(start_server):
    """A hundred thousand messages at once: the broker has to wait, and readings do not."""
    flood = packets.publish(b"a", b"y" * 100) * 100_000
    with hostile_server(start_server, flood) as (_, server, before):
        server.wait_for_log("more messages than are read")
        first, ticks, began = server.reading()["sequence"], process.processor_time(server.pid), time.monotonic()
        # What is measured needs some time.
        time.sleep(2)
        used = (process.processor_time(server.pid) - ticks) / (time.monotonic() - began)
        print(f"\n    {used * 100:.0f} % of a processor")
        assert used < 0.5
        assert process.peak(server.pid) < before + 15
        assert server.reading()["sequence"] > first
        assert server.logged().count("more messages than are read") == 1
