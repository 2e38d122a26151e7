"""Sends random sequences of requests: sequence_fuzz.py [direct] [caddy] [nginx] [--seconds 30] [--seed N] [--number N]

Each case sends two to eight requests over one connection, pipelined or one after the other, whole or in pieces. The
answers are parsed strictly and compared with those of a model: there are no more answers than requests, each belongs to
the request in its place, none answers bytes inside a body, and none follows the announced end of the connection. Behind
a proxy, a second client uses its own connection at the same time and must get only its own answers. The seed and the
number of a case repeat it; behind a proxy, which keeps connections, the cause may lie in an earlier case.
"""

import argparse
import collections
import contextlib
import gzip
import json
import pathlib
import random
import re
import socket
import ssl
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterable
from dataclasses import dataclass

sys.path.append(str(pathlib.Path(__file__).parents[1]))  # for Harness, without pytest

from cases import counting_for
from Harness.proxies import NAME, TOKEN, caddy, guarded_server, nginx, proxied
from Harness.server import running
from Harness.waiting import stretched
from reference import RESOURCES, Expected, Setup, expectations
from sequences import marker, sequence

ROUTES = {"direct": None, "caddy": caddy, "nginx": nginx}

STATUS_LINE = re.compile(rb"HTTP/1\.[01] (\d{3}) [\t\x20-\x7e\x80-\xff]*")
FIELD = re.compile(rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]+): *([\x21-\x7e\x80-\xff]?[\t\x20-\x7e\x80-\xff]*)")
REFLECTED = re.compile(rb"(?:#|/test/|,0\.)([1-9]{6})\b")
DATE = re.compile(r"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT")
NEEDED = ["x-content-type-options", "referrer-policy", "cross-origin-resource-policy", "permissions-policy"]
NEEDED += ["content-security-policy", "date"]
INTENDED_5XX = {501, 503, 505}
"""An unknown method; no picture or too many clients; another version of HTTP."""


class Fault(Exception):
    """A fault after which nothing else on the connection has a meaning."""


@dataclass
class Answer:
    status: int
    fields: dict[str, str]
    body: bytes

    @property
    def tokens(self) -> set[str]:
        return {token.strip() for token in self.fields.get("connection", "").lower().split(",")}


def parse(data: bytes, method: bytes, is_sure=True, has_ended=False) -> tuple[Answer, bytes] | None:
    """The first answer and the bytes after it; None if it is not complete yet.

    `is_sure`: even if the server refuses the head, it has understood the method, and that HEAD gets no body.
    """
    if not data.startswith(b"HTTP/1."[: len(data)]):
        raise Fault(f"no answer where one should begin: {data[:60]!r}")
    head, found, rest = data.partition(b"\r\n\r\n")
    if not found:
        return None
    first, *lines = head.split(b"\r\n")
    matches = [FIELD.fullmatch(line) for line in lines]
    if not (match := STATUS_LINE.fullmatch(first)) or not all(matches):
        raise Fault(f"a bad head: {head!r}")
    fields: dict[str, str] = {}
    for name, value in ((match[1].decode().lower(), match[2].decode("latin-1")) for match in matches):
        if name in fields and name not in ("vary", "via"):
            raise Fault(f"{name} twice")
        fields[name] = value
    status = int(match[1])
    is_in_doubt = method == b"HEAD" and not is_sure and fields.get("connection") == "close"
    if is_in_doubt and not rest:
        return (Answer(status, fields, b""), rest) if has_ended else None
    if status < 200 or status in (204, 304) or (method == b"HEAD" and not is_in_doubt):
        return Answer(status, fields, b""), rest
    if fields.get("transfer-encoding") == "chunked" and "content-length" not in fields:
        chunked = unchunked(rest)
        return chunked and (Answer(status, fields, unpacked(chunked[0], fields)), chunked[1])
    if not {"content-length", "transfer-encoding"} & fields.keys():
        # Behind a proxy that has unpacked it, the end of the connection is the end of the body.
        return (Answer(status, fields, unpacked(rest, fields)), b"") if has_ended else None
    if not fields.get("content-length", "").isdecimal() or "transfer-encoding" in fields:
        raise Fault(f"status {status} without a Content-Length")
    length = int(fields["content-length"])
    if len(rest) < length:
        return None
    return Answer(status, fields, unpacked(rest[:length], fields)), rest[length:]


