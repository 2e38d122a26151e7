"""serve_vivid.py DIRECTORY PORT: serves vivid's picture until DIRECTORY/stop exists.

DIRECTORY/pattern holds a number that grows, and the pattern to show. Files are the only way to control the lab's guest,
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
            try:
                server = socket.create_connection(("127.0.0.1", port))
            except OSError as error:
                print(f"A connection is not forwarded: {error}", flush=True)
                client.close()
                continue
            for ends in ((client, server), (server, client)):
                threading.Thread(target=copy, args=ends, daemon=True).start()

    # Listens on the address of the network card, because the port is already in use on the loopback.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.0.2.2", 1))
        address = probe.getsockname()[0]
    listener = socket.create_server((address, port))
    threading.Thread(target=accept, args=(listener,), daemon=True).start()


def read(file):
    """The text of a file of the host; empty if it is just being replaced."""
    try:
        return file.read_text()
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            print(f"{file} cannot be read: {error}", flush=True)
        return ""


def obey(device, wish):
    device.reset_picture()
    device.show(wish)


def main(directory, port):
    directory = pathlib.Path(directory)
    device = next(device for device in vivid.find() if not device.multiplanar)
    path = program.config(directory, device.node, port=int(port), format="YUYV", width=640, height=360, fps=15)
    obey(device, "black")
    obeyed = None
    with program.serving(path, port):
        forward(int(port))
        while not (directory / "stop").exists():
            order = read(directory / "pattern")
            if order and order != obeyed:
                # Also if it is the pattern that was shown last: a test may have reset all controls.
                obey(device, order.partition(" ")[2])
                obeyed = order
                print(f"{time.monotonic():.1f} s: {order}", flush=True)
            time.sleep(0.1)


if __name__ == "__main__":
    main(*sys.argv[1:])
