"""Measures what a camera costs a small computer, compared with rivals in the same run: make bench-footprint

Runs in the lab (`Tests/Lab/lab --count-time`) with one processor and 512 MB. Each instruction takes a nanosecond there,
including those that the kernel executes for the process. CPU time is therefore a count of instructions: it is the same
whatever else this machine does, and about that of a slow 1 GHz core. The programs read one vivid device, YUYV 640x480
at 15 frames a second, one after the other.

    footprint.py [NAME...]     runs only the programs whose names begin with a NAME
"""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import types
import typing
import urllib.request

WIDTH, HEIGHT, FPS = 640, 480, 15
SETTLE, WINDOW = 5, 60  # seconds
PATIENCE = 120
PORT = 9000

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = os.environ.get("SWATCHCAM", str(ROOT / ".build/release/swatchcam"))
DEVICE = "/dev/video0"
SIZE = f"width={WIDTH},height={HEIGHT},pixelformat=YUYV"

V4L2_CTL = ["v4l2-ctl", "-d", DEVICE, "--stream-mmap=4"]
USTREAMER = ["ustreamer", "--device", DEVICE, "--resolution", f"{WIDTH}x{HEIGHT}", "--desired-fps", str(FPS)]
USTREAMER += ["--format", "YUYV", "--workers", "1", "--port", str(PORT), "--log-level", "0"]

SWATCHCAM_CONFIG = f"""
[camera]
device = "{DEVICE}"
format = "YUYV"
width = {WIDTH}
height = {HEIGHT}
fps = {FPS}
[web]
port = {PORT}
"""
# As many targets and probes as a demanding user has: 4 targets, and 16 probes of a hundredth of the picture each.
FULL_CONFIG = SWATCHCAM_CONFIG + "".join(
    [f'[[targets]]\nname = "{color}"\ncolor = "{color}"\ntolerance = 2\n' for color in ("red", "green", "blue", "gray")]
    + [
        f'[[probes]]\nname = "{row}{column}"\nregion = [{0.1 + column / 5}, {0.1 + row / 5}, 0.1, 0.1]\n'
        for row in range(4)
        for column in range(4)
    ]
)
# motion shows one camera, and detects motion, but writes no files.
MOTION_CONFIG = f"""
daemon off
log_level 3
videodevice {DEVICE}
width {WIDTH}
height {HEIGHT}
framerate {FPS}
video_params palette=15
picture_output off
movie_output off
webcontrol_port 0
stream_port {PORT}
stream_localhost on
stream_maxrate {FPS}
"""


def get(path):
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}{path}", timeout=5) as answer:
        return answer.read()


def is_live():
    return json.loads(get("/api/reading"))["state"] == "live"


def accepts():
    with socket.create_connection(("127.0.0.1", PORT), timeout=5):
        return True


def has_picture():
    return json.loads(get("/state"))["result"]["source"]["online"]


def read_stream(path):
    # The stream breaks off when the server is killed.
    gone = contextlib.suppress(OSError, http.client.HTTPException)
    with gone, urllib.request.urlopen(f"http://127.0.0.1:{PORT}{path}") as stream:
        while stream.read(65536):
            pass


# The server's ping, and a masked pong. A client that leaves two pings unanswered is disconnected after 45 seconds.
PING, PONG = b"\x89\x00", b"\x8a\x80\x00\x00\x00\x00"


def read_socket():
    """A WebSocket client that reads, and answers pings."""
    head = f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", PORT)) as client:
        client.sendall(head.encode())
        while data := client.recv(65536):
            if data.endswith(PING):
                client.sendall(PONG)


NOTIFY_SOCKET = "/run/footprint-notify"
# What systemd sets for the shipped unit, which has WatchdogSec=30.
WATCHED = {"NOTIFY_SOCKET": NOTIFY_SOCKET, "WATCHDOG_USEC": "30000000"}


class Contender(typing.NamedTuple):
    name: str
    command: list | str
    is_ready: typing.Callable | None = None
    client: typing.Callable | None = None
    env: typing.Mapping = types.MappingProxyType({})