def unchunked(data: bytes) -> tuple[bytes, bytes] | None:
    """The body in these chunks and the bytes after it; None if it is not complete yet."""
    body = b""
    while True:
        size, found, data = data.partition(b"\r\n")
        length = int(size, 16) if found else 0
        if not found or len(data) < length + 2:
            return None
        body, data = body + data[:length], data[length + 2 :]
        if length == 0:
            return body, data


def unpacked(body: bytes, fields: dict[str, str]) -> bytes:
    return gzip.decompress(body) if fields.get("content-encoding") == "gzip" else body


class Connection:
    """A connection, and the answers that have arrived over it."""

    def __init__(self, site):
        self.socket = site.connect()
        self.socket.settimeout(stretched())
        with contextlib.suppress(OSError):
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.data = b""
        self.has_ended = self.was_cut = False

    def send(self, data: bytes) -> None:
        try:
            self.socket.sendall(data)
        except OSError:
            # The server has closed. Its earlier answers count, but TLS may not deliver them any more.
            self.was_cut = isinstance(self.socket, ssl.SSLSocket)

    def receive(self) -> None:
        try:
            part = self.socket.recv(1 << 16)
        except TimeoutError:
            raise Fault("no answer, and no end of the connection") from None
        except OSError:
            part = b""
        self.data += part
        self.has_ended = not part

    def answer(self, method: bytes, is_sure=True) -> Answer | None:
        """The next answer; None if the connection has ended."""
        while not (parsed := parse(self.data, method, is_sure, self.has_ended)):
            if self.has_ended:
                if self.data:
                    raise Fault(f"an incomplete answer: {self.data[:200]!r}")
                return None
            self.receive()
        answer, self.data = parsed
        return answer


class Innocent:
    """A client with the token and a connection of its own."""

    def __init__(self, site, host: bytes, rng: random.Random):
        self.site, self.host, self.rng = site, host, rng
        self.connection = None

    def ask(self) -> None:
        self.connection = self.connection or Connection(self.site)
        self.marker = marker(self.rng)
        head = "GET /test/%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n"
        self.connection.send((head % (self.marker.decode(), self.host.decode(), TOKEN)).encode())

    def receive(self) -> None:
        try:
            answer = self.connection.answer(b"GET")
        except Fault as fault:
            self.connection = None
            raise Fault(f"the innocent client: {fault}") from None
        if answer is None or "close" in answer.tokens:
            self.connection = None
        if answer is None or answer.status != 200 or set(REFLECTED.findall(answer.body)) != {self.marker}:
            raise Fault(f"the innocent client got another's answer: {answer and (answer.status, answer.fields)}")
        if "set-cookie" in answer.fields:
            raise Fault("the innocent client got a cookie")


