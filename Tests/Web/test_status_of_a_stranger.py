"""`swatchcam status` when another program listens on the port: it reveals nothing, believes nothing, and ends."""

import json
import re
import socket
import subprocess
import sys
import threading
import unicodedata

import pytest
from Harness import program
from Harness.program import PROGRAM
from Harness.waiting import stretched

TOKEN = "test-token-of-forty-letters-and-a-few-more"
VIEW_TOKEN = "view-token-of-forty-letters-and-a-few-more"

STEERING = "\x1b[2J\x1b]0;title\x07\x9b31m\x7f\u202e\u2066\u200b\u2028\r\nColour: #FFFFFF\u0301"
HEALTH = {"status": "ok", "pictures": {}}
READING = {
    "state": "live",
    "since": "2026-01-01T00:00:00.000Z",
    "message": None,
    "hex": "#123456",
    "rgb": {"r": 18, "g": 52, "b": 86},
    "brightness": 0.2,
    "camera": {"name": "Camera", "device": "/dev/video0", "id": "x"},
    "frame": {"width": 640, "height": 480, "format": "YUYV"},
    "rate": {"capture": 15.0, "wanted": 4.0},
    "dropped": 0,
    "notices": [],
}


class Stranger:
    """A server that answers each request by calling `answer` with the request and the connection."""

    def __init__(self, answer):
        self.requests = []
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection):
        with connection:
            try:
                request = b""
                while b"\r\n\r\n" not in request:
                    part = connection.recv(4096)
                    if not part:
                        return
                    request += part
                self.requests.append(request.decode())
                self._answer(request, connection)
            except OSError:
                # The client has closed the connection.
                pass

    def close(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


def with_content(health, reading, status=b"200 OK"):
    def answer(request, connection):
        content = health if b"/healthz" in request else reading
        content = content if isinstance(content, bytes) else json.dumps(content, ensure_ascii=False).encode()
        head = b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n" % (status, len(content))
        connection.sendall(head + content)

    return answer


@pytest.fixture
def stranger():
    """A function that starts a stranger, given its `answer`."""
    strangers = []

    def start(answer):
        strangers.append(Stranger(answer))
        return strangers[-1]

    yield start
    for stranger in strangers:
        stranger.close()


def ask(stranger, tmp_path, *options, config=""):
    path = tmp_path / "config.toml"
    path.write_text(config)
    return program.run("status", "--config", path, "--port", stranger.port, *options, text=False, errors=None)


def is_plain(text):
    return all(unicodedata.category(letter) not in ("Cc", "Cf", "Zl", "Zp", "Co", "Cn", "Cs") for letter in text)


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_the_control_token_is_never_sent_to_a_stranger(stranger, tmp_path, options):
    other = stranger(with_content(HEALTH, READING))
    ask(other, tmp_path, *options, config=f'[web]\ntoken = "{TOKEN}"\n')
    ask(other, tmp_path, *options, config=f'[web]\ntoken = "{TOKEN}"\nview_token = "{VIEW_TOKEN}"\n')
    assert [request.split()[1] for request in other.requests] == ["/healthz", "/healthz", "/api/reading"]
    assert not [request for request in other.requests if TOKEN in request]
    assert [VIEW_TOKEN in request for request in other.requests] == [False, False, True]


def hostile(value):
    """The same value, with control characters for a terminal in every string."""
    match value:
        case str():
            return value + STEERING
        case list():
            return [hostile(item) for item in value]
        case dict():
            return {key: hostile(item) for key, item in value.items()}
    return value


HOSTILE_READING = hostile(READING | {"message": "m", "notices": [{"message": "one\ntwo"}]})


def test_control_characters_in_a_strangers_reading_reach_no_terminal(stranger, tmp_path):
    answer = ask(stranger(with_content(HEALTH, HOSTILE_READING)), tmp_path)
    assert answer.returncode == 0, answer.stderr
    lines = answer.stdout.decode().split("\n")
    assert all(is_plain(line) for line in lines), lines
    # The text after a line break in a message does not look like a line of the report.
    assert [line.startswith("Colour: #123456") for line in lines if line.startswith("Colour")] == [True]
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/: healthy", lines[0])


def test_json_for_a_script_has_the_same_values_and_escapes_control_characters(stranger, tmp_path):
    answer = ask(stranger(with_content(HEALTH, HOSTILE_READING)), tmp_path, "--json")
    assert answer.returncode == 0, answer.stderr
    assert is_plain(answer.stdout.decode().rstrip("\n"))
    assert json.loads(answer.stdout) == HOSTILE_READING


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_control_characters_in_a_strangers_refusal_reach_no_terminal(stranger, tmp_path, options):
    refusal = {"error": {"code": "no-camera", "message": "Words" + STEERING}}
    answer = ask(
        stranger(with_content(refusal, refusal, b"503 No")), tmp_path, *options, config=f'web.token = "{TOKEN}"'
    )
    assert answer.returncode == 69
    for text in (answer.stdout, answer.stderr):
        assert all(is_plain(line) for line in text.decode().split("\n"))
    assert b"Words" in answer.stdout


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>",
        b"[]",
        b"{",
        b'{"status":"ok"',
        b'{"status":"ok"} {"status":"ok"}\x1b[2J',
        b'{"status":"fine"}',
        b'{"status":"ok","a":"\xff"}',
        '{"status":"ok"}'.encode("utf-16"),
        '{"status":"ok"}'.encode("utf-16-le"),
        b"\xef\xbb\xbf" + b'{"status":"ok"}',
        b"[" * 60_000,
        b'{"status":' * 6_000,
        b'{"status":"ok","a":' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    ],
)
def test_an_answer_that_no_swatchcam_gives_is_not_printed(stranger, tmp_path, content):
    answer = ask(stranger(with_content(content, READING)), tmp_path)
    assert (answer.returncode, answer.stdout) == (69, b"")
    assert answer.stderr.decode().endswith(": another program answers there (200)\n")


