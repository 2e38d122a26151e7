"""Measures what pushing readings to many WebSockets costs, compared with rivals in the same run: make bench-fanout

Four times a second each server sends a JSON text of the same length to all clients: swatchcam showing its test pattern,
a server on SwiftNIO with two event loops, and one on Python's websockets. Each runs in a fresh process for each number
of clients, and they take turns. Every server pings every client every 15 seconds, so the window is as long.

A message's delay begins at the time that it carries, taken when the server made it, and ends when it arrives at the
client's socket, as stamped by the kernel. Messages carry whole milliseconds, so every delay may read up to one
millisecond too long. CPU is the CPU time of the server's process, including the kernel's, divided by the number of
messages that arrived. The machine's other work is reported as well, because it makes delays longer.
"""

import argparse
import contextlib
import json
import os
import pathlib
import platform
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

RATE = 4
PING = 15  # seconds; swatchcam's own
SETTLE, WINDOW = 3, PING
COUNTS = (1, 100, 1000, 1400)
PATIENCE = 30

HERE = pathlib.Path(__file__).parent
PROGRAM = os.environ.get("SWATCHCAM", str(HERE.parent / ".build/release/swatchcam"))
BUILT = HERE / ".build/release"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def swatchcam(port, directory):
    path = pathlib.Path(directory) / "config.toml"
    path.write_text(
        f'[camera]\ndevice = "test-pattern"\n[readings]\nrate = {RATE}\n[web]\naddress = "127.0.0.1"\nport = {port}\n'
    )
    return [PROGRAM, "serve", "--config", str(path), "--log-level", "error"]


def commands(length):
    """Functions of port and directory that return the command for each server, by name."""
    options = [str(length), str(RATE), str(PING)]
    return {
        "swatchcam": swatchcam,
        "SwiftNIO": lambda port, _: [str(BUILT / "FanoutNIO"), str(port), *options],
        "websockets": lambda port, _: [sys.executable, str(HERE / "fanout_websockets.py"), str(port), *options],
    }


@contextlib.contextmanager
def serving(command):
    """A server that accepts connections until the block ends: (port, process)."""
    port = free_port()
    with tempfile.TemporaryDirectory() as directory:
        process = subprocess.Popen(command(port, directory), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + PATIENCE
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                except OSError:
                    if process.poll() is not None or time.monotonic() > deadline:
                        raise
                    time.sleep(0.05)
            yield port, process
        finally:
            process.terminate()
            process.wait(PATIENCE)


def length_of_reading():
    """The bytes of a reading that swatchcam sends, once its rates are steady."""
    with serving(swatchcam) as (port, _):
        time.sleep(SETTLE)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/reading", timeout=PATIENCE) as response:
            return len(response.read())


def measured(command, clients, window):
    """One server with a number of clients: FanoutLoad's results, CPU in microseconds per message, other work."""
    with serving(command) as (port, process):
        load = [BUILT / "FanoutLoad", port, "/ws", clients, SETTLE, window, process.pid]
        result = json.loads(subprocess.check_output([str(word) for word in load]))
    if result["clients"] != clients or result["lost"]:
        print(f"{result['lost']} of {clients} clients were lost.", file=sys.stderr)
    result["each"] = result["cpu"] / result["delivered"] * 1e6 if result["delivered"] else 0
    # Everything but the server and its clients, in processors.
    result["other"] = (result["busy"] - result["cpu"] - result["own"]) / result["seconds"]
    return result


def median(results, key):
    return statistics.median(result[key] for result in results)


def print_table(results, counts, rivals):
    print("| clients | server | p50 ms | p99 ms | max ms | CPU µs per message | RSS MiB | missed | other work |")
    print("|--:|---|--:|--:|--:|--:|--:|--:|--:|")
    for count in counts:
        for name in rivals:
            rounds = results[count, name]
            cells = [f"{count}", name, *(f"{median(rounds, key):.1f}" for key in ("p50", "p99", "max", "each"))]
            cells += [f"{median(rounds, 'rss') / 1024:.0f}", f"{sum(result['missed'] for result in rounds)}"]
            print(f"| {' | '.join(cells)} | {median(rounds, 'other'):.2f} |")


def print_ratios(results, counts, rivals):
    """The median of each round's ratio, because what disturbs a round disturbs all rivals in it."""
    print("\n| clients | CPU, swatchcam / SwiftNIO | p99, swatchcam / SwiftNIO | CPU, websockets / swatchcam |")
    print("|--:|--:|--:|--:|")
    for count in counts:
        turns = list(zip(*(results[count, name] for name in rivals), strict=True))
        cells = [
            statistics.median(ours["each"] / nio["each"] for ours, nio, _ in turns),
            statistics.median(ours["p99"] / nio["p99"] for ours, nio, _ in turns),
            statistics.median(python["each"] / ours["each"] for ours, _, python in turns),
        ]
        print(f"| {count} | {' | '.join(f'{cell:.2f}' for cell in cells)} |")


def main():
    parser = argparse.ArgumentParser(description="Measures WebSocket fan-out, compared with rivals.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--window", type=float, default=WINDOW, help="seconds")
    parser.add_argument("--clients", type=int, nargs="+", default=COUNTS)
    options = parser.parse_args()

    # A connection takes a descriptor at each end.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    length = length_of_reading()
    rivals = commands(length)
    print(
        f"{platform.machine()}, {os.cpu_count()} processors, {length} bytes {RATE} times a second, medians of "
        f"{options.rounds} windows of {options.window:.0f} s\n",
        flush=True,
    )
    results = {(count, name): [] for count in options.clients for name in rivals}
    idle = {name: measured(command, 0, options.window)["cpu"] / options.window for name, command in rivals.items()}
    for number in range(options.rounds):
        for count in options.clients:
            for name, command in rivals.items():
                result = measured(command, count, options.window)
                results[count, name].append(result)
                print(f"{number} {count} {name}: {json.dumps(result)}", file=sys.stderr, flush=True)
    print_table(results, options.clients, rivals)
    print_ratios(results, options.clients, rivals)
    alone = ", ".join(f"{name} {cpu * 1000:.1f}" for name, cpu in idle.items())
    print(f"\nWithout clients, in CPU milliseconds per second: {alone}.")


if __name__ == "__main__":
    main()
