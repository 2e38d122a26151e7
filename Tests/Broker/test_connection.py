"""The connection to a real broker: what is sent, and what happens when the broker, the network or the program ends it."""

import asyncio
import contextlib
import itertools
import json
import os
import random
import re
import signal
import socket
import subprocess
import threading
import time
from datetime import datetime

import brokers
import packets
import pytest
import websockets
from Harness import api, process
from Harness.cases import sampled
from Harness.eventful import CARD, ORANGE, SCENE, look_at, wait_for_state
from Harness.program import ROOT, free_port, run
from Harness.standards import add_curve, cuvette
from Harness.waiting import stretched, wait_until

CUTS = int(os.environ.get("SWATCHCAM_BROKER_CUTS", "15"))
"""How often the connection is cut."""

RETURN = 5.0
"""Seconds within which the state is right again after a cause has ended."""

KEYS = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/mqtt.md").read_text().partition("<!-- state -->")[2], re.MULTILINE)
"""The keys of the message about the colour."""


def health(server):
    return api.get_json(f"{server.url}healthz").get("broker")


def wait_for_connection(server, timeout=20.0):
    wait_until(
        lambda: health(server), lambda: server.logged(), timeout, holds=lambda broker: broker == {"connected": True}
    )


def wait_for_problem(server, text):
    return wait_until(
        lambda: (health(server) or {}).get("problem", ""), lambda: server.logged(), holds=lambda found: text in found
    )


@contextlib.contextmanager
def watching(server):
    """A client of the WebSocket: a function that returns how many readings a second it received, by the server's clock."""
    times, ended = [], threading.Event()

    async def watch():
        async with websockets.connect(server.url.replace("http", "ws") + "ws") as client:
            while not ended.is_set():
                reading = json.loads(await asyncio.wait_for(client.recv(), 5))
                times.append(datetime.fromisoformat(reading["time"]).timestamp())

    thread = threading.Thread(target=lambda: asyncio.run(watch()))
    thread.start()
    # Connecting sends the newest reading, whenever it was made.
    wait_until(lambda: len(times) > 2, "there are no readings")
    try:
        yield lambda: (len(times) - 2) / (times[-1] - times[1])
    finally:
        ended.set()
        thread.join()


def stop_time(server):
    """Stops the server, and returns how long that takes in seconds."""
    began = time.monotonic()
    server.stop()
    return time.monotonic() - began


def test_what_a_broker_receives(start_server, broker):
    client = packets.Client(broker.port)
    start_server(f"port = {broker.port}\n")
    wait_until(lambda: (client.newest("/state") or b"").find(b"#") > 0, "there is no colour")
    topic, state, was_kept = next(one for one in client.received if one[0].endswith("/state") and b"#" in one[1])
    root, identity, _ = topic.split("/")
    assert root == "swatchcam"
    assert len(identity) == 12 and set(identity) <= set("0123456789abcdef")
    assert not was_kept
    content = json.loads(state)
    assert list(content) == KEYS
    assert content["effect"] == "off" and content["rate"] == 4 and content["state"] == "test-pattern"
    assert content["hex"] == "#{:02X}{:02X}{:02X}".format(*content["rgb"])
    late = packets.Client(broker.port)
    wait_until(lambda: len(late.received) >= 2, "the broker has kept nothing")
    kept = {topic: payload for topic, payload, was_kept in late.received if was_kept}
    assert kept == {f"swatchcam/{identity}/availability": b"online", f"swatchcam/{identity}/camera": b"online"}


def test_with_a_standard_curve_the_concentrations_of_region_and_probes_are_sent(start_server, broker):
    client = packets.Client(broker.port)
    areas = f'[readings]\nregion = {cuvette(1)}\n[[probes]]\nname = "A1"\nregion = {cuvette(2)}\n'
    add_curve(start_server(f"port = {broker.port}\ninterval = 1\n{areas}"))
    probes = wait_until(lambda: client.newest("/probes"), "there are no probes")
    assert [(one["name"], one["concentration"]["unit"]) for one in json.loads(probes)] == [("A1", "mg/L")]
    wait_until(
        lambda: json.loads(client.newest("/state"))["concentration"],
        "there is no concentration",
        holds=lambda one: one and {"belowDetection", "extrapolated", "high", "low", "unit", "value"} == set(one),
    )


def kept_probes(broker) -> dict[str, dict]:
    """What the broker keeps of each probe, by the end of its topic."""
    late = packets.Client(broker.port)
    wait_until(lambda: late.newest("/camera"), "nothing is kept")
    kept = {topic: payload for topic, payload, was_kept in list(late.received) if was_kept and "/probe/" in topic}
    return {topic.rpartition("/")[2]: json.loads(payload) for topic, payload in kept.items()}


