"""A USB Video Class camera in user space, for the kernel's own uvcvideo driver:

    python uvc_camera.py FRAMES [--fps N] [--serial TEXT] [--port N] [--refused-fps N]

It speaks USB/IP over a socket pair to vhci_hcd, the kernel's virtual USB host, and sends the JPEG images of a file in turn,
again and again, 640 x 480, as MJPG. It stalls the request for the refused rate, which it offers. SIGHUP reads the file again; from SIGUSR2 on, every third frame is cut short, as by a bad
cable. Needs root, and the modules vhci_hcd and uvcvideo: the lab.

Standards: USB 2.0, chapter 9; "USB Device Class Definition for Video Devices" 1.1; Documentation/usb/usbip_protocol.
"""

import argparse
import collections
import itertools
import os
import pathlib
import signal
import socket
import struct
import sys
import threading
import time

WIDTH, HEIGHT = 640, 480
PAYLOAD = 16384  # bytes of one bulk transfer, its header of two included
SPEED_HIGH, ADDRESS = 3, 0x10002
ATTACH = pathlib.Path("/sys/devices/platform/vhci_hcd.0/attach")

# USB/IP commands, and the errno that stands for a stalled endpoint.
SUBMIT, UNLINK, SUBMITTED, UNLINKED = 1, 2, 3, 4
STALL, CONNECTION_RESET = -32, -104

# Requests of the video class (UVC 1.1, table A-8).
SET_CUR, GET_CUR, GET_MIN, GET_MAX, GET_LEN, GET_INFO, GET_DEF = 0x01, 0x81, 0x82, 0x83, 0x85, 0x86, 0x87
PROBE, COMMIT = 1, 2


def u16(value):
    return struct.pack("<H", value)


def u32(value):
    return struct.pack("<I", value)


def descriptor(kind, *parts):
    """A length, a type, and the parts: bytes, or single ones as numbers."""
    body = b"".join(bytes([part]) if isinstance(part, int) else part for part in parts)
    return bytes([len(body) + 2, kind]) + body


def interval(fps):
    """In units of 100 ns."""
    return u32(round(1e7 / fps))


def descriptors(rates, serial):
    """The camera's USB descriptors, by (type, index). The first rate is the default."""
    size = WIDTH * HEIGHT * 2
    frame = descriptor(
        0x24,
        7,
        1,
        0,
        u16(WIDTH),
        u16(HEIGHT),
        u32(8 * size),
        u32(240 * size),
        u32(size),
        interval(rates[0]),
        len(rates),
        *map(interval, rates),
    )
    formats = descriptor(0x24, 6, 1, 1, 1, 1, 0, 0, 0, 0) + frame + descriptor(0x24, 0x0D, 1, 1, 4)
    streaming = descriptor(0x24, 1, 1, u16(14 + len(formats)), 0x81, 0, 2, 0, 0, 0, 1, 0) + formats
    units = descriptor(0x24, 2, 1, u16(0x201), 0, 0, u16(0), u16(0), u16(0), 3, 0, 0, 0)
    units += descriptor(0x24, 3, 2, u16(0x101), 0, 1, 0)
    control = descriptor(0x24, 1, u16(0x110), u16(13 + len(units)), u32(48_000_000), 1, 1) + units
    body = descriptor(0x0B, 0, 2, 0x0E, 3, 0, 0) + descriptor(4, 0, 0, 0, 0x0E, 1, 0, 0) + control
    body += descriptor(4, 1, 0, 1, 0x0E, 2, 0, 0) + streaming + descriptor(5, 0x81, 2, u16(512), 0)
    return {
        (1, 0): descriptor(1, u16(0x200), 0xEF, 2, 1, 64, u16(0x1D6B), u16(0x0104), u16(0x100), 1, 2, 3, 1),
        (2, 0): descriptor(2, u16(9 + len(body)), 2, 1, 0, 0x80, 50) + body,
        (3, 0): descriptor(3, u16(0x409)),
        (3, 1): descriptor(3, "Swatchcam".encode("utf-16le")),
        (3, 2): descriptor(3, "Lab camera".encode("utf-16le")),
        (3, 3): descriptor(3, serial.encode("utf-16le")),
    }


def pictures(path):
    """The images of a file. In the data of an image, the marker with which it begins cannot occur."""
    start = b"\xff\xd8"
    return [start + image for image in path.read_bytes().split(start)[1:]]


