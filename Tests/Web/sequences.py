"""Random sequences of requests for one connection: well formed, odd, and malformed in the parts that decide where a
request ends.

A marker, six digits from 1 to 9, ties an answer to its request: it is a colour to show or a region to set, and the
answer repeats it.
"""

import random

from reference import KNOWN, RESOURCES

REGISTERED = (
    b"ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT COPY LABEL LINK LOCK MERGE MKACTIVITY MKCALENDAR MKCOL MKREDIRECTREF "
    b"MKWORKSPACE MOVE ORDERPATCH PRI PROPFIND PROPPATCH QUERY REBIND REPORT SEARCH UNBIND UNCHECKOUT UNLINK UNLOCK "
    b"UPDATE UPDATEREDIRECTREF VERSION-CONTROL"
).split()
"""IANA's registry of methods, without those that Swatchcam knows."""
ODD_METHODS = [*REGISTERED, b"FOO", b"get", b"Get", b"head", b"pOST", b"put", b"M-SEARCH", b"X" * 30]

ODD_FIELDS = (
    b"X-Empty:|x-lower:a|X-Tab:\t a \t|X-Latin: \x80\xe9\xff|Connection: keep-alive|Connection: X-Odd|"
    b"Connection: Content-Length, keep-alive|Connection: close|Connection: x, Close|Keep-Alive: timeout=1|Upgrade: h2c|"
    b"Upgrade: websocket|Accept-Encoding: gzip, br|TE: trailers|Range: bytes=0-0|Sec-Fetch-Site: same-origin|"
    b"Expect: 100-continue|Expect: 100-Continue|Expect: tea|X_Under: 1|Transfer_Encoding: chunked|Content_Length: 3|"
    b"X-HTTP-Method-Override: DELETE|Cookie: a=b|Origin: https://evil.example|Sec-Fetch-Site: cross-site|"
    b"Sec-Fetch-Site: same-site|If-None-Match: *|X-Original-URL: /test/111111|Max-Forwards: 0"
).split(b"|")
"""Fields with which a head is unusual but well formed."""

BROKEN_FIELDS = (
    b"X: a\r\n b|X: a\r\n\tContent-Length: 5| X: a|\tX: a|X : a|Content-Length : 5|Transfer-Encoding : chunked|X|: a|"
    b"X: a\rY: b|X: a\r\rY: b|X: a\0b|X: \x7f|X: \x0b|X\xa0: a|X\xc2\xa0: a|(X): a|X: a\nY: b|"
    b"Host: evil.example|Host: HOST|Origin: http://HOST\r\nOrigin: https://evil.example|Content-Type: a/b\r\ncontent-type: c/d|"
    b"Authorization: Basic a\r\nAuthorization: Basic b|Content-Length: 0\r\nContent-Length: 0|Expect:\r\n 100-continue"
).split(b"|")
BROKEN_LENGTHS = (
    b"Content-Length: N\r\nContent-Length: N|Content-Length: 0\r\nContent-Length: N|Content-Length: N, N|Content-Length: 0, N|"
    b'Content-Length: +N|Content-Length: -N|Content-Length: 0xN|Content-Length: N.0|Content-Length: N_0|Content-Length: "N"|'
    b"Content-Length:|Content-Length: N N|Content-Length: N\xa0|Content-Length: \xc2\xa0N|Content-Length: \xe2\x80\x83N|"
    b"Content-Length: \xd9\xa1|Content-Length: 99999999999999999999|Content-Length:\r\n N|Content-Length: N;q=1|"
    b"Content-Length: N\x0b|Content-Length: \x0cN|Content-Length : N|\xc2\xa0Content-Length: N|Content-Length\xa0: N"
).split(b"|")
CODINGS = (
    b"chunked|chunked|Chunked|xchunked|identity|chunked, identity|identity, chunked|gzip, chunked|,chunked|chunked;q=1|\x0bchunked|"
    b'\xa0chunked|\xc2\xa0chunked|chunked\r\nTransfer-Encoding: identity|chunked\r\nContent-Length: N|\r\n chunked|"chunked"|'
).split(b"|")
FIRST_LINES = (
    b"%s  %s HTTP/1.1|%s %s  HTTP/1.1|%s\t%s HTTP/1.1| %s %s HTTP/1.1|%s %s HTTP/1.1 |%s %s http/1.1|%s %s HTTP/1.2|"
    b"%s %s HTTP/2.0|%s %s HTTP/0.9|%s %s HTTP/1.10|%s %s HTTP/01.1|%s %s HTTP/1,1|%s %s|%s %s\x80 HTTP/1.1|"
    b"%s %s\xc3\xa9 HTTP/1.1|(%s %s HTTP/1.1|%s\xa0 %s HTTP/1.1|%s %s HTTP/1.1\r|%s %s HTTP/1.1\xa0|%s http:%s HTTP/1.1"
).split(b"|")


