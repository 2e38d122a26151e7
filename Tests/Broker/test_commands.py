"""Commands of clients of the broker, and brokers and clients that mean harm."""

import json
import socket
import time

import packets
import pytest
from Harness import api, process
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


def settings(server):
    return api.get_json(f"{server.url}api/settings")


def test_commands_are_carried_out_and_the_state_follows(start_server, broker, client, base):
    server = start_server(f"port = {broker.port}\ncontrol = true\n")
    topic = base()
    client.send(f"{topic}/set/effect", "edges")
    client.send(f"{topic}/set/rate", "2.5")
    client.send(f"{topic}/set/sample", "PRESS")
    wait_until(
        lambda: json.loads(client.newest("/state") or b"{}"),
        lambda: server.logged(),
        holds=lambda state: (state.get("effect"), state.get("rate")) == ("edges", 2.5),
    )
    assert (settings(server)["effect"], settings(server)["rate"]) == ("edges", 2.5)
    wait_until(lambda: len(api.get_json(f"{server.url}api/samples")["samples"]) == 1, lambda: server.logged())
    client.send(f"{topic}/set/effect", "off")
    wait_until(lambda: settings(server)["effect"] == "none", "the effect stays")
    client.send(f"{topic}/set/camera", "test-pattern")
    time.sleep(1)
    assert "MQTT:" not in server.logged()


def test_without_control_nobody_gives_commands(start_server, broker, client, base):
    server = start_server(f"port = {broker.port}\n")
    topic = base()
    client.send(f"{topic}/set/effect", "edges")
    time.sleep(2)
    assert settings(server)["effect"] == "none"
    assert "/set/" not in "".join(
        line for line in broker.log.read_text().splitlines() if "Sending PUBLISH to swatchcam_" in line
    )


BAD = [
    ("rate", "900", "set/rate: 900.0 is out of range 0.1...60"),
    ("rate", "nan", 'set/rate: "nan" is not a number.'),
    ("rate", "fast", 'set/rate: "fast" is not a number.'),
    ("effect", "egdes", 'set/effect: "egdes" is not an effect; did you mean "edges"?'),
    ("effect", "\x1b[31m", "set/effect: "),
    ("locked", "yes", 'set/locked: "yes" is neither ON nor OFF.'),
    ("locked", "ON", "set/locked: no camera is in use."),
    ("sample", "now", 'set/sample: "now" is not PRESS.'),
    ("camera", "", "set/camera: expected"),
    ("camera", "no such camera", "set/camera: There is no such camera."),
    ("camera", "/etc/passwd", "set/camera: "),
    ("door", "open", "set/door: there is no such command."),
    ("rate", b"\xff\xfe", "set/rate: the payload is not UTF-8."),
    ("effect", b"x" * 1000, "set/effect: more than 512 bytes."),
]


def test_bad_commands_are_refused_in_words_once(start_server, broker, client, base):
    server = start_server(f"port = {broker.port}\ncontrol = true\n")
    topic = base()
    before = settings(server)
    for _ in range(3):
        for name, payload, _ in BAD:
            client.send(f"{topic}/set/{name}", payload)
            time.sleep(0.05)
    for _, _, problem in BAD:
        server.wait_for_log(f"MQTT: {problem}")
    time.sleep(1)
    refusals = [line.split("MQTT: ")[1] for line in server.logged().splitlines() if "MQTT: " in line]
    assert len(refusals) == len(set(refusals)), "a refusal is logged again"
    assert "\x1b" not in server.logged()
    assert settings(server) == before


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
    time.sleep(2)
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
    server = start_server(f"port = {broker.port}\ndiscovery = true\n")
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
    time.sleep(1)
    assert [payload for topic, payload, _ in client.received if topic == description].count(b"") == 1
    assert client.newest(stranger) == b"{}"


def test_without_discovery_nothing_is_removed_that_is_not_there(start_server, broker, client, base):
    start_server(f"port = {broker.port}\n")
    base()
    time.sleep(1)
    assert not [topic for topic, _, _ in client.received if topic.startswith("homeassistant/")]


