"""serve_sensor.py DIRECTORY PORT: serves the raw pictures of vimc's model sensor until DIRECTORY/stop exists."""

import pathlib
import subprocess
import sys
import time

import program
from serve_vivid import forward


def main(directory, port):
    directory = pathlib.Path(directory)
    program.wait_until(pathlib.Path("/dev/media0").exists, "there is no /dev/media0")
    subprocess.run(["v4l2-ctl", "-d", "/dev/v4l-subdev0", "--set-ctrl=exposure=40,analogue_gain=16"], check=True)
    path = program.config(directory, "Sensor A", port=int(port), black_level=4096, width=64, height=48)
    path.write_text(path.read_text().replace("[readings]\n", "[readings]\nregion = [0, 0, 0.5, 1]\n"))
    with program.serving(path, port):
        forward(int(port))
        while not (directory / "stop").exists():
            time.sleep(0.1)


if __name__ == "__main__":
    main(*sys.argv[1:])