CONTENDERS = [
    Contender("v4l2-ctl --stream-mmap", V4L2_CTL),
    Contender("swatchcam, nobody watches", "swatchcam", is_live),
    Contender("swatchcam, nobody watches except systemd's watchdog", "swatchcam", is_live, env=WATCHED),
    Contender("swatchcam, one WebSocket", "swatchcam", is_live, read_socket),
    Contender("swatchcam, one WebSocket, 4 targets and 16 probes", "swatchcam full", is_live, read_socket),
    Contender("swatchcam, one picture stream", "swatchcam", is_live, lambda: read_stream("/stream.mjpg")),
    Contender("ustreamer, nobody watches", USTREAMER, has_picture),
    Contender("ustreamer --slowdown, nobody watches", [*USTREAMER, "--slowdown"], has_picture),
    Contender("ustreamer, one picture stream", USTREAMER, has_picture, lambda: read_stream("/stream")),
    Contender("motion, nobody watches", "motion", accepts),
    Contender("motion, one picture stream", "motion", accepts, lambda: read_stream("/")),
]


def cpu_seconds(pid):
    """The CPU time of each living thread. /proc/PID/stat counts in ticks, and these programs sleep between ticks."""
    seconds = {}
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        # A thread may end meanwhile.
        with contextlib.suppress(FileNotFoundError):
            seconds[task.name] = int((task / "schedstat").read_text().split()[0]) / 1e9
    return seconds


def memory_mib(pid):
    """Resident memory; the same with shared memory divided among its users (PSS); and the peak of resident memory."""
    fields = {}
    for file in ("smaps_rollup", "status"):
        for line in pathlib.Path(f"/proc/{pid}/{file}").read_text().splitlines():
            name, _, value = line.partition(":")
            if value.strip().endswith("kB"):
                fields[name] = int(value.split()[0]) / 1024
    return fields["VmRSS"], fields["Pss"], fields["VmHWM"]


def wait_until(is_ready, process):
    """Seconds until the program is ready; None if there is no way to tell."""
    began = time.monotonic()
    while is_ready and time.monotonic() < began + PATIENCE:
        if process.poll() is not None:
            sys.exit(f"footprint: {process.args[0]} exited with status {process.returncode}")
        with contextlib.suppress(OSError, KeyError):
            if is_ready():
                return time.monotonic() - began
        time.sleep(0.01)
    return None


def measure(command, is_ready, client, env):
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env={**os.environ, **env}, **quiet) as process:
        try:
            start = wait_until(is_ready, process)
            if client:
                threading.Thread(target=client, daemon=True).start()
            time.sleep(SETTLE)
            before, began = cpu_seconds(process.pid), time.monotonic()
            time.sleep(WINDOW)
            used = sum(now - before.get(task, 0) for task, now in cpu_seconds(process.pid).items())
            return start, 1000 * used / (time.monotonic() - began), *memory_mib(process.pid)
        finally:
            process.kill()


def drain_notifications(manager):
    """Reads what services report, as systemd does."""
    while manager.recv(4096):
        pass


def main():
    plain = ["-c", "osd_text_mode=2,test_pattern=0"]
    subprocess.run(["v4l2-ctl", "-d", DEVICE, *plain, f"--set-fmt-video={SIZE}"], check=True)
    subprocess.run(["v4l2-ctl", "-d", DEVICE, f"--set-parm={FPS}"], check=True, stdout=subprocess.DEVNULL)
    baseline = None
    print("| | start, s | CPU, ms per second | relative to v4l2-ctl | RSS, MiB | PSS | peak |")
    print("|---|--:|--:|--:|--:|--:|--:|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        serve, motion = [PROGRAM, "serve", "--config"], ["motion", "-n", "-c"]
        commands = {}
        for program, command, text in (
            ("swatchcam", serve, SWATCHCAM_CONFIG),
            ("swatchcam full", serve, FULL_CONFIG),
            ("motion", motion, MOTION_CONFIG),
        ):
            path = pathlib.Path(folder) / program.replace(" ", "-")
            path.write_text(text)
            commands[program] = [*command, str(path)]
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        manager.bind(NOTIFY_SOCKET)
        threading.Thread(target=drain_notifications, args=(manager,), daemon=True).start()
        for name, command, is_ready, client, env in CONTENDERS:
            if not name.startswith(tuple(sys.argv[1:]) or ""):
                continue
            command = commands.get(command, command) if isinstance(command, str) else command
            if not shutil.which(command[0]):
                sys.exit(f"footprint: {command[0]} is not installed")
            start, cpu, rss, pss, peak = measure(command, is_ready, client, env)
            baseline = baseline or cpu
            shown = f"{start:.2f}" if start is not None else ""
            relative = cpu / baseline
            print(f"| {name} | {shown} | {cpu:.2f} | {relative:.1f} | {rss:.1f} | {pss:.1f} | {peak:.1f} |", flush=True)


if __name__ == "__main__":
    main()