class Fuzzer:
    def __init__(self, site, host: str, tags: dict[bytes, str], is_proxied: bool):
        self.site, self.tags, self.is_proxied = site, tags, is_proxied
        self.setup = Setup(host.encode(), is_guarded=is_proxied, is_proxied=is_proxied)

    def case(self, seed: int, number: int) -> tuple[list[str], bytes, int]:
        """Tries one case: the problems, the data sent, and the number of requests."""
        rng = random.Random(f"{seed} {number}")
        pieces = sequence(rng, self.setup.host)
        data = b"".join(pieces)
        expected = expectations(data, self.setup)
        self.data, self.expected = data, expected
        self.problems: list[str] = []
        self.innocent = Innocent(self.site, self.setup.host, rng) if self.is_proxied else None
        connection = Connection(self.site)
        try:
            self.exchange(connection, data, pieces, expected, rng)
            if self.innocent:
                for _ in range(2):
                    self.innocent.ask()
                    self.innocent.receive()
        except Fault as fault:
            self.problems.append(str(fault))
        connection.socket.close()
        if self.innocent and self.innocent.connection:
            self.innocent.connection.socket.close()
        return self.problems, data, len(pieces)

    def exchange(self, connection, data, pieces, expected, rng) -> None:
        """Sends everything, and compares each answer when it is due or at the end."""
        waits = rng.random() < 0.5
        cuts = {sum(map(len, pieces[:index])): waits for index in range(1, len(pieces))}
        for _ in range(rng.choice([0, 0, 1, 4, 20])):
            cuts.setdefault(rng.randrange(len(data)), False)
        if waits:
            cuts |= {one.continues_at: True for one in expected if one.continues_at}
        due, at = collections.deque(expected), 0
        for cut in [*sorted(cuts), len(data)]:
            overlaps = self.innocent and rng.random() < 0.2
            if overlaps:
                self.innocent.ask()
            connection.send(data[at:cut])
            at = cut
            if overlaps:
                self.innocent.receive()
            if rng.random() < 0.2:
                time.sleep(0.001)  # the attack's own pace, so that pieces arrive one by one
            while cuts.get(cut) and due and (due[0].end <= cut or due[0].continues_at == cut):
                if self.is_proxied and not due[0].is_plain:
                    cuts = {}  # The proxy may change the request, so there is no certain answer to wait for.
                elif self.receive(connection, due, is_continue=due[0].end > cut):
                    return
                elif due and due[0].continues_at == cut:
                    due[0].continues_at = None
        while due and due[0].end <= len(data) and (due[0].is_plain or not self.is_proxied):
            if self.receive(connection, due):
                return
        if self.is_proxied:
            self.count_remaining_answers(connection, data, due)
            return
        # Only an incomplete request can be left.
        with contextlib.suppress(OSError):
            connection.socket.shutdown(socket.SHUT_WR)
        while answer := connection.answer(due[0].method if due else b"", is_sure=False):
            if answer.status == 100 and due and due[0].may_continue:
                continue
            if not due or answer.status not in due.popleft().statuses:
                self.find_smuggled(answer)
                raise Fault(f"an answer ({answer.status}) to a request that is incomplete or does not exist")

    def receive(self, connection, due, is_continue=False) -> bool:
        """Compares the next answer. True if the connection has ended."""
        expected: Expected = due[0]
        answer = connection.answer(expected.method, expected.is_method_sure)
        if answer and answer.status == 100 and expected.may_continue:
            expected.may_continue = False
            if is_continue:
                return False
            answer = connection.answer(expected.method, expected.is_method_sure)
        if answer is None:
            if connection.was_cut:
                return True
            raise Fault("the connection was closed without an answer")
        due.popleft()
        self.compare(answer, expected)
        if answer.status == 101:
            return True
        closes = "close" in answer.tokens or (expected.is_old and "keep-alive" not in answer.tokens)
        if expected.closes is not None and closes != expected.closes:
            self.problems.append(f"status {answer.status} {'ends' if closes else 'does not end'} the connection")
        if closes:
            # A proxy closes when it likes.
            if connection.data or not (self.is_proxied or connection.answer(b"") is None):
                raise Fault("something came after the last answer")
            return True
        return False

    def compare(self, answer: Answer, expected: Expected) -> None:
        say = self.problems.append
        status, fields = answer.status, answer.fields
        if status >= 500 and status not in INTENDED_5XX:
            say(f"status {status}")
        if status not in expected.statuses:
            say(f"status {status} in place of {sorted(expected.statuses)}")
        missing = [name for name in NEEDED if name not in fields] if status != 101 else []
        if missing:
            say(f"status {status} without {', '.join(missing)}")
        elif status != 101 and not DATE.fullmatch(fields["date"]):
            say(f"no date: {fields['date']}")
        for needing, name in {401: "www-authenticate", 405: "allow", 426: "upgrade"}.items():
            if status == needing and name not in fields:
                say(f"status {status} without {name}")
        if "set-cookie" in fields:
            say(f"status {status} with a cookie")
        # Caddy decompresses bodies that it requested compressed, and then does not know their length.
        if "transfer-encoding" in fields and not self.is_proxied:
            say(f"status {status} in chunks")
        has_body = expected.method != b"HEAD" and status not in (101, 204, 304)
        if has_body and "content-length" not in fields and not self.is_proxied:
            say(f"status {status} without a Content-Length")
        tag = fields.get("etag", "").replace('-gzip"', '"')
        if expected.resource and status in (200, 304) and tag != self.tags[expected.resource]:
            say("another file's tag")
        if expected.method == b"HEAD" or expected.resource:
            return
        found = set(REFLECTED.findall(answer.body))
        is_page = status >= 400 and fields.get("content-type", "").startswith("text/html")
        must = expected.marker and (status == 200 or (is_page and status == 401))
        if found - {expected.marker} or (must and not found):
            self.find_smuggled(answer)
            raise Fault(f"an answer to something else: {status} with {found} in place of {expected.marker}")
        if is_page and b"</html>" not in answer.body:
            say(f"status {status} with an incomplete page")
        if status >= 400 and not is_page:
            with contextlib.suppress(ValueError, TypeError, AttributeError):
                error = json.loads(answer.body)["error"]
                if fields["content-type"] == "application/json" and {"code", "message"} == set(error):
                    return
            say(f"status {status} without a JSON error")

    def find_smuggled(self, answer: Answer) -> None:
        for found in set(REFLECTED.findall(answer.body)) - {one.marker for one in self.expected}:
            place = self.data.find(found)
            if any(one.start <= place < one.end for one in self.expected):
                raise Fault(f"SMUGGLED: an answer ({answer.status}) to {found}, which was inside a body")
            if place >= 0:
                raise Fault(f"an answer ({answer.status}) to {found}, which came after the end")

    def count_remaining_answers(self, connection, data: bytes, due) -> None:
        """Whatever a proxy makes of odd requests, there are no more answers than requests, in the same order."""
        connection.socket.settimeout(0.2)
        start = due[0].start if due else len(data)
        with contextlib.suppress(Fault):
            while not connection.has_ended:
                connection.receive()
        answers = re.findall(rb"HTTP/1\.[01] (?!100)(\d{3}) ", connection.data)
        # A request whose first line is malformed may have no version. If no answer is due, there is no request either.
        if len(answers) > (data.count(b" HTTP/", start) + 1 if due else 0):
            raise Fault(f"{len(answers)} answers to fewer requests")
        places = [data.find(found) for found in REFLECTED.findall(connection.data) if found in data]
        if places != sorted(places) or any(place < start for place in places):
            raise Fault("answers in a different order from the requests")


