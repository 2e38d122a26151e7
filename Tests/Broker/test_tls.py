"""What leaves the machine: never a password that is not encrypted."""

import pathlib
import time

import brokers
import packets
import pytest
from Harness import api
from Harness.cases import sampled
from Harness.waiting import wait_until

SECRET = "correct-horse-battery"

LONGEST_DELAY = 1.6
"""Seconds within which there is another attempt after the first one failed."""


@pytest.fixture
def lines(tmp_path, certificates):
    """The table [mqtt] of a client with a password, with a copy of the CA's certificate that may be deleted."""
    (tmp_path / "password").write_text(SECRET)
    (tmp_path / "ca.crt").write_bytes((certificates / "ca.crt").read_bytes())
    return (
        f'tls = true\nca_file = "{tmp_path}/ca.crt"\nuser = "swatchcam"\npassword_file = "{tmp_path}/password"\n'
        "interval = 1\n"
    )


def is_connected(server):
    return api.get_json(f"{server.url}healthz")["broker"]["connected"]


def problem(server):
    return api.get_json(f"{server.url}healthz")["broker"].get("problem", "")


def test_without_the_ca_file_nothing_is_sent(start_server, tmp_path, lines):
    with packets.rogue(packets.closing) as first, packets.rogue(packets.silent) as rogue:
        server = start_server(f"port = {first.port}\n{lines}")
        wait_until(lambda: problem(server), "there is no attempt")
        (tmp_path / "ca.crt").unlink()
        wait_until(lambda: "cannot be encrypted, so none is made" in problem(server), lambda: server.logged())
        server.config.write_text(server.config.read_text().replace(str(first.port), str(rogue.port)))
        server.wait_for_log("mqtt.port")
        time.sleep(LONGEST_DELAY)
        assert rogue.bytes == b""
        assert "cannot be encrypted, so none is made" in problem(server)
    assert SECRET.encode() not in first.bytes


def test_a_ca_file_that_comes_later_is_used(start_server, tmp_path, certificates, lines):
    (tmp_path / "ca.crt").unlink()
    config = f"certfile {certificates}/server.crt\nkeyfile {certificates}/server.key\nallow_anonymous true\n"
    with brokers.running(tmp_path, config) as broker:
        server = start_server(f"port = {broker.port}\n{lines}")
        wait_until(lambda: "ca.crt cannot be read" in problem(server), lambda: server.logged())
        (tmp_path / "ca.crt").write_bytes((certificates / "ca.crt").read_bytes())
        wait_until(lambda: is_connected(server), lambda: server.logged())
        assert server.logged().count("cannot be read") == 1, "the reason is logged once"


@pytest.mark.parametrize("content", sampled(["nonsense\n", ""]))
def test_with_a_ca_file_that_is_none_nothing_is_sent(start_server, tmp_path, lines, content):
    (tmp_path / "ca.crt").write_text(content)
    with packets.rogue(packets.silent) as rogue:
        server = start_server(f"port = {rogue.port}\n{lines}")
        wait_until(lambda: "cannot be encrypted, so none is made" in problem(server), lambda: server.logged())
        time.sleep(LONGEST_DELAY)
        assert rogue.bytes == b""


def test_to_a_port_without_tls_goes_only_the_beginning_of_tls(start_server, lines):
    with packets.rogue(packets.silent) as rogue:
        server = start_server(f"port = {rogue.port}\n{lines}")
        wait_until(lambda: "Check that this port is the one for TLS" in problem(server), lambda: server.logged())
        assert rogue.bytes[:2] == b"\x16\x03"  # a handshake
        for secret in (SECRET.encode(), b"MQTT", b"swatchcam"):
            assert secret not in rogue.bytes


@pytest.mark.parametrize("certificate", sampled(["stranger", "wrongname", "expired"]))
def test_a_certificate_that_is_not_accepted_gets_no_password(start_server, tmp_path, certificates, lines, certificate):
    config = f"certfile {certificates}/{certificate}.crt\nkeyfile {certificates}/{certificate}.key\n"
    with brokers.running(tmp_path, config + "allow_anonymous true\n") as broker:
        relay = brokers.Relay(broker.port)
        server = start_server(f"port = {relay.port}\n{lines}")
        wait_until(lambda: "certificate of" in problem(server), lambda: server.logged())
        attempts = broker.log.read_text().count("New connection from")
        wait_until(
            lambda: broker.log.read_text().count("New connection from") > attempts + 1, "there is no further attempt"
        )
        assert server.logged().count("certificate of") == 1, "the reason is logged once"
        assert "swatchcam_" not in broker.log.read_text(), "the broker has seen the client"
        relay.close()


def test_the_password_is_shown_nowhere(start_server, tmp_path, lines):
    server = start_server(f"port = 1\n{lines}")
    wait_until(lambda: problem(server), "there is no attempt")
    assert SECRET not in server.logged()
    assert SECRET not in pathlib.Path(f"/proc/{server.pid}/cmdline").read_text()
    assert SECRET not in pathlib.Path(f"/proc/{server.pid}/environ").read_text()
    for address in ("api/config", "api/reading", "healthz", "api/settings"):
        assert SECRET not in api.request(server.url + address).text
