"""What `swatchcam serve` costs on vivid, next to v4l2-ctl, which does nothing with the frames: printed, not judged.

Emulation punishes SIMD and copying of memory: only the ratio within one run means anything.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

import program
import vivid
from websockets.sync.client import connect

WIDTH, HEIGHT, FPS, RATE, SECONDS = 640, 480, 15, 4, 20


def cpu_seconds(pid):
    # Fields 14 and 15, counted behind the name in brackets, which may itself have blanks.
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mib(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise ValueError("no VmRSS")


def measure(pid):
    """CPU milliseconds a second, and MiB at the end."""
    before, began = cpu_seconds(pid), time.monotonic()
    time.sleep(SECONDS)
    used, passed = cpu_seconds(pid) - before, time.monotonic() - began
    return 1000 * used / passed, resident_mib(pid)


def of_v4l2_ctl(device):
    subprocess.run(
        ["v4l2-ctl", "-d", device.node, f"--set-fmt-video=width={WIDTH},height={HEIGHT},pixelformat=YUYV"], check=True
    )
    subprocess.run(["v4l2-ctl", "-d", device.node, f"--set-parm={FPS}"], check=True, stdout=subprocess.DEVNULL)
    stream = subprocess.Popen(
        ["v4l2-ctl", "-d", device.node, "--stream-mmap=4"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        time.sleep(2)
        return measure(stream.pid)
    finally:
        stream.kill()
        stream.wait()


def of_swatchcam(device):
    port = program.free_port()
    with tempfile.TemporaryDirectory() as directory:
        path = program.config(
            directory, device.node, rate=RATE, port=port, format="YUYV", width=WIDTH, height=HEIGHT, fps=FPS
        )
        with program.serving(path, port) as server, connect(f"ws://127.0.0.1:{port}/ws", compression=None) as socket:
            threading.Thread(target=lambda: [None for _ in socket], daemon=True).start()
            time.sleep(2)
            return measure(server.pid)


def main():
    devices = [device for device in vivid.find() if not device.multiplanar]
    if not devices:
        sys.exit("cost: there is no single-planar vivid device")
    device = devices[0]
    device.plain()
    device.show("red")
    peer, ours = of_v4l2_ctl(device), of_swatchcam(device)
    print(f"\n{SECONDS} s of YUYV {WIDTH}x{HEIGHT} at {FPS} frames/s; serve with rate {RATE} and one WebSocket client")
    for name, (cpu, rss) in (("v4l2-ctl --stream-mmap", peer), ("swatchcam serve", ours)):
        print(f"  {name:<24}{cpu:7.2f} ms CPU/s {rss:8.1f} MiB resident")
    print(f"  {'ratio':<24}{ours[0] / max(peer[0], 1e-9):7.1f} {ours[1] / peer[1]:17.1f}")


if __name__ == "__main__":
    main()