PROBES = """
[[probes]]
name = "Fault LED"
region = [0.1, 0.1, 0.2, 0.2]
shape = "ellipse"
light = true

[[probes]]
name = "Wall"
region = [0.8, 0.4, 0.1, 0.1]
"""


def test_the_broker_keeps_the_state_of_each_probe_until_the_program_ends(start_server, broker):
    server = start_server(f"port = {broker.port}\n{PROBES}")
    kept = wait_until(
        lambda: kept_probes(broker), "the lights are not known", holds=lambda kept: kept and kept["fault_led"]["light"]
    )
    assert set(kept) == {"fault_led", "wall"}
    assert kept["fault_led"]["name"] == "Fault LED"
    assert kept["fault_led"]["lightState"] in ("off", "on", "unknown")
    assert kept["wall"]["light"] is None
    assert kept["wall"]["hex"] == "#{:02X}{:02X}{:02X}".format(*kept["wall"]["rgb"])
    server.stop()
    wait_until(lambda: kept_probes(broker), "the probes are still kept", holds=lambda kept: kept == {})


def test_the_broker_forgets_a_probe_that_is_deleted_also_while_the_program_does_not_run(start_server, broker):
    server = start_server(f"port = {broker.port}\n{PROBES}")
    wait_until(lambda: kept_probes(broker), "no probe is kept", holds=lambda kept: len(kept) == 2)
    assert api.request(f"{server.url}api/probes/Wall", "DELETE").status == 200
    wait_until(lambda: kept_probes(broker), "the probe is still kept", holds=lambda kept: set(kept) == {"fault_led"})
    topic = packets.Client(broker.port)
    wait_until(lambda: topic.newest("/camera"), "nothing is kept")
    root = next(one[0] for one in topic.received if one[0].endswith("/camera")).removesuffix("/camera")
    server.process.kill()
    server.process.wait()
    command = ["mosquitto_pub", "-p", str(broker.port), "-r", "-t", f"{root}/probe/gone", "-m", "{}"]
    subprocess.run(command, check=True)
    server.start()
    wait_until(
        lambda: kept_probes(broker), "a probe of before is still kept", holds=lambda kept: set(kept) == {"fault_led"}
    )


def test_a_clean_stop_says_offline(start_server, broker):
    client = packets.Client(broker.port)
    server = start_server(f"port = {broker.port}\n")
    wait_for_connection(server)
    assert stop_time(server) < stretched(1)
    wait_until(lambda: client.newest("/availability") == b"offline", "the farewell has not arrived")
    assert client.newest("/camera") == b"offline"
    wait_until(lambda: "Received DISCONNECT from swatchcam_" in broker.log.read_text(), "there is no farewell")


def test_a_broker_keeps_nothing_under_a_topic_that_was_given_up(start_server, broker):
    client = packets.Client(broker.port)
    server = start_server(f"port = {broker.port}\n")
    wait_until(lambda: client.newest("/camera") == b"online", "the camera is not online")
    server.config.write_text(server.config.read_text() + 'topic = "lab"\n')
    wait_until(
        lambda: any(one[0].startswith("lab/") and one[0].endswith("/state") for one in list(client.received)),
        "nothing comes on the new topic",
    )
    late = packets.Client(broker.port)
    wait_until(lambda: late.newest("/camera") == b"online", "nothing is kept")
    kept = {one[0] for one in list(late.received) if one[1] and not one[0].endswith(("/state", "/probes"))}
    assert kept and all(topic.startswith(("lab/", "homeassistant/")) for topic in kept)


def test_the_broker_says_offline_if_the_program_is_killed(start_server, broker):
    client = packets.Client(broker.port)
    server = start_server(f"port = {broker.port}\n")
    wait_until(lambda: client.newest("/availability") == b"online", "it is not online")
    server.process.kill()
    wait_until(lambda: client.newest("/availability") == b"offline", "the will has not arrived")


def test_a_camera_that_is_gone_is_offline_and_every_key_is_there(tmp_path, start_server, broker):
    client = packets.Client(broker.port)
    start_server(f"port = {broker.port}\n", device="/dev/video99")
    wait_until(lambda: client.newest("/camera") == b"offline", "the camera is not offline")
    state = wait_until(lambda: client.newest("/state"), "there is no state")
    content = json.loads(state)
    assert list(content) == KEYS
    assert content["hex"] is None and content["problem"] is True and content["state"] == "no-camera"


