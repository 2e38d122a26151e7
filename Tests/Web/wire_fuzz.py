"""wire_fuzz.py URL [--seconds 30] [--seed N] [--log FILE]: sends mutated requests and WebSocket frames to a running Swatchcam.

It mutates the files in corpus/, which are requests as they are sent, and adds frames to an upgrade. Whatever is sent,
the program must keep running and answer in well-formed HTTP, never with an unintended 5xx, and never with more answers
than requests. The seed and the number of an input reproduce it.
"""

import argparse
import contextlib
import pathlib
import random
import re
import socket
import sys
import urllib.parse
from collections.abc import Iterable

sys.path.append(str(pathlib.Path(__file__).parents[1]))  # for Harness, without pytest

from cases import counting_for
from Harness.waiting import stretched
from raw import frame

CORPUS = pathlib.Path(__file__).parent / "corpus"
INTENDED_5XX = {501, 503, 505}
"""An unknown method; no picture or too many clients; another version of HTTP."""

TOKENS = [
    *(b"\r\n", b"\n", b"\r", b"\0", b" ", b"\t", b":", b",", b";", b"?", b"#", b"%00", b"%2e%2e/", b"../", b"\xff\xfe"),
    *(b"Content-Length: ", b"Transfer-Encoding: chunked\r\n", b"Host: localhost\r\n", b"Connection: close\r\n"),
    *(b"Connection: Upgrade\r\nUpgrade: websocket\r\n", b"Expect: 100-continue\r\n", b"HTTP/1.0", b"HTTP/1.1"),
    *(
        b"Range: bytes=9223372036854775807-\r\n",
        b"If-None-Match: *\r\n",
        b"Cookie: swatchcam-8080=",
        b"Authorization: ",
    ),
    *(b"-1", b"0", b"65536", b"65537", b"18446744073709551616", b"9223372036854775807", b"{}", b"[]", b'{"value":'),
    *(
        b"GET ",
        b"HEAD ",
        b"POST ",
        b"PUT ",
        b"DELETE ",
        b"OPTIONS ",
        b"/ws",
        b"/ws/picture?view=",
        b"/api/controls/lock",
        b"/stream.mjpg?fps=",
        b"*",
    ),
]


def mutate(data: bytes, rng: random.Random) -> bytes:
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 3, 8])):
        place = rng.randrange(len(data) + 1)
        match rng.randrange(7):
            case 0:
                data[place : place + 1] = bytes([rng.randrange(256)])
            case 1:
                del data[place : place + rng.choice([1, 2, 16, 200])]
            case 2:
                data[place:place] = rng.choice(TOKENS)
            case 3:
                end = place + rng.choice([1, 8, 64])
                data[place:place] = data[place:end] * rng.choice([1, 2, 100, 2000])
            case 4:
                if place < len(data):
                    data[place] ^= 1 << rng.randrange(8)
            case 5:
                data[place:place] = rng.choice([b"a", b" ", b"\0", b"%"]) * rng.choice([1, 255, 4097, 20_000])
            case 6:
                lines = bytes(data).split(b"\r\n")
                rng.shuffle(lines)
                data = bytearray(b"\r\n".join(lines))
        del data[200_000:]
    return bytes(data)


def random_frames(rng: random.Random) -> bytes:
    frames = b""
    for _ in range(rng.randrange(1, 6)):
        length = rng.choice([0, 1, 125, 126, 127, 4096, 4097, 65_535])
        claimed = rng.choice([None] * 8 + [0, 125, 126, 4097, 1 << 16, 1 << 31, 1 << 63, (1 << 64) - 1])
        frames += frame(
            rng.randrange(16),
            rng.randbytes(length),
            fin=rng.random() < 0.7,
            masked=rng.random() < 0.9,
            reserved=rng.choice([0, 0, 0, rng.randrange(8)]),
            length=claimed,
        )
    return frames


def check(sent: bytes, received: bytes) -> str | None:
    """What is wrong with the answers, if anything."""
    answers = re.findall(rb"(?:^|\r\n\r\n|\}|\n|>)HTTP/1\.1 (\d{3}) [^\r\n]*\r\n", received)
    if received and not received.startswith(b"HTTP/1.1 "):
        return f"no HTTP: {received[:80]!r}"
    for status in map(int, answers):
        if status >= 500 and status not in INTENDED_5XX:
            return f"status {status}"
    # The first line of a request ends with a version.
    requests = len(re.findall(rb"HTTP/", sent)) + 1
    if len(answers) > requests:
        return f"{len(answers)} answers to {requests} requests"
    return None


def exchange(address, data: bytes) -> bytes:
    """Sends the data and returns the answers, or as many of them as arrive before the server is silent for 2 s.

    The server itself ends a connection whose request stays incomplete for 8 s, which is too long to wait here.
    """
    received = b""
    with socket.create_connection(address, timeout=stretched()) as client, contextlib.suppress(OSError):
        client.settimeout(stretched(2))
        with contextlib.suppress(OSError):
            client.sendall(data)
            client.shutdown(socket.SHUT_WR)
        # A stream or a WebSocket is endless: its beginning is enough.
        while len(received) < 100_000 and (part := client.recv(1 << 16)):
            received += part
            if b"\r\n\r\n" in received and (b"101 Switching" in received or b"multipart/" in received):
                break
    return received


def run(url: str, seed: int, numbers: Iterable[int], log=None) -> int:
    """Sends the inputs of these numbers and returns their count; fails with the first that is answered wrongly."""
    parts = urllib.parse.urlsplit(url)
    address = (parts.hostname, parts.port)
    corpus = [path.read_bytes().replace(b"PORT", str(parts.port).encode()) for path in sorted(CORPUS.iterdir())]
    upgrade = next(data for data in corpus if b"Upgrade: websocket" in data)
    count = 0
    for number in numbers:
        rng = random.Random(f"{seed} {number}")
        if rng.random() < 0.3:
            data = upgrade + random_frames(rng)
            data = mutate(data, rng) if rng.random() < 0.2 else data
        else:
            data = b"".join(rng.choices(corpus, k=rng.choice([1, 1, 1, 2, 5])))
            data = mutate(data, rng)
        if log:
            log.seek(0)
            log.truncate()
            log.write(data)
            log.flush()
        problem = check(data, exchange(address, data))
        count += 1
        assert problem is None, f"input {number} of seed {seed}: {problem}\n{data[:2000]!r}"
    return count


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--log", type=argparse.FileType("wb"), help="receives each input before it is sent")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    print(f"{run(arguments.url, arguments.seed, counting_for(arguments.seconds), arguments.log)} inputs")
    sys.exit()
