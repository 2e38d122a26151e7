"""crowd.py ADDRESS PORT COUNT FROM...: COUNT connections, from these addresses in turn.

It prints how many of them are answered, and holds all of them until standard input ends.
"""

import contextlib
import sys
from socket import create_connection

PATIENCE = 10

address, port, count, *sources = sys.argv[1:]
clients = [
    create_connection((address, int(port)), PATIENCE, (sources[index % len(sources)], 0)) for index in range(int(count))
]
request = f"GET /healthz HTTP/1.1\r\nHost: {f'[{address}]' if ':' in address else address}\r\n\r\n".encode()
served = 0
for client in clients:
    # One that is refused may be reset before or after it has asked.
    with contextlib.suppress(OSError):
        client.sendall(request)
        served += client.recv(1) != b""
print(served, flush=True)
sys.stdin.read()
