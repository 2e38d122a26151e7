"""A V4L2 camera that plays files, in a library that the program loads (`played_camera.c`)."""

import functools
import os
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent


@functools.cache
def library() -> Path:
    """The compiled library, in a folder that outlives this process's tests."""
    path = Path(tempfile.mkdtemp(prefix="swatchcam-played-")) / "played_camera.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", path, HERE / "played_camera.c"], check=True)
    return path


class PlayedCamera:
    """A camera whose instructions lie in a folder. `node` is its path, which only a program with `environment` can open."""

    def __init__(self, folder: Path, frames: list[bytes] = (), **settings):
        """`settings` are instructions, as `play` takes them."""
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.node = str(folder / "video0")
        self.environment = os.environ | {"LD_PRELOAD": str(library()), "PLAYED_CAMERA": str(folder / "instructions")}
        self.count = 0
        self.play(frames, **settings)

    def play(
        self, frames: list[bytes | tuple[bytes, str]], last: bool = False, extra: list[str] = (), **settings
    ) -> None:
        """Plays these frames from now on. A frame may be a pair of its bytes and what is wrong with it, such as "damaged".

        `settings` are instructions with one text each, and `extra` further lines.
        """
        lines = [f"node {self.node}", *(f"{name} {value}" for name, value in settings.items()), *extra]
        for frame in frames:
            content, fault = frame if isinstance(frame, tuple) else (frame, "")
            path = self.folder / f"frame-{self.count}"
            self.count += 1
            path.write_bytes(content)
            lines.append(f"frame {path} {fault}")
        if last:
            lines.append("last")
        new = self.folder / "instructions.new"
        new.write_text("\n".join(lines) + "\n")
        new.rename(self.folder / "instructions")