class Camera:
    """The device's end of the cable."""

    def __init__(self, pictures, fps, serial, port, refused_fps=None):
        self.pictures = pictures
        self.period = 1 / fps
        self.refused = interval(refused_fps) if refused_fps else None
        self.descriptors = descriptors([fps, refused_fps] if refused_fps else [fps], serial)
        self.probe = u16(0) + bytes([1, 1]) + interval(fps) + bytes(10) + u32(WIDTH * HEIGHT * 2) + u32(PAYLOAD)
        self.probe += u32(48_000_000) + bytes(4)
        self.is_bad_cable = False
        self.waiting = collections.deque()  # transfers that the host wants filled
        self.changed = threading.Condition()
        host, self.cable = socket.socketpair()
        os.set_inheritable(host.fileno(), True)
        ATTACH.write_text(f"{port} {host.fileno()} {ADDRESS + port} {SPEED_HIGH}")
        host.close()

    def receive(self, count):
        data = b""
        while len(data) < count:
            more = self.cable.recv(count - len(data))
            if not more:
                sys.exit("the host closed the connection")
            data += more
        return data

    def complete(self, number, status, data=b"", length=None):
        header = struct.pack(
            ">IIIIIiiiii8x", SUBMITTED, number, 0, 0, 0, status, len(data) if length is None else length, 0, 0, 0
        )
        self.cable.sendall(header + data)

    def answer(self, setup, sent):
        """The data of a control transfer, or None to refuse it."""
        kind, request, value, index, length = struct.unpack("<BBHHH", setup)
        if kind == 0x80 and request == 6:
            found = self.descriptors.get((value >> 8, value & 255))
            return found and found[:length]
        if kind & 0x60 == 0:
            return b"\0\0" if kind & 0x80 else b""  # a status; a configuration or an interface chosen
        if request == SET_CUR and self.refused and sent[4:8] == self.refused:
            return None
        if index & 255 == 1 and value >> 8 in (PROBE, COMMIT):
            answers = dict.fromkeys((GET_CUR, GET_MIN, GET_MAX, GET_DEF), self.probe[:length])
            # There is one format and one rate that is not refused, so the host gets them whatever it sets.
            answers |= {SET_CUR: b"", GET_LEN: u16(len(self.probe)), GET_INFO: b"\3"}
            return answers.get(request)
        return None

    def stream(self):
        """Sends the pictures at the camera's rate, as fast as the host makes room for it."""
        toggle, due = 0, time.monotonic()
        for count in itertools.count():
            with self.changed:
                self.changed.wait_for(lambda: self.waiting)
            due = max(due + self.period, time.monotonic() - self.period)
            time.sleep(max(0, due - time.monotonic()))
            is_cut = self.is_bad_cable and count % 3 == 0
            picture = self.pictures[count % len(self.pictures)]
            if is_cut:
                picture = picture[: len(picture) // 2]
            toggle ^= 1
            step = PAYLOAD - 2
            for start in range(0, len(picture), step):
                last = 2 if start + step >= len(picture) else 0
                with self.changed:
                    # A host that stops streaming takes its transfers back.
                    if not self.changed.wait_for(lambda: self.waiting, timeout=0.5):
                        break
                    self.complete(
                        self.waiting.popleft(), 0, bytes([2, 0x80 | last | toggle]) + picture[start : start + step]
                    )

    def serve(self):
        threading.Thread(target=self.stream, daemon=True).start()
        while True:
            header = self.receive(48)
            command, number, _, to_host, endpoint = struct.unpack(">IIIII", header[:20])
            if command == SUBMIT:
                (length,) = struct.unpack(">I", header[24:28])
                sent = b"" if to_host else self.receive(length)
                self.submit(number, endpoint, header[40:48], to_host, sent)
            elif command == UNLINK:
                self.unlink(number, *struct.unpack(">I", header[20:24]))

    def submit(self, number, endpoint, setup, to_host, sent):
        with self.changed:
            if endpoint:
                self.waiting.append(number)
                self.changed.notify()
                return
            data = self.answer(setup, sent)
            if data is None:
                self.complete(number, STALL)
            elif to_host:
                self.complete(number, 0, data)
            else:
                self.complete(number, 0, length=len(sent))

    def unlink(self, number, target):
        with self.changed:
            found = target in self.waiting
            if found:
                self.waiting.remove(target)
            self.cable.sendall(struct.pack(">IIIIIi24x", UNLINKED, number, 0, 0, 0, CONNECTION_RESET if found else 0))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("frames", type=pathlib.Path, help="JPEG images, one after another")
    parser.add_argument("--fps", type=float, default=15)
    parser.add_argument("--serial", default="0001")
    parser.add_argument("--port", type=int, default=0, help="of the virtual host, 0 to 7")
    parser.add_argument("--refused-fps", type=float, help="a rate that it offers, and refuses to set")
    options = parser.parse_args()
    camera = Camera(pictures(options.frames), options.fps, options.serial, options.port, options.refused_fps)
    signal.signal(signal.SIGHUP, lambda *_: setattr(camera, "pictures", pictures(options.frames)))
    signal.signal(signal.SIGUSR2, lambda *_: setattr(camera, "is_bad_cable", True))
    camera.serve()


if __name__ == "__main__":
    main()