def marker(rng: random.Random) -> bytes:
    return bytes(rng.choices(b"123456789", k=6))


def request(rng: random.Random, host: bytes, is_odd: bool, is_broken: bool) -> bytes:
    """One request, or bytes that may be taken for one."""
    method = rng.choice([b"GET", b"GET", b"HEAD", b"PUT", b"POST", *KNOWN, *rng.sample(ODD_METHODS, 2)])
    path = b"/test/" + marker(rng)
    path = rng.choice([*[path] * 6, path + b"?a=b", b"/nowhere/" + marker(rng), *RESOURCES, b"/ws"])
    fields, body = [], b""
    if method == b"PUT" and rng.random() < 0.8:
        path, body = b"/api/settings", b'{"region":[0,0,0.%s,1]}' % marker(rng)
        fields.append(b"Content-Type: application/json")
    elif rng.random() < 0.5:
        inner = b"GET /test/%s HTTP/1.1\r\nHost: %s\r\nAccept: text/html\r\nX: " % (marker(rng), host)
        # `inner` alone is incomplete, so it swallows the next request. Five long ones exceed the longest body allowed.
        inners = [inner + b"\r\n\r\n", (inner + b"\r\n\r\n") * 2, inner, (inner + b"a" * 14_000 + b"\r\n\r\n") * 5]
        body = rng.choice([*inners, inners[3] + inner, b"{}", b"\r\n", b"a" * rng.choice([1, 65_536, 65_537])])
    claimed_length = len(body)
    if is_odd:
        path = rng.choice([path] * 8 + [b"http://" + host + path, b"*", host])
        claimed_length = max(0, claimed_length + rng.choice([0] * 9 + [1, 40, 400, -1, -claimed_length]))
        fields += rng.sample(ODD_FIELDS, rng.choice([0, 1, 1, 2]))
    if path == b"/ws" and rng.random() < 0.7:
        fields += [b"Connection: Upgrade", b"Upgrade: websocket", b"Sec-WebSocket-Version: 13"]
        fields.append(b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
    line = rng.choice([b"%s %s HTTP/1.1"] * 9 + [b"%s %s HTTP/1.0"]) if is_odd else b"%s %s HTTP/1.1"
    length = [b"Content-Length: N"] if body or rng.random() < 0.1 else []
    if is_odd and rng.random() < 0.2:
        length = [rng.choice([b"content-length:N", b"Content-Length: \t N\t ", b"Content-Length: 00N"])]
    names = [b"Host: " + host]
    if is_broken:
        match rng.randrange(6):
            case 0:
                line = rng.choice(FIRST_LINES)
            case 1:
                fields.append(rng.choice(BROKEN_FIELDS).replace(b"HOST", host))
            case 2:
                length = [rng.choice(BROKEN_LENGTHS)]
            case 3 | 4:
                length = [b"Transfer-Encoding: " + rng.choice(CODINGS)]
                body = b"%x\r\n%s\r\n0\r\n\r\n" % (claimed_length, body) if rng.random() < 0.8 else body
            case 5:
                names = rng.choice([[], [b"Host:"], [b"Host: a b"], [b"Host: x@" + host], [b"Host: evil.example"]])
    # The login page, which answers a request without a token, repeats the path.
    lines = [*names, b"Accept: text/html", *fields, *(field.replace(b"N", b"%d" % claimed_length) for field in length)]
    if is_odd:
        rng.shuffle(lines)
    if is_broken and rng.random() < 0.05:
        lines += [b"X: " + b"a" * 17_000] if rng.random() < 0.5 else [b"X: a"] * 120
    head = [line % (method, path), *lines, b"", b""]
    ending = b"\n" if is_broken and rng.random() < 0.1 else b"\r\n"
    return rng.choice([b"", b"\r\n", b"\r\n\r\n"] if is_odd else [b""]) + ending.join(head) + body


def sequence(rng: random.Random, host: bytes) -> list[bytes]:
    """Two to eight requests. The last one ends the connection, unless an earlier one swallows it or ends it first."""
    temper = rng.choice(["plain", "odd", "odd", "broken"])
    count = rng.randrange(1, 8)
    broken = rng.randrange(count) if temper == "broken" else None
    pieces = [request(rng, host, temper != "plain", index == broken) for index in range(count)]
    last = b"GET /test/%s HTTP/1.1\r\nHost: %s\r\nAccept: text/html\r\nConnection: close\r\n\r\n"
    return [*pieces, last % (marker(rng), host)]
