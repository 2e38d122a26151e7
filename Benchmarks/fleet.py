"""Measures what the wall of a fleet costs the server and a browser: make bench-fleet

    fleet.py [--counts 50 500 5000] [--seconds 30]

One connection to a real Mosquitto plays all kiosks: each sends its colour every 10 s, and each colour differs from the
one before. A headless Chromium shows /fleet at 1280x800; its processor time is its own account of its main thread
(Performance.getMetrics). The row with 0 kiosks is what the same program costs without a page.
"""

import argparse
import json
import os
import pathlib
import random
import socket
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "Tests"), str(ROOT / "Tests/Broker")]

import brokers
import packets
from Harness.chromium import chromium, set_size
from Harness.server import Server, running
from Harness.waiting import wait_until

PERIOD = 10  # seconds from one colour of a kiosk to the next


class Kiosks:
    """All kiosks of a broker, on one connection."""

    def __init__(self, port: int, count: int):
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.sendall(packets.packet(0x10, packets.text("MQTT") + b"\4\2\0\0" + packets.text("kiosks")))
        self._socket.recv(4)
        self._count = count
        self._ended = threading.Event()
        for number in range(count):
            self._publish(0x31, f"kiosk{number:04}/availability", "online")
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _publish(self, head: int, topic: str, payload: str) -> None:
        self._socket.sendall(packets.packet(head, packets.text(f"swatchcam/{topic}") + payload.encode()))

    def _run(self) -> None:
        number = 0
        began = time.monotonic()
        while not self._ended.wait(max(0, began + number * PERIOD / self._count - time.monotonic())):
            state = {
                "name": f"Press {number % self._count}",
                "state": "live",
                "hex": f"#{random.randrange(1 << 24):06X}",
            }
            self._publish(0x30, f"kiosk{number % self._count:04}/state", json.dumps(state))
            number += 1

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        self._socket.close()


def processor_time(pid: int) -> float:
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """In MiB."""
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def main_thread(driver) -> float:
    metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def measured(server: Server, broker: brokers.Broker, driver, count: int, seconds: float) -> list[str]:
    kiosks = Kiosks(broker.port, count) if count else None
    try:
        driver.get(server.url + "fleet" if count else "about:blank")
        if count:
            shown = "return document.querySelectorAll('.tile:not([data-gone]) .tile-hex').length"
            wait_until(
                lambda: driver.execute_script(shown) > count,
                "the wall is not complete",
                timeout=60,
            )
        time.sleep(PERIOD)
        driver.execute_cdp_cmd("Performance.enable", {})
        pid = server.process.pid
        page, program, began = (
            main_thread(driver),
            processor_time(pid),
            time.monotonic(),
        )
        time.sleep(seconds)
        took = time.monotonic() - began
        figures = (main_thread(driver) - page, processor_time(pid) - program)
        return [
            str(count),
            *(f"{1000 * figure / took:.1f}" for figure in figures),
            f"{memory(pid):.0f}",
        ]
    finally:
        if kiosks:
            kiosks.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counts", type=int, nargs="+", default=[50, 500, 4900])
    parser.add_argument("--seconds", type=float, default=30)
    options = parser.parse_args()
    print("| kiosks | browser's main thread, ms a second | server, ms a second | server, MiB |")
    print("|--:|--:|--:|--:|")
    for count in (0, *options.counts):
        with (
            tempfile.TemporaryDirectory() as folder,
            brokers.running(pathlib.Path(folder)) as broker,
        ):
            config = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\n'
            with (
                running(pathlib.Path(folder), config=config) as server,
                chromium(is_whole=True) as driver,
            ):
                set_size(driver, 1280, 800)
                print(
                    f"| {' | '.join(measured(server, broker, driver, count, options.seconds))} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
