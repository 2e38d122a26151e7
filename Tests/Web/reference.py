"""A reference model of the server: the response that each request on a connection must get.

It reads bytes as RFC 9112 does, without knowing how they were made. Where a body ends and the next request begins
follows from the bytes alone.
"""

import re
from dataclasses import dataclass, field

KNOWN = [b"GET", b"HEAD", b"POST", b"PUT", b"DELETE", b"PATCH", b"OPTIONS", b"CONNECT", b"TRACE"]
RESOURCES = [b"/resources/swatchcam.css", b"/resources/favicon.svg"]
METHODS = {
    **{path: [b"GET", b"HEAD"] for path in [*RESOURCES, b"/test", b"/ws"]},
    b"/api/settings": [b"GET", b"HEAD", b"PUT"],
}
LONGEST_HEAD, MOST_FIELDS, LONGEST_BODY = 16_384, 100, 65_536

LONGEST_LINE = 8_000
"""The longest line of a head that every proxy must pass on."""

TOKEN = rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
LINE = re.compile(rb"(%s) ([\x21-\x7e]+) HTTP/1\.([01])" % TOKEN)
FIELD = re.compile(rb"(%s):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*" % TOKEN)
CHUNK = re.compile(rb"([0-9a-fA-F]{1,8})\r\n")
REGION = re.compile(rb'\{"region":\[0,0,0\.(\d{6}),1\]\}')
ONCE = [b"host", b"origin", b"content-length", b"transfer-encoding", b"authorization", b"content-type"]


@dataclass
class Setup:
    """The server, and what stands between it and the client."""

    host: bytes
    is_guarded: bool = False
    """Whether the server requires a token, which the requests do not carry."""
    is_proxied: bool = False
    """Whether a proxy stands in front of the server."""


@dataclass
class Expected:
    """The response that a request must get."""

    start: int
    end: int
    """Where the request ends: past the end of the data if a part of it is missing; then no answer is due."""
    method: bytes = b""
    is_method_sure: bool = False
    """Whether the server must have understood the method, although it may refuse the rest of the head."""
    statuses: set[int] = field(default_factory=set)
    closes: bool | None = True
    """Whether the answer ends the connection; None if it may."""
    marker: bytes = b""
    """A text that the answer must repeat unless it is an error, and that no other answer may contain."""
    resource: bytes = b""
    is_old: bool = False
    """HTTP/1.0, where a connection ends unless the answer says otherwise."""
    is_plain: bool = False
    """Whether every proxy must read the request in the same way, and pass it on."""
    may_continue: bool = False
    """Whether a 100 may come before the answer."""
    continues_at: int | None = None
    """Where the body begins, if the client may hold it back until that 100."""


def expectations(data: bytes, setup: Setup) -> list[Expected]:
    """The responses that the requests in the data must get, up to the first that ends the connection."""
    found: list[Expected] = []
    at = 0
    while not (found and found[-1].closes) and (expected := _next(data, at, setup)):
        found.append(expected)
        at = expected.end
    return found


def _next(data: bytes, start: int, setup: Setup) -> Expected | None:
    lines, at, has_bare_feed, has_empty = [], start, False, False
    while not lines or lines[-1]:
        line, found, _ = data[at:].partition(b"\n")
        if not found:
            missing = Expected(start, len(data) + 1, statuses={400, 408, 414, 431, 505})
            return missing if line or lines or has_bare_feed else None
        at += len(line) + 1
        has_bare_feed |= not line.endswith(b"\r")
        line = line.removesuffix(b"\r")
        has_empty |= not line and not lines
        if line or lines:
            lines.append(line)
    expected = Expected(start, at, lines[0].partition(b" ")[0], statuses={400})
    first, matches = LINE.fullmatch(lines[0]), [FIELD.fullmatch(line) for line in lines[1:-1]]
    is_too_long = at - start > LONGEST_HEAD or len(matches) > MOST_FIELDS
    if not first or is_too_long:
        expected.statuses |= (set() if first else {505}) | ({414, 431} if is_too_long else set())
        return expected
    expected.method, target, minor = first.groups()
    expected.is_method_sure = not has_bare_feed
    if not all(matches):
        return expected
    fields: dict[bytes, list[bytes]] = {}
    for name, value in (match.groups() for match in matches):
        fields.setdefault(name.lower(), []).append(value)
    length, codings = fields.get(b"content-length", [b"0"])[0], fields.get(b"transfer-encoding", [])
    if any(len(fields.get(name, [])) > 1 for name in ONCE) or not re.fullmatch(rb"\d{1,18}", length):
        return expected
    end: int | None = at + int(length)
    if codings:
        is_known = setup.is_proxied and codings == [b"chunked"] and b"content-length" not in fields and minor == b"1"
        end = _end_of_chunks(data, at) if is_known else None
    if end is None:
        # The server may find another reason to refuse the request before it looks at the coding.
        expected.statuses |= {401, 403, 404, 405, 413, 417, 421, 501}
        return expected
    expected.end, expected.is_old = end, minor == b"0"
    expected.is_plain = not has_bare_feed and not has_empty and b"\t" not in data[start:at]
    expected.is_plain &= max(map(len, lines)) < LONGEST_LINE
    _judge(expected, target, fields, at, data, setup)
    if has_bare_feed:
        # A bare line feed may be taken for the end of a line, or not (RFC 9112, 2.2).
        expected.statuses.add(400)
        expected.closes = expected.closes or None
    return expected


