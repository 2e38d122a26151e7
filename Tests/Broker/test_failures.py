"""Each reason why there is no connection, as `swatchcam check --connect` explains it."""

import os
import ssl
import subprocess

import brokers
import packets
import pytest
from Harness import api
from Harness.program import free_port, run
from Harness.waiting import wait_until

PASSWORD = "correct horse"
NAMED = 'user = "swatchcam"\npassword_file = "password"\n'
ENCRYPTED = 'tls = true\nca_file = "ca.crt"\n'


def check(folder, lines, prefix=(), files=()):
    """The status and the messages of `swatchcam check --connect` with these lines in [mqtt]."""
    for name, content in files:
        (folder / name).write_text(content)
    config = folder / "config.toml"
    config.write_text(f"[mqtt]\n{lines}")
    result = run("check", "--connect", "--config", config, prefix=prefix)
    return result.returncode, result.stderr.splitlines()[-1] + "\n" + result.stdout


def at(port: int, host: str = "127.0.0.1") -> str:
    return f'host = "{host}"\nport = {port}\n'


@pytest.fixture
def guarded(tmp_path):
    """A broker that requires a password."""
    (tmp_path / "passwords").write_text("")
    subprocess.run(
        [brokers.program("mosquitto_passwd"), "-b", tmp_path / "passwords", "swatchcam", PASSWORD], check=True
    )
    config = f"allow_anonymous false\npassword_file {tmp_path}/passwords\n"
    with brokers.running(tmp_path, config) as broker:
        yield broker


@pytest.fixture
def authority(tmp_path, certificates):
    """The files of the CA and of a client where the program looks, also in another root."""
    for name in ("ca.crt", "client.crt", "client.key"):
        (tmp_path / name).write_bytes((certificates / name).read_bytes())
    return certificates


def encrypted(folder, certificates, certificate="server", more=""):
    """A broker with a certificate."""
    files = f"cafile {certificates}/ca.crt\ncertfile {certificates}/{certificate}.crt\n"
    files += f"keyfile {certificates}/{certificate}.key\nallow_anonymous true\n{more}"
    return brokers.running(folder, files)


def test_a_broker_that_accepts_the_client(tmp_path, prefix, broker):
    status, text = check(tmp_path, at(broker.port, "localhost"), prefix)
    assert (status, text.strip()) == (0, f"localhost:{broker.port}: the broker accepts the connection.")


def test_without_a_broker_there_is_nothing_to_connect_to(tmp_path):
    status, text = check(tmp_path, "")
    assert status == 78
    assert "mqtt.host names no broker" in text


def test_a_broker_that_refuses_connections(tmp_path, prefix):
    status, text = check(tmp_path, at(free_port()), prefix)
    assert status == 69
    assert "refuses the connection: nothing listens there" in text


def test_a_name_without_a_machine(tmp_path, prefix):
    status, text = check(tmp_path, 'host = "no-such-machine.invalid"\n', prefix)
    assert status == 69
    assert "no-such-machine.invalid" in text
    assert "There is no machine named" in text or "cannot be looked up" in text


@pytest.mark.parametrize(
    ("behave", "problem"),
    [
        (packets.silent, "accepts connections, but does not answer as a broker"),
        (packets.chattering, "is not an MQTT broker"),
        pytest.param(packets.waiting, "does not answer as a broker", marks=pytest.mark.slow),
        (packets.closing, "was lost"),
    ],
)
def test_what_answers_is_no_broker(tmp_path, prefix, behave, problem):
    with packets.rogue(behave) as server:
        status, text = check(tmp_path, at(server.port), prefix)
    assert status == 69
    assert problem in text


def test_a_host_that_drops_what_it_receives(tmp_path, prefix):
    with packets.dropping_syn() as port:
        status, text = check(tmp_path, at(port), prefix)
    assert status == 69
    assert "does not answer. Check that the machine is on" in text


@pytest.mark.parametrize("code", range(1, 6))
def test_the_codes_with_which_a_broker_refuses(tmp_path, code):
    def refuse(server, connection):
        server.record(connection)
        connection.sendall(b"\x20\x02\x00" + bytes([code]))
        server.record(connection)

    problems = [
        "does not support MQTT 3.1.1",
        "does not accept the client id swatchcam_",
        "says that it is not available",
        "refuses the user or the password",
        "does not authorise this client",
    ]
    with packets.rogue(refuse) as server:
        status, text = check(tmp_path, at(server.port))
    assert status == 69
    assert problems[code - 1] in text


@pytest.mark.parametrize(
    ("lines", "content", "problem"),
    [
        (NAMED, PASSWORD + "\nand a comment\n", ""),
        (NAMED, PASSWORD + " \n", "Check mqtt.user and mqtt.password_file"),
        ("", "", "set mqtt.user and mqtt.password_file"),
        (NAMED, "\nsecret", "its first line is empty"),
        (NAMED, "a\0b", "is not a text in UTF-8"),
        ('user = "swatchcam"\npassword_file = "/dev/zero"\n', "", "it is not a regular file"),
    ],
    ids=["right", "wrong", "none", "empty", "binary", "endless"],
)
def test_a_broker_that_requires_a_password(tmp_path, prefix, guarded, lines, content, problem):
    status, text = check(tmp_path, at(guarded.port) + lines, prefix, [("password", content)])
    assert status == (69 if problem else 0), text
    assert problem in text
    for line in filter(None, content.split("\n")):
        assert line not in text