def test_subscriptions_that_the_broker_refuses_are_named_once(start_server):
    with packets.rogue(packets.sending(granted=0x80)) as rogue:
        server = start_server(f"port = {rogue.port}\ncontrol = true\ndiscovery = true\n")
        for topic in ("/set/+", "homeassistant/status"):
            server.wait_for_log(f"{topic}. Allow it for the client swatchcam_")
        assert server.logged().count("refuses the subscription") == 2
        assert api.get_json(f"{server.url}healthz")["broker"] == {"connected": True}


def hostile_server(start_server, *data, seconds=6):
    """Serves with a broker that sends this, and returns the server after some seconds and what it had resident before."""
    rogue = packets.Rogue(packets.sending(*data))
    server = start_server(f"port = {rogue.port}\ncontrol = true\n")
    before = process.resident(server.pid)
    time.sleep(seconds)
    return rogue, server, before


def test_messages_of_qos_2_which_would_be_kept_end_the_connection(start_server):
    def message(number):
        return packets.packet(0x34, packets.text("a") + number.to_bytes(2, "big") + b"x" * 500_000)

    rogue, server, before = hostile_server(start_server, *[message(number) for number in range(1, 200)])
    try:
        assert process.resident(server.pid) < before + 15
        assert "is not an MQTT broker" in server.logged()
    finally:
        rogue.close()


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
    "topics that are not UTF-8": [packets.publish(b"\xff\xfe\xff", b"x")],
    "an empty topic": [packets.publish(b"", b"x")],
    "retained garbage": [packets.publish(b"swatchcam/%d/state" % n, b"\0\xff" * 500, True) for n in range(2000)],
    "a packet without an end": [b"\x30\xff\xff\xff\x7f" + packets.text("a")],
    "a length of five bytes": [b"\x30\xff\xff\xff\xff\xff\x7f"],
    "a topic longer than the packet": [packets.packet(0x30, b"\xff\xff")],
    "many births": [packets.publish(b"homeassistant/status", b"online")] * 5000,
    "acknowledgements of nothing": [b"\x40\x02\x12\x34"] * 1000,
}


@pytest.mark.parametrize("kind", GARBAGE)
def test_garbage_does_no_harm(start_server, kind):
    rogue, server, before = hostile_server(start_server, *GARBAGE[kind])
    try:
        assert server.is_running
        assert api.request(f"{server.url}healthz").status == 200
        assert process.resident(server.pid) < before + 10
        assert "\x1b" not in server.logged()
        assert len(server.logged().splitlines()) < 40
    finally:
        rogue.close()


def test_a_payload_of_256_megabytes_ends_the_connection(start_server):
    part = b"x" * 1_000_000
    rogue, server, before = hostile_server(
        start_server, b"\x30\xff\xff\xff\x7f" + packets.text("a"), *[part] * 100, seconds=0
    )
    try:
        most = before
        end = time.monotonic() + 8
        while time.monotonic() < end:
            most = max(most, process.resident(server.pid))
            time.sleep(0.05)
        print(f"\n    memory: {before:.0f} MB, at most {most:.0f} MB")
        assert "a message of more than 1 MB" in server.logged()
        assert most < before + 30
    finally:
        rogue.close()


def test_a_flood_costs_little(start_server):
    """A hundred thousand messages at once: the broker has to wait, and readings do not."""
    flood = packets.publish(b"a", b"y" * 100) * 100_000
    rogue, server, before = hostile_server(start_server, flood, seconds=1)
    try:
        first = server.reading()["sequence"]
        ticks = process_time(server.pid)
        time.sleep(5)
        used = process_time(server.pid) - ticks
        print(f"\n    {used / 5 * 100:.0f} % of a processor")
        assert used < 2.5
        assert process.resident(server.pid) < before + 15
        assert server.reading()["sequence"] > first
        assert server.logged().count("more messages than are read") == 1
    finally:
        rogue.close()


def process_time(pid):
    """The processor time of a process, in seconds."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100
