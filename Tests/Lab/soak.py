"""soak.py [--minutes 30]: the events of a year in half an hour. `make soak` runs it in the lab, on two vivid cameras.

Clients of every kind come and go, properly and by a reset; the cameras are toggled; the configuration is edited. One
client stays and must get every reading. Memory and descriptors are printed each minute, and compared at the end with
those after the first minute.
"""

import argparse
import contextlib
import itertools
import pathlib
import random
import socket
import struct
import sys
import tempfile
import threading
import time
import urllib.request

import program
import recorder
import websockets.sync.client

FPS = 15
RATE = 4


class Crowd:
    """Clients that each do something with the server at their own pace, until the time is over."""

    def __init__(self, port, config, seconds):
        self.port, self.config = port, config
        self.url = f"http://127.0.0.1:{port}"
        self.end = time.monotonic() + seconds
        self.random = random.Random(1)
        self.done = {}

    def every(self, seconds, job):
        def run():
            while time.monotonic() + seconds < self.end:
                time.sleep(seconds)
                # During a toggle some requests are refused, which other tests cover.
                with contextlib.suppress(OSError, EOFError):
                    job()
                    self.done[job.__name__] = self.done.get(job.__name__, 0) + 1

        thread = threading.Thread(target=run, name=job.__name__)
        thread.start()
        return thread

    def visit(self):
        for path in ("/", "/resources/swatchcam.css", "/api/cameras", "/api/controls", "/api/config"):
            urllib.request.urlopen(self.url + path, timeout=program.patience()).read()

    def listen(self):
        with websockets.sync.client.connect(f"ws://127.0.0.1:{self.port}/ws") as client:
            for _ in range(3):
                client.recv(program.patience())

    def watch(self):
        client = self.open(f"/stream.mjpg?view={self.random.choice(['live', 'processed'])}")
        for _ in range(20):
            client.recv(1 << 16)
        client.close()

    def break_off(self):
        client = self.open(self.random.choice(["/stream.mjpg", "/", "/api/reading"]))
        client.recv(100)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()

    def toggle(self):
        program.post(f"{self.url}/api/camera/toggle")

    def edit(self):
        text = self.config.read_text().split("[picture]")[0]
        effect = self.random.choice(["none", "edges", "grayscale", "zebra"])
        fps = self.random.choice([10, FPS])
        text = "\n".join(f"fps = {fps}" if line.startswith("fps") else line for line in text.splitlines())
        self.config.write_text(f'{text}\n[picture]\neffect = "{effect}"\n')

    def spoil(self):
        good = self.config.read_text()
        self.config.write_text(good + "\nnonsense")
        time.sleep(1)
        self.config.write_text(good)

    def open(self, path):
        client = socket.create_connection(("127.0.0.1", self.port), timeout=program.patience())
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        return client


def main(minutes):
    port = program.free_port()
    with tempfile.TemporaryDirectory() as folder:
        path = program.config(folder, "auto", port=port, rate=RATE, fps=FPS)
        with recorder.serving(path, port) as (server, record):
            crowd = Crowd(port, pathlib.Path(path), minutes * 60)
            jobs = {crowd.visit: 3, crowd.listen: 2, crowd.watch: 5, crowd.break_off: 1, crowd.toggle: 20}
            threads = [crowd.every(seconds, job) for job, seconds in (jobs | {crowd.edit: 15, crowd.spoil: 60}).items()]
            figures = {}
            for minute in range(1, minutes + 1):
                time.sleep(max(0, crowd.end - (minutes - minute) * 60 - time.monotonic()))
                figures[minute] = program.footprint(server.pid)
                print(program.table({minute: figures[minute]}, "min").strip(), flush=True)
            for thread in threads:
                thread.join()
            # Only the client that stays is left. Ten seconds are enough to close and free what the others used.
            time.sleep(10)
            figures[minutes + 1] = program.footprint(server.pid)
            numbers = [reading["sequence"] for reading in record.readings]
            missed = sum(later - number - 1 for number, later in itertools.pairwise(numbers))
            print(f"{len(numbers)} readings, {missed} missed; done: {crowd.done}")
            print(program.table(figures, "min"))
    first, last = figures[1], figures[minutes + 1]
    problems = []
    if missed:
        problems.append(f"{missed} readings were missed")
    if last[0] > first[0]:
        problems.append(f"{last[0]} descriptors are open, {first[0]} were after the first minute")
    if last[2] > first[2] + 4096:
        problems.append(f"memory grew by {last[2] - first[2]} KiB")
    if problems:
        sys.exit("; ".join(problems))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=int, default=30)
    main(**vars(parser.parse_args()))
