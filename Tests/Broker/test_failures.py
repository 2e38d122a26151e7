"""Each reason why there is no connection, as `swatchcam check --connect` explains it."""

import contextlib
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


def check(folder, lines, prefix=(), files=()):
    """The status and the messages of `swatchcam check --connect` with these lines in [mqtt]."""
    for name, content in files:
        (folder / name).write_text(content)
    config = folder / "config.toml"
    config.write_text(f"[mqtt]\n{lines}")
    result = run("check", "--connect", "--config", config, prefix=prefix)
    return result.returncode, result.stderr.splitlines()[-1] + "\n" + result.stdout


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
def encrypted(tmp_path, certificates):
    """A function that makes a broker with a certificate, and returns its port."""
    with contextlib.ExitStack() as stack:

        def start(certificate, more=""):
            files = f"cafile {certificates}/ca.crt\ncertfile {certificates}/{certificate}.crt\n"
            files += f"keyfile {certificates}/{certificate}.key\nallow_anonymous true\n{more}"
            return stack.enter_context(brokers.running(tmp_path, files)).port

        # Where the program looks, also in another root.
        (tmp_path / "ca.crt").write_bytes((certificates / "ca.crt").read_bytes())
        for name in ("client.crt", "client.key"):
            (tmp_path / name).write_bytes((certificates / name).read_bytes())
        yield start


def test_a_broker_that_accepts_the_client(tmp_path, prefix, broker):
    status, text = check(tmp_path, f'host = "localhost"\nport = {broker.port}\n', prefix)
    assert (status, text.strip()) == (0, f"localhost:{broker.port}: the broker accepts the connection.")


def test_without_a_broker_there_is_nothing_to_connect_to(tmp_path):
    status, text = check(tmp_path, "")
    assert status == 78
    assert "mqtt.host names no broker" in text


def test_a_broker_that_refuses_connections(tmp_path, prefix):
    status, text = check(tmp_path, f'host = "127.0.0.1"\nport = {free_port()}\n', prefix)
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
        (packets.waiting, "does not answer as a broker"),
        (packets.closing, "was lost"),
    ],
)
def test_what_answers_is_no_broker(tmp_path, prefix, behave, problem):
    with packets.rogue(behave) as server:
        status, text = check(tmp_path, f'host = "127.0.0.1"\nport = {server.port}\n', prefix)
    assert status == 69
    assert problem in text


def test_a_host_that_drops_what_it_receives(tmp_path, prefix):
    with packets.dropping_syn() as port:
        status, text = check(tmp_path, f'host = "127.0.0.1"\nport = {port}\n', prefix)
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
        status, text = check(tmp_path, f'host = "127.0.0.1"\nport = {server.port}\n')
    assert status == 69
    assert problems[code - 1] in text


def test_the_right_password(tmp_path, prefix, guarded):
    lines = f'host = "127.0.0.1"\nport = {guarded.port}\nuser = "swatchcam"\npassword_file = "password"\n'
    status, text = check(tmp_path, lines, prefix, [("password", PASSWORD + "\nand a comment\n")])
    assert status == 0, text


@pytest.mark.parametrize("password", ["wrong", PASSWORD + " "])
def test_a_wrong_password(tmp_path, prefix, guarded, password):
    lines = f'host = "127.0.0.1"\nport = {guarded.port}\nuser = "swatchcam"\npassword_file = "password"\n'
    status, text = check(tmp_path, lines, prefix, [("password", password + "\n")])
    assert status == 69
    assert "Check mqtt.user and mqtt.password_file" in text
    assert password not in text


@pytest.mark.parametrize(
    ("content", "problem"),
    [("", "its first line is empty"), ("\nsecret", "its first line is empty"), ("a\0b", "is not a text in UTF-8")],
)
def test_a_password_file_without_a_password(tmp_path, guarded, content, problem):
    lines = f'host = "127.0.0.1"\nport = {guarded.port}\nuser = "swatchcam"\npassword_file = "password"\n'
    status, text = check(tmp_path, lines, (), [("password", content)])
    assert status == 69
    assert problem in text
    assert not content or content not in text


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


def test_an_endless_password_file_is_not_read_to_its_end(tmp_path, guarded):
    lines = f'host = "127.0.0.1"\nport = {guarded.port}\nuser = "swatchcam"\npassword_file = "/dev/zero"\n'
    status, text = check(tmp_path, lines)
    assert status == 69
    assert "it is not a regular file" in text


