"""serve_vivid.py DIRECTORY PORT: serves vivid's picture until DIRECTORY/stop exists.

DIRECTORY/pattern holds the pattern to show, or CONTROL=VALUE. Files are the only way to control the lab's guest,
which polls them because it is not notified of their changes.
"""

import contextlib
import pathlib
import socket
import sys
import threading
import time

import program
import vivid


def forward(port):
    """Forwards connections from the host to the loopback, because the program does not regard the host as this machine."""

    def copy(source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def accept(listener):
        while True:
            client, _ = listener.accept()
            server = socket.create_connection(("127.0.0.1", port))
            for ends in ((client, server), (server, client)):
                threading.Thread(target=copy, args=ends, daemon=True).start()

    # Listens on the address of the network card, because the port is already in use on the loopback.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.0.2.2", 1))
        address = probe.getsockname()[0]
    listener = socket.create_server((address, port))
    threading.Thread(target=accept, args=(listener,), daemon=True).start()


def main(directory, port):
    directory = pathlib.Path(directory)
    device = next(device for device in vivid.find() if not device.multiplanar)
    device.reset_picture()
    path = program.config(directory, device.node, port=int(port), format="YUYV", width=640, height=360, fps=15)
    shown = None
    with program.serving(path, port):
        forward(int(port))
        while not (directory / "stop").exists():
            wanted = directory / "pattern"
            pattern = wanted.read_text() if wanted.exists() else "black"
            if pattern != shown and "=" in pattern:
                name, _, value = pattern.partition("=")
                device.set(**{name: int(value)})
                shown = pattern
            if pattern != shown and pattern in vivid.PATTERNS | vivid.PICTURES:
                # A test may have reset all controls.
                device.reset_picture()
                device.show(pattern)
                shown = pattern
            time.sleep(0.1)


if __name__ == "__main__":
    main(*sys.argv[1:])