def kind(problem: str) -> str:
    return re.sub(r"\d{5,}|b'.*|\{.*", "…", problem)


def run(route: str, folder: pathlib.Path, seed: int, numbers: Iterable[int]) -> dict[str, list[int]]:
    """Tries the cases of these numbers; returns the failed ones by kind of problem. Prints the first of each kind."""
    with contextlib.ExitStack() as stack:
        if route == "direct":
            server = stack.enter_context(running(folder))
            site, host = server, f"localhost:{server.port}"
            server.connect = lambda: socket.create_connection(("127.0.0.1", server.port))
        else:
            server = stack.enter_context(guarded_server(folder))
            site = stack.enter_context(proxied(ROUTES[route], folder, server, keeps_connections=True))
            host = f"{NAME}:{site.port}"
        tags = {}
        for path in RESOURCES:
            with urllib.request.urlopen(server.url + path.decode()[1:]) as response:
                tags[path] = response.headers["ETag"]
        fuzzer = Fuzzer(site, host, tags, route != "direct")
        wrong: dict[str, list[int]] = {}
        count = requests = 0
        for number in numbers:
            problems, data, length = fuzzer.case(seed, number)
            for problem in problems:
                cases = wrong.setdefault(kind(problem), [])
                if not cases:
                    sent = re.sub(rb"(.)\1{99,}", rb"\1...", data)
                    print(f"    {route}: case {number} of seed {seed}: {problem}\n        {sent!r}")
                cases.append(number)
            count += 1
            requests += length
        assert server.is_running, "the server has ended"
        assert "Fatal" not in server.logged()
        print(f"    {route}: {count} sequences of {requests} requests, seed {seed}")
    return wrong


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("routes", nargs="*", default=list(ROUTES), help="direct, caddy, nginx; all if none is named")
    parser.add_argument("--seconds", type=float, default=30, help="for each route")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--number", type=int, help="only this case")
    arguments = parser.parse_args()
    has_failed = False
    for route in arguments.routes:
        with tempfile.TemporaryDirectory() as folder:
            numbers = counting_for(arguments.seconds) if arguments.number is None else [arguments.number]
            wrong = run(route, pathlib.Path(folder), arguments.seed, numbers)
        for problem, cases in sorted(wrong.items(), key=lambda item: -len(item[1])):
            print(f"{route}: {len(cases):6} times, first in case {cases[0]}: {problem}")
        has_failed |= bool(wrong)
    sys.exit(has_failed)
