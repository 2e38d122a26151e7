"""A client that records everything a server sends over its WebSocket."""

import contextlib
import itertools
import json
import threading
import time
from datetime import datetime

import program
import websockets.sync.client


@contextlib.contextmanager
def serving(path, port, state="live", prefix=()):
    """The program with this configuration once it is in this state, and a recorder of its readings."""
    with program.serving(path, port, state, prefix) as server, Recorder(port).running() as record:
        yield server, record


class Recorder:
    """A client that keeps every reading, so that a test can wait for one and look back at all."""

    def __init__(self, port):
        self.readings = []
        self._changed = threading.Condition()
        self._url = f"ws://127.0.0.1:{port}/ws"

    @contextlib.contextmanager
    def running(self):
        with websockets.sync.client.connect(self._url) as socket:
            thread = threading.Thread(target=self._receive, args=(socket,))
            thread.start()
            try:
                yield self
            finally:
                socket.close()
                thread.join()

    def _receive(self, socket):
        for message in socket:
            with self._changed:
                self.readings.append(json.loads(message))
                self._changed.notify_all()

    def mark(self):
        """The index of the next reading."""
        with self._changed:
            return len(self.readings)

    def wait(self, condition, mark=0, what="a reading"):
        """The first reading since the mark for which the condition holds."""
        began = time.monotonic()
        with self._changed:
            place = mark
            while True:
                for reading in self.readings[place:]:
                    if condition(reading):
                        return reading
                place = len(self.readings)
                left = began + program.patience() - time.monotonic()
                assert left > 0, f"no {what} among {[brief(reading) for reading in self.readings[mark:]][-12:]}"
                # The limit grows if other programs begin to work in the meantime.
                self._changed.wait(min(left, 5))

    def wait_for_state(self, state, mark=0):
        return self.wait(lambda reading: reading["state"] == state, mark, what=state)

    def states(self, mark=0):
        """The states since the mark, without repetitions."""
        with self._changed:
            states = [reading["state"] for reading in self.readings[mark:]]
        return [state for index, state in enumerate(states) if index == 0 or states[index - 1] != state]

    def check_sequence(self):
        """Sequence numbers only increase. One may be missing, because a newer reading replaces one that is not sent yet."""
        with self._changed:
            numbers = [reading["sequence"] for reading in self.readings]
        assert all(number < later for number, later in itertools.pairwise(numbers))


def brief(reading):
    return reading["sequence"], reading["state"], (reading["camera"] or {}).get("device"), reading["message"]


def seconds(time_text):
    return datetime.fromisoformat(time_text).timestamp()
