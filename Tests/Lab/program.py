"""Running the program under test: $SWATCHCAM, or the release build."""

import contextlib
import itertools
import json
import os
import pathlib
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SWATCHCAM", str(ROOT / ".build/release/swatchcam"))

# Far longer than anything takes, in an emulator on a busy machine: what hangs must end some time.
PATIENCE = 60


def run(*arguments, prefix=(), cwd=None, env=None):
    """Runs the program to its end. Its configuration is what `arguments` say: none is found by chance."""
    return subprocess.run(
        [*prefix, PROGRAM, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        errors="replace",
        timeout=PATIENCE,
        cwd=cwd,
        env=env,
    )


@contextlib.contextmanager
def readings(path, env=None):
    """What `swatchcam read` prints with this configuration, one after another, until the block ends."""
    command = [PROGRAM, "read", "--json", "--count", "100000", "--config", str(path)]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=env, **quiet) as process:
        try:
            yield map(json.loads, process.stdout)
        finally:
            process.kill()


def config(directory, device, *, rate=4, port=8080, address="127.0.0.1", **camera):
    """Writes a config.toml for this device and returns its path."""
    lines = ["[camera]", f"device = {json.dumps(device)}"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in camera.items()]
    lines += ["[readings]", f"rate = {rate}", "[web]", f"address = {json.dumps(address)}", f"port = {port}"]
    path = pathlib.Path(directory) / "config.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def serving(path, port, state="live", prefix=()):
    """`swatchcam serve` with this configuration, from the moment it is in this state until the block ends."""
    command = [*prefix, PROGRAM, "serve", "--config", str(path)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as server:
        try:
            wait_for_state(state, f"http://127.0.0.1:{port}", server)
            yield server
        finally:
            if server.poll() is None:
                server.send_signal(signal.SIGTERM)
                try:
                    server.wait(PATIENCE)
                except subprocess.TimeoutExpired:
                    server.kill()
                    raise


def wait_for_state(state, url, process, patience=PATIENCE):
    """Until /api/reading has this state, which is then returned; fails if the process ends or our patience does."""
    deadline = time.monotonic() + patience
    last = "no answer"
    while time.monotonic() < deadline:
        assert process.poll() is None, f"the server ended by itself, with status {process.returncode}"
        try:
            with urllib.request.urlopen(f"{url}/api/reading", timeout=5) as response:
                last = json.load(response)
            if last["state"] == state:
                return last
        except (OSError, urllib.error.URLError) as error:
            last = error
        time.sleep(0.1)
    raise AssertionError(f"not {state} after {patience} s: {last}")


def post(url, body=None):
    """What a POST of this JSON comes to: status and document."""
    data = b"" if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers={"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def get(url):
    with urllib.request.urlopen(url, timeout=PATIENCE) as response:
        return json.load(response)


def wait_until(condition, problem):
    """Until the condition holds; fails after PATIENCE."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, problem
        time.sleep(0.1)


def often(times):
    """How often to do what may leak: so often with SWATCHCAM_LAB_FULL, else less, and the counts to look at."""
    times = times if os.environ.get("SWATCHCAM_LAB_FULL") else times * 2 // 5
    return times, (times // 10, times * 11 // 20, times)


def footprint(pid):
    """Open descriptors, memory mappings and resident KiB of a process."""
    process = pathlib.Path(f"/proc/{pid}")
    resident = next(line for line in (process / "status").read_text().splitlines() if line.startswith("VmRSS"))
    maps = len((process / "maps").read_text().splitlines())
    return len(list((process / "fd").iterdir())), maps, int(resident.split()[1])


def table(figures, what):
    """Footprints by how often something has happened."""
    lines = [
        f"{count} {what}: {fds} descriptors, {maps} mappings, {rss} KiB" for count, (fds, maps, rss) in figures.items()
    ]
    return "".join(f"\n  {line}" for line in lines)


def check_leaks(figures):
    """Nothing stays open, and memory does not grow by a page and a half each time.

    What leaks does so from each figure to the next. Once only the allocator takes an arena, for a thread that is new.
    """
    first, last = min(figures), max(figures)
    assert figures[last][0] <= figures[first][0]
    assert figures[last][1] <= figures[first][1] + 8
    growth = [(figures[b][2] - figures[a][2]) / (b - a) for a, b in itertools.pairwise(sorted(figures))]
    assert min(growth) < 6