def _end_of_chunks(data: bytes, at: int) -> int | None:
    while match := CHUNK.match(data, at):
        size = int(match[1], 16)
        at = match.end() + size + 2
        if data[at - 2 : at] != b"\r\n":
            return None
        if size == 0:
            return at
    return None


def _judge(expected: Expected, target: bytes, fields: dict[bytes, list[bytes]], at: int, data: bytes, setup: Setup):
    """Fills in the answers that a well-formed head may get: a reason to refuse it, or else what it asks for."""
    method, body, has_body = expected.method, data[at : expected.end], expected.end > at
    refusals: set[int] = set()
    tolerated: set[int] = set()
    may_close = has_body or method not in KNOWN[:5] or setup.is_proxied
    """Whether the server may close the connection."""

    path = target.partition(b"?")[0]
    if not path.startswith(b"/"):
        tolerated |= {400, 404, 405, 421} | ({204} if path == b"*" else set())
        path = path.removeprefix(b"http://" + setup.host)
        may_close, expected.is_plain = True, False
    if match := re.fullmatch(rb"/test/(\d{6})", path):
        expected.marker, path = match[1], b"/test"
    if path in RESOURCES:
        expected.resource = path
    if path not in METHODS:
        refusals.add(404)
    elif method not in METHODS[path]:
        refusals.add(405)
    if method not in KNOWN:
        refusals, tolerated = {501}, tolerated | refusals
    elif method not in KNOWN[:5]:
        tolerated |= {405, 501}
    expected.is_plain &= method.isupper() and method not in KNOWN[7:]

    if fields.get(b"host") != [setup.host]:
        # A wrong host name, or none.
        refusals |= {400, 421} if not expected.is_old else set()
        tolerated |= {400, 421}
        may_close, expected.is_plain = True, False
    if b"origin" in fields or {b"cross-site", b"same-site"} & set(fields.get(b"sec-fetch-site", [])):
        upgrades = b"upgrade" in fields
        changes = method not in (b"GET", b"HEAD") or (upgrades and path == b"/ws")
        (refusals if changes else tolerated if upgrades else set()).add(403)
    expectations = [value.lower() for value in fields.get(b"expect", [])]
    expected.may_continue = b"100-continue" in expectations and not expected.is_old
    if set(expectations) - {b"100-continue"}:
        may_close, expected.is_plain = True, False
        if not expected.is_old:
            (tolerated if b"100-continue" in expectations else refusals).add(417)
    if setup.is_proxied and len(fields.get(b"expect", [])) > 1:
        # nginx itself refuses a repeated Expect.
        may_close, expected.is_plain = True, False
        tolerated.add(400)
    if expected.end - at > LONGEST_BODY:
        refusals.add(413)
    if setup.is_guarded and not expected.resource:
        refusals.add(401)
    if setup.is_proxied:
        expected.is_plain &= b"upgrade" not in fields
        tolerated |= {400, 411, 413} if b"transfer-encoding" in fields else set()

    # No address but those that need no token takes this parameter.
    served = {400} if target.endswith(b"?a=b") and not expected.resource else {200}
    if path == b"/ws":
        upgrade = b",".join(fields.get(b"upgrade", [])).lower()
        served = {101, 400, 426} if b"websocket" in upgrade and method == b"GET" else {400, 426}
        if expected.is_old:
            # A proxy may pass the request on by HTTP/1.1.
            served = {400, 505} | (served if setup.is_proxied else set())
        if upgrade == b"websocket" and b"sec-websocket-key" in fields and not has_body:
            served -= {400, 426} if 101 in served else set()
        may_close = True
    elif path == b"/api/settings" and method == b"PUT":
        match = REGION.fullmatch(body.strip(b" \t\r\n"))
        served, expected.marker = ({200}, match[1]) if match else ({400}, b"")
        may_close = setup.is_proxied or bool(refusals or tolerated)
        if expected.may_continue and has_body and not may_close:
            expected.continues_at = at
    elif expected.resource and b"if-none-match" in fields:
        served = {304}
    is_whole = expected.end <= len(data)
    if not is_whole:
        # A request that is refused, or that needs no body, may be answered before its body has arrived.
        served = served | {400, 408} if method != b"PUT" else {400, 408}
        may_close = True
    expected.statuses = (refusals or served) | tolerated

    if setup.is_proxied and len(fields.get(b"connection", [])) > 1:
        expected.is_plain = False
    tokens = {token.strip().lower() for value in fields.get(b"connection", []) for token in value.split(b",")}
    ends = b"close" in tokens or (expected.is_old and b"keep-alive" not in tokens)
    expected.closes = True if ends or not is_whole else None if may_close or expected.is_old else False