def test_no_password(tmp_path, prefix, guarded):
    status, text = check(tmp_path, f'host = "127.0.0.1"\nport = {guarded.port}\n', prefix)
    assert status == 69
    assert "set mqtt.user and mqtt.password_file" in text


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_an_encrypted_connection(tmp_path, prefix, encrypted, host):
    port = encrypted("server", "tls_version tlsv1.2\n")
    lines = f'host = "{host}"\nport = {port}\ntls = true\nca_file = "ca.crt"\n'
    status, text = check(tmp_path, lines, prefix)
    assert status == 0, text


@pytest.mark.parametrize(
    ("certificate", "more", "problem"),
    [
        ("wrongname", "", "is for another name"),
        ("expired", "", "it has expired, this machine's clock is wrong, or it is not signed by a CA in mqtt.ca_file"),
        ("stranger", "", "it has expired, this machine's clock is wrong, or it is not signed by a CA in mqtt.ca_file"),
        ("expired", "insecure = true\n", "it has expired"),
        ("stranger", "insecure = true\n", "it is not signed by a CA in mqtt.ca_file"),
    ],
)
def test_a_certificate_that_is_not_accepted(tmp_path, prefix, encrypted, certificate, more, problem):
    port = encrypted(certificate)
    lines = f'host = "localhost"\nport = {port}\ntls = true\nca_file = "ca.crt"\n{more}'
    status, text = check(tmp_path, lines, prefix)
    assert status == 69
    assert problem in text


def test_insecure_accepts_another_name_only(tmp_path, prefix, encrypted):
    port = encrypted("wrongname")
    lines = f'host = "localhost"\nport = {port}\ntls = true\nca_file = "ca.crt"\ninsecure = true\n'
    status, text = check(tmp_path, lines, prefix)
    assert status == 0, text


def test_without_a_ca_file_that_of_the_system_counts(tmp_path, prefix, encrypted):
    status, text = check(tmp_path, f'host = "localhost"\nport = {encrypted("server")}\ntls = true\n', prefix)
    assert status == 69
    assert "not signed by a CA that this system knows; name that CA in mqtt.ca_file" in text


def test_a_port_without_tls(tmp_path, prefix, broker, certificates):
    (tmp_path / "ca.crt").write_bytes((certificates / "ca.crt").read_bytes())
    lines = f'host = "localhost"\nport = {broker.port}\ntls = true\nca_file = "ca.crt"\n'
    status, text = check(tmp_path, lines, prefix)
    assert status == 69
    assert "before it is encrypted. Check that this port is the one for TLS" in text


def test_a_port_for_tls(tmp_path, prefix, encrypted):
    status, text = check(tmp_path, f'host = "localhost"\nport = {encrypted("server")}\n', prefix)
    assert status == 69
    assert "was lost" in text or "set mqtt.tls = true" in text or "is not an MQTT broker" in text


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
def test_an_old_protocol_is_refused(tmp_path, certificates):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "server.crt", certificates / "server.key")
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    (tmp_path / "ca.crt").write_bytes((certificates / "ca.crt").read_bytes())

    def answer(_, connection):
        with context.wrap_socket(connection, server_side=True) as encrypted:
            encrypted.recv(100)
            encrypted.sendall(packets.CONNACK)

    with packets.rogue(answer) as server:
        lines = f'host = "localhost"\nport = {server.port}\ntls = true\nca_file = "ca.crt"\n'
        status, text = check(tmp_path, lines)
    assert status == 69, text


def test_a_ca_file_that_is_none(tmp_path, prefix, encrypted):
    lines = f'host = "localhost"\nport = {encrypted("server")}\ntls = true\nca_file = "nonsense"\n'
    status, text = check(tmp_path, lines, prefix, [("nonsense", "not a certificate\n")])
    assert status == 69
    assert "cannot be encrypted, so none is made" in text


def test_a_client_certificate(tmp_path, prefix, encrypted):
    port = encrypted("server", "require_certificate true\n")
    lines = f'host = "localhost"\nport = {port}\ntls = true\nca_file = "ca.crt"\n'
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
    status, text = check(
        tmp_path, f'host = "127.0.0.1"\nport = {broker.port}\n', ["unshare", "--mount", "sh", "-c", script, "sh"]
    )
    assert status == 69
    assert "libmosquitto cannot be loaded" in text or "Run: apt install libmosquitto1" in text
