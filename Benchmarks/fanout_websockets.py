"""A rival for fanout.py: a server on Python's websockets.

fanout_websockets.py PORT LENGTH RATE PING: sends a text of LENGTH bytes RATE times a second, and pings each client
every PING seconds.
"""

import asyncio
import datetime
import json
import sys

from websockets.asyncio.server import broadcast, serve


def message(sequence, length):
    """One line of JSON of a given length, with the keys that the load client reads and the current time."""
    time = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def text(padding):
        return json.dumps({"padding": "x" * padding, "sequence": sequence, "time": time}, separators=(",", ":"))

    return text(max(0, length - len(text(0))))


async def main(port, length, rate, ping):
    clients = set()

    async def handle(client):
        clients.add(client)
        try:
            await client.wait_closed()
        finally:
            clients.remove(client)

    loop = asyncio.get_running_loop()
    async with serve(handle, "127.0.0.1", port, compression=None, ping_interval=ping, backlog=128):
        due, sequence = loop.time(), 0
        while True:
            sequence += 1
            broadcast(clients, message(sequence, length))
            due += 1 / rate
            await asyncio.sleep(due - loop.time())


if __name__ == "__main__":
    asyncio.run(main(*(int(argument) for argument in sys.argv[1:])))