def test_edits_apply_without_a_restart(start_server, broker):
    client = packets.Client(broker.port)
    server = start_server("port = 1\n")
    wait_for_problem(server, "refuses the connection")
    wait_until(
        lambda: any("not sent to the broker" in notice["message"] for notice in server.reading()["notices"]),
        "no notice says that nothing is sent",
    )
    text = server.config.read_text()
    server.config.write_text(text.replace("port = 1\n", f'port = {broker.port}\ntopic = "hall/2"\n'))
    wait_for_connection(server)
    wait_until(lambda: (client.newest("/state") or b"").find(b"#") > 0, "there is no colour")
    assert client.received[0][0].startswith("hall/2/")
    wait_until(lambda: server.reading()["notices"], "the notice stays", holds=lambda all: "broker" not in str(all))
    server.config.write_text(text.replace('host = "127.0.0.1"\n', ""))
    wait_until(lambda: client.newest("/availability") == b"offline", "the farewell has not arrived")
    wait_until(lambda: health(server) is None, "a broker is still named")


def test_the_status_says_whether_the_broker_is_connected_and_is_healthy_either_way(start_server, broker):
    server = start_server(f"port = {broker.port}\n")
    wait_for_connection(server)

    def status():
        result = run("status", "--config", server.config, "--port", server.port)
        assert result.returncode == 0
        return result.stdout

    assert "healthy, connected to the broker" in status()
    broker.stop()
    wait_until(status, "it is still connected", holds=lambda text: "healthy, not connected to the broker" in text)
    wait_until(status, "there is no notice", holds=lambda text: "Notice: The colour is not sent to the broker." in text)


def test_without_access_only_the_fact_is_told(start_server):
    token = "test-token-of-forty-letters-and-a-few-more"
    server = start_server(f'port = 1\n[web]\ntoken = "{token}"\n')
    wait_until(lambda: "refuses" in server.logged(), "there is no attempt")
    assert health(server) == {"connected": False}
    assert "refuses" in api.get_json(f"{server.url}healthz", token)["broker"]["problem"]


@pytest.fixture
def two_addresses(tmp_path):
    """The command that runs the program where the name two.example has two addresses, of which the first refuses."""
    if os.geteuid() != 0:
        pytest.skip("mount requires root")
    (tmp_path / "hosts").write_text("::1 two.example\n127.0.0.1 two.example localhost\n")
    script = f'mount --bind {tmp_path}/hosts /etc/hosts && exec "$@"'
    return ["unshare", "--mount", "sh", "-c", script, "sh"]


@pytest.mark.parametrize("is_encrypted", [False, True])
def test_a_second_address_is_tried_if_the_first_refuses(
    start_server, two_addresses, tmp_path, certificates, is_encrypted
):
    config, lines = "", ""
    if is_encrypted:
        config = f"certfile {certificates}/wrongname.crt\nkeyfile {certificates}/wrongname.key\n"
        lines = f'tls = true\ninsecure = true\nca_file = "{certificates}/ca.crt"\n'
    with brokers.running(tmp_path, config + "allow_anonymous true\n") as broker:
        server = start_server(f"port = {broker.port}\n{lines}", prefix=two_addresses)
        server.config.write_text(server.config.read_text().replace('"127.0.0.1"', '"two.example"'))
        server.wait_for_log("Connected to the broker at two.example:")


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["debian12", "debian13"], indirect=True)
def test_cuts_and_restarts_at_random_moments(start_server, broker, prefix):
    """The state is right again soon after each, while readings keep their rate."""
    chance = random.Random(7)
    relay = brokers.Relay(broker.port)
    server = start_server(f"port = {relay.port}\n", prefix=prefix)
    slowest = 0.0
    threads = process.threads(server.pid)
    with watching(server) as rate:
        for turn in range(CUTS):
            time.sleep(chance.uniform(0, 1.5))
            kind = chance.choice(["kill", "restart", "cut", "reset"])
            if kind in ("kill", "restart"):
                broker.stop(signal.SIGKILL if kind == "kill" else signal.SIGTERM)
                time.sleep(chance.uniform(0, 2))
                broker.start()
            else:
                relay.cut(abruptly=kind == "reset")
            began = time.monotonic()
            client = packets.Client(broker.port, "swatchcam/+/state")
            state = wait_until(
                lambda client=client: client.newest("/state"),
                lambda turn=turn, kind=kind: f"no state after {kind} {turn}:\n{server.logged()[-2000:]}",
                RETURN,
            )
            slowest = max(slowest, time.monotonic() - began)
            assert json.loads(state)["hex"], "the colour is missing"
            client.close()
        readings = rate()
    print(f"\n    {CUTS} cuts: the state was right again after {slowest:.2f} s at most; {readings:.3f} readings/s")
    assert abs(readings - 4) < 0.05
    assert stop_time(server) < stretched(1)
    assert threads < 40