def test_a_password_file_that_comes_later_is_used(start_server, tmp_path, guarded):
    file = tmp_path / "later"
    server = start_server(f'port = {guarded.port}\nuser = "swatchcam"\npassword_file = "{file}"\n')

    def state():
        return api.get_json(f"{server.url}healthz")["broker"]

    wait_until(lambda: f"{file} cannot be read" in state().get("problem", ""), lambda: server.logged())
    file.write_text(PASSWORD)
    wait_until(lambda: state()["connected"], lambda: server.logged())
    assert "not authorised" not in guarded.log.read_text(), "it has connected without its password"


def test_the_command_check_reports_a_file_that_is_missing(tmp_path):
    config = tmp_path / "config.toml"
    config.write_text('[mqtt]\nhost = "127.0.0.1"\nuser = "swatchcam"\npassword_file = "later"\n')
    result = run("check", "--config", config)
    assert result.returncode == 78
    assert "config.toml:4:17: mqtt.password_file: there is no file" in result.stdout


DISTRUST = "it has expired, this machine's clock is wrong, or it is not signed by a CA in mqtt.ca_file"


@pytest.mark.parametrize(
    ("certificate", "lines", "problem"),
    [
        ("server", ENCRYPTED, ""),
        ("wrongname", ENCRYPTED, "is for another name"),
        ("expired", ENCRYPTED, DISTRUST),
        ("stranger", ENCRYPTED, DISTRUST),
        ("wrongname", ENCRYPTED + "insecure = true\n", ""),
        ("expired", ENCRYPTED + "insecure = true\n", "it has expired"),
        ("stranger", ENCRYPTED + "insecure = true\n", "it is not signed by a CA in mqtt.ca_file"),
        ("server", "tls = true\n", "not signed by a CA that this system knows; name that CA in mqtt.ca_file"),
        ("server", 'tls = true\nca_file = "nonsense"\n', "cannot be encrypted, so none is made"),
    ],
)
def test_a_broker_with_a_certificate(tmp_path, prefix, authority, certificate, lines, problem):
    with encrypted(tmp_path, authority, certificate) as broker:
        files = [("nonsense", "not a certificate\n")]
        status, text = check(tmp_path, at(broker.port, "localhost") + lines, prefix, files)
    assert status == (69 if problem else 0), text
    assert problem in text


def test_a_certificate_for_an_address_and_an_old_version_of_tls_are_accepted(tmp_path, prefix, authority):
    with encrypted(tmp_path, authority, more="tls_version tlsv1.2\n") as broker:
        status, text = check(tmp_path, at(broker.port) + ENCRYPTED, prefix)
    assert status == 0, text


def test_a_port_without_tls(tmp_path, prefix, broker, authority):
    status, text = check(tmp_path, at(broker.port, "localhost") + ENCRYPTED, prefix)
    assert status == 69
    assert "before it is encrypted. Check that this port is the one for TLS" in text


def test_a_port_for_tls(tmp_path, prefix, authority):
    with encrypted(tmp_path, authority) as broker:
        status, text = check(tmp_path, at(broker.port, "localhost"), prefix)
    assert status == 69
    assert "was lost" in text or "set mqtt.tls = true" in text or "is not an MQTT broker" in text


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
def test_an_old_protocol_is_refused(tmp_path, authority):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority / "server.crt", authority / "server.key")
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1

    def answer(_, connection):
        with context.wrap_socket(connection, server_side=True) as tls:
            tls.recv(100)
            tls.sendall(packets.CONNACK)

    with packets.rogue(answer) as server:
        status, text = check(tmp_path, at(server.port, "localhost") + ENCRYPTED)
    assert status == 69, text


def test_a_client_certificate(tmp_path, prefix, authority):
    with encrypted(tmp_path, authority, more="require_certificate true\n") as broker:
        lines = at(broker.port, "localhost") + ENCRYPTED
        status, text = check(tmp_path, lines, prefix)
        assert status == 69, text
        assert "certificate" in text
        both = 'certificate_file = "client.crt"\nkey_file = "client.key"\n'
        status, text = check(tmp_path, lines + both, prefix)
        assert status == 0, text


def test_a_missing_library_is_explained(tmp_path, broker):
    """An empty folder in place of the library's."""
    script = (
        'lib=$(readlink -f /usr/lib/x86_64-linux-gnu/libmosquitto.so.1) && mount --bind /dev/null "$lib" && exec "$@"'
    )
    if os.geteuid() != 0:
        pytest.skip("mount requires root")
    status, text = check(tmp_path, at(broker.port), ["unshare", "--mount", "sh", "-c", script, "sh"])
    assert status == 69
    assert "libmosquitto cannot be loaded" in text or "Run: apt install libmosquitto1" in text
