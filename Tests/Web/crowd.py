"""crowd.py ADDRESS PORT COUNT FROM...: opens COUNT connections, from these addresses in turn.

Prints how many of them are answered, and keeps all of them open until standard input ends.
"""

import contextlib
import pathlib
import sys
from socket import create_connection

sys.path.append(str(pathlib.Path(__file__).parents[1]))  # for Harness, without pytest

from Harness.waiting import stretched

address, port, count, *sources = sys.argv[1:]
clients = [
    create_connection((address, int(port)), stretched(60), (sources[index % len(sources)], 0))
    for index in range(int(count))
]
request = f"GET /healthz HTTP/1.1\r\nHost: {f'[{address}]' if ':' in address else address}\r\n\r\n".encode()
served = 0
for client in clients:
    # A refused connection may be reset before or after its request is sent.
    with contextlib.suppress(OSError):
        client.sendall(request)
        served += client.recv(1) != b""
print(served, flush=True)
sys.stdin.read()
