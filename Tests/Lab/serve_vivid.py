"""serve_vivid.py DIRECTORY PORT: serves vivid's picture, set by what DIRECTORY/pattern says, a picture or CONTROL=VALUE, until DIRECTORY/stop is there.

Through files, because the lab's guest has no other way to be told.
"""

import pathlib
import sys
import time

import program
import vivid


def main(directory, port):
    directory = pathlib.Path(directory)
    device = next(device for device in vivid.find() if not device.multiplanar)
    device.plain()
    path = program.config(
        directory, device.node, port=int(port), address="0.0.0.0", format="YUYV", width=640, height=360, fps=15
    )
    shown = None
    with program.serving(path, port):
        while not (directory / "stop").exists():
            wanted = directory / "pattern"
            pattern = wanted.read_text() if wanted.exists() else "black"
            if pattern != shown and "=" in pattern:
                device.set(**dict([pattern.split("=")]))
                shown = pattern
            if pattern != shown and pattern in vivid.PATTERNS | vivid.PICTURES:
                # A test may have set every control to its default.
                device.plain()
                device.show(pattern)
                shown = pattern
            time.sleep(0.1)


if __name__ == "__main__":
    main(*sys.argv[1:])