def endless(start, part):
    def answer(_, connection):
        connection.sendall(start)
        while True:
            connection.sendall(part)

    return answer


def silent(start):
    def answer(_, connection):
        connection.sendall(start)
        # Until the client closes the connection.
        connection.recv(1)

    return answer


def dripping(_, connection):
    """Sends one byte after another, without end."""
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    connection.settimeout(0.2)
    while True:
        connection.sendall(b"a")
        try:
            if not connection.recv(1):
                return
        except TimeoutError:
            pass


MUCH = b"a" * (1 << 20)
MAX_MEMORY = 200 << 10
"""In KiB. An endless answer that is stored takes thousands of MiB in five seconds."""

MEASURE = """
import json, resource, subprocess, sys
run = subprocess.run(sys.argv[2:], capture_output=True, text=True, timeout=float(sys.argv[1]))
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
json.dump({"status": run.returncode, "output": run.stdout, "errors": run.stderr, "memory": most}, sys.stdout)
"""
"""A script that runs a command, and prints what it prints and the most memory that it takes.

A process counts as its own the memory of the one that forked it, and pytest takes more than the program.
"""


@pytest.mark.parametrize(
    "answer",
    [
        endless(b"", MUCH),
        endless(b"HTTP/1.1 200 OK\r\n", MUCH),
        endless(b"HTTP/1.1 200 OK\r\n", b"Field: value\r\n" * 10_000),
        endless(b"HTTP/1.1 200 OK\r\n\r\n", MUCH),
        endless(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", MUCH),
        endless(b"HTTP/1.1 200 OK\r\nContent-Length: 270000\r\n\r\n", MUCH),
        endless(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"100000\r\n" + MUCH + b"\r\n"),
        silent(b""),
        silent(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"),
        dripping,
    ],
    ids=["noise", "line", "fields", "body", "length", "long-body", "chunks", "silence", "cut-off", "drip"],
)
def test_an_endless_answer_is_abandoned_and_not_stored(stranger, tmp_path, answer):
    other = stranger(answer)
    path = tmp_path / "config.toml"
    path.write_text("")
    status = [*PROGRAM, "status", "--config", str(path), "--port", str(other.port)]
    measuring = subprocess.run(
        [sys.executable, "-c", MEASURE, str(stretched()), *status], check=True, stdout=subprocess.PIPE
    )
    run = json.loads(measuring.stdout)
    assert (run["status"], run["output"]) == (69, "")
    assert run["errors"] == f"127.0.0.1:{other.port}: Swatchcam does not answer. Start it with: swatchcam serve\n"
    assert run["memory"] < MAX_MEMORY
