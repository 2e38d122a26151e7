"""Tries what the service should and should not be able to do, and prints the outcomes: True, or the name of the errno."""

import ctypes
import errno
import json
import os
import pathlib
import socket
import sys


def outcome(action):
    try:
        action()
    except OSError as error:
        return errno.errorcode[error.errno]
    return True


def opening(path, flags):
    return lambda: os.close(os.open(path, flags))


def unsharing_users():
    if ctypes.CDLL(None, use_errno=True).unshare(0x10000000):
        raise OSError(ctypes.get_errno(), "unshare")


disk, state = sys.argv[1:]
print(
    json.dumps(
        {
            "camera": outcome(opening("/dev/video0", os.O_RDWR)),
            "names": sorted(path.name for path in pathlib.Path("/dev/v4l/by-path").iterdir()),
            "null": outcome(opening("/dev/null", os.O_RDWR)),
            "disk": outcome(opening(disk, os.O_RDONLY)),
            "kmsg": outcome(opening("/dev/kmsg", os.O_RDONLY)),
            "state": outcome(opening(f"{state}/probe", os.O_RDWR | os.O_CREAT)),
            "history": outcome(opening(f"{state}/history/probe", os.O_RDWR | os.O_CREAT)),
            "etc": outcome(opening("/etc/swatchcam/probe", os.O_RDWR | os.O_CREAT)),
            # A folder that everyone may write to.
            "run": outcome(opening("/run/lock/probe", os.O_RDWR | os.O_CREAT)),
            "home": outcome(lambda: os.listdir("/root")),
            "others": os.path.exists("/proc/1"),
            "packets": outcome(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()),
            "tcp": outcome(lambda: socket.socket().close()),
            "namespaces": outcome(unsharing_users),
        }
    )
)