def test_a_full_disk_of_the_broker(tmp_path, start_server):
    """The broker cannot keep anything, and says so in its log; the state arrives all the same."""
    if os.geteuid() != 0:
        pytest.skip("mount requires root")
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], check=True)
    try:
        filler, database = disk / "filler", disk / "mosquitto.db"
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)
        # Everything is saved after each change.
        saving = f"allow_anonymous true\npersistence true\npersistence_location {disk}/\n"
        with brokers.running(tmp_path, f"{saving}autosave_on_changes true\nautosave_interval 1\n") as broker:
            client = packets.Client(broker.port, "swatchcam/+/state")
            server = start_server(f"port = {broker.port}\ninterval = 1\n")
            with watching(server) as rate:
                wait_until(lambda: b"#" in (client.newest("/state") or b""), "there is no state")
                wait_until(lambda: "Saving in-memory database" in broker.log.read_text(), "nothing is saved")
                assert os.statvfs(disk).f_bavail == 0
                assert not database.exists() or database.stat().st_size == 0
                assert health(server) == {"connected": True}
                broker.stop(signal.SIGKILL)
                filler.unlink()
                broker.start()
                late = packets.Client(broker.port, "swatchcam/+/state")
                wait_until(lambda: b"#" in (late.newest("/state") or b""), "the state does not come back", RETURN)
                assert rate() == pytest.approx(4, abs=0.2)
    finally:
        subprocess.run(["umount", disk], check=True)


SITUATIONS = {
    "refused": None,
    "silent": packets.silent,
    "deaf": packets.deaf,
    "closing": packets.closing,
    "chattering": packets.chattering,
}
ALL_MOMENTS = itertools.product([1.2, 0.0], [False, True], SITUATIONS)
MOMENTS = [(1.2, False, "refused"), (0.0, True, "silent"), (1.2, True, "deaf"), (1.2, False, "closing")]
MOMENTS += [(0.0, False, "chattering")]
MOMENTS += [moment for moment in ALL_MOMENTS if moment not in MOMENTS]
"""When a server is stopped, in seconds after its start, with TLS or without it, and what the broker does."""


@pytest.mark.parametrize(("wait", "tls", "situation"), sampled(MOMENTS, 5))
def test_a_stop_takes_less_than_a_second(start_server, certificates, situation, tls, wait):
    lines = f'tls = true\nca_file = "{certificates}/ca.crt"\n' if tls else ""
    with contextlib.ExitStack() as stack:
        behave = SITUATIONS[situation]
        port = stack.enter_context(packets.rogue(behave)).port if behave else free_port()
        server = start_server(f"port = {port}\n{lines}")
        time.sleep(wait)
        assert stop_time(server) < stretched(1)


@pytest.mark.parametrize("wait", sampled([1.2, 0.0, 3.5]))
def test_a_stop_while_packets_are_dropped(start_server, wait):
    with packets.dropping_syn() as port:
        server = start_server(f"port = {port}\n")
        time.sleep(wait)
        assert stop_time(server) < stretched(1)


def test_a_stop_while_the_broker_is_frozen(start_server, broker):
    server = start_server(f"port = {broker.port}\n")
    wait_for_connection(server)
    broker._process.send_signal(signal.SIGSTOP)
    try:
        time.sleep(1)
        assert stop_time(server) < stretched(1)
    finally:
        broker._process.send_signal(signal.SIGCONT)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("behave", "problem"), [(packets.silent, "does not answer as a broker"), (packets.deaf, "does not answer")]
)
def test_a_broker_that_does_not_answer_or_read_costs_no_memory(start_server, behave, problem):
    with packets.rogue(behave) as rogue:
        server = start_server(f"port = {rogue.port}\ninterval = 1\nchange = 0\n")
        with watching(server) as rate:
            time.sleep(5)
            before = process.resident(server.pid)
            wait_for_problem(server, problem)
            time.sleep(5)
            assert process.resident(server.pid) < before + 5
            assert abs(rate() - 4) < 0.1


def test_a_broker_that_comes_late(start_server, tmp_path):
    broker = brokers.Broker(tmp_path)
    server = start_server(f"port = {broker.port}\n")
    wait_for_problem(server, "refuses the connection")
    broker.start()
    try:
        began = time.monotonic()
        wait_for_connection(server, RETURN)
        print(f"\n    connected after {time.monotonic() - began:.2f} s")
    finally:
        broker.stop()


class NameServer:
    """A name server on 127.0.0.77 that says nothing until it is told the address of every name."""

    def __init__(self):
        self.answers = False
        self.questions = 0
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.77", 53))
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                question, client = self._socket.recvfrom(1000)
                self.questions += 1
                if not self.answers:
                    continue
                end = question.index(b"\0", 12) + 5
                is_ipv4 = question[end - 4 : end - 2] == b"\0\1"
                head = question[:2] + b"\x81\x80\0\1\0" + bytes([is_ipv4]) + b"\0\0\0\0"
                record = b"\xc0\x0c\0\1\0\1\0\0\0\0\0\4" + bytes([127, 0, 0, 1])
                self._socket.sendto(head + question[12:end] + (record if is_ipv4 else b""), client)

    def close(self):
        self._socket.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="port 53 requires root")
def test_a_name_server_that_answers_late(start_server, broker, tmp_path):
    (tmp_path / "resolv.conf").write_text("nameserver 127.0.0.77\noptions timeout:1 attempts:1\n")
    script = f'mount --bind {tmp_path}/resolv.conf "$(readlink -f /etc/resolv.conf)" && exec "$@"'
    prefix = ["unshare", "--mount", "sh", "-c", script, "sh"]
    names = NameServer()
    try:
        server = start_server(f"port = {broker.port}\n", prefix=prefix)
        text = server.config.read_text()
        server.config.write_text(text.replace('"127.0.0.1"', '"late.example"'))
        wait_until(lambda: names.questions > 0, "nobody asks")
        # While the resolver blocks a thread.
        assert stop_time(server) < stretched(1)
        server.start(prefix=prefix)
        with watching(server) as rate:
            wait_for_problem(server, "The address of late.example cannot be looked up, because no name server answers.")
            names.answers = True
            began = time.monotonic()
            wait_for_connection(server, 12)
            print(f"\n    connected {time.monotonic() - began:.2f} s after the name server answered")
            # If a resolver that waits for a second held up readings, a third of them would be missing.
            assert abs(rate() - 4) < 0.5
    finally:
        names.close()


def test_two_clients_with_one_id_are_recognised(start_server, broker):
    """As if the image of a machine had been copied."""
    server = start_server(f"port = {broker.port}\n")
    wait_for_connection(server)
    client_id = next(
        word for line in broker.log.read_text().splitlines() for word in line.split() if word.startswith("swatchcam_")
    )
    ended = threading.Event()

    def twin():
        while not ended.wait(0.3):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", broker.port)) as connection:
                body = packets.text("MQTT") + b"\4\2\0\x0a" + packets.text(client_id)
                connection.sendall(packets.packet(0x10, body))
                while connection.recv(100):
                    pass

    thread = threading.Thread(target=twin)
    thread.start()
    try:
        wait_until(lambda: server.logged(), "it is not recognised", holds=lambda log: "the same id" in log)
        assert server.logged().count("the same id") == 1
    finally:
        ended.set()
        server.stop()
        broker.stop()
        thread.join()


def events(client):
    return [json.loads(payload) for topic, payload, _ in client.received if topic.endswith("/event")]


def changes(client):
    return [(event["event"], event["from"], event["to"]) for event in events(client)]


def test_each_event_is_sent_and_kept_by_nobody(start_server, broker):
    client = packets.Client(broker.port)
    server = start_server(f"port = {broker.port}\n{SCENE}")
    wait_for_connection(server)
    wait_for_state(server, "card")
    look_at(server, ORANGE, "orange")
    wait_until(lambda: changes(client) == [("state", "card", "orange")], "the event has not arrived")
    assert events(client)[0]["reading"]["regionState"]["name"] == "orange"
    late = packets.Client(broker.port)
    wait_until(lambda: late.newest("/availability"), "the broker has kept nothing")
    assert events(late) == []


def test_events_without_a_connection_follow_in_their_order(start_server, broker):
    server = start_server(f"port = {broker.port}\n{SCENE}")
    wait_for_connection(server)
    wait_for_state(server, "card")
    broker.stop()
    wait_for_problem(server, "lost")
    look_at(server, ORANGE, "orange")
    look_at(server, CARD, "card")
    broker.start()
    client = packets.Client(broker.port)
    wait_until(
        lambda: changes(client),
        lambda: server.logged(),
        timeout=40,
        holds=lambda found: found == [("state", "card", "orange"), ("state", "orange", "card")],
    )
