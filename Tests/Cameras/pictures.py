"""JPEG images as cameras send them, and what happens to them on the way."""

import io

import numpy as np
from PIL import Image

START_OF_SCAN = 0xDA


def scene(seed: int = 0) -> np.ndarray:
    """A picture of 640 x 480 pixels with slopes and noise; those of two seeds have other colours."""
    random = np.random.default_rng(seed)
    y, x = np.mgrid[0:480, 0:640]
    phases = random.random((3, 2)) * 6
    picture = np.stack(
        [120 + 70 * np.sin(x / (40 + 10 * c) + phases[c, 0]) + 50 * np.cos(y / 50 + phases[c, 1]) for c in range(3)], -1
    )
    return (picture + random.normal(0, 4, picture.shape)).clip(0, 255).astype(np.uint8)


def jpeg(picture: np.ndarray | Image.Image | tuple[int, int, int], **options) -> bytes:
    """`picture` is one of pixels, or of one colour; `options` are Pillow's."""
    if isinstance(picture, Image.Image):
        image = picture
    else:
        image = Image.fromarray(picture) if isinstance(picture, np.ndarray) else Image.new("RGB", (640, 480), picture)
    file = io.BytesIO()
    image.save(file, "JPEG", **({"quality": 80, "subsampling": 1} | options))
    return file.getvalue()


def mean(frame: bytes) -> np.ndarray:
    """The mean of R, G and B, as Pillow decodes the frame."""
    return np.asarray(Image.open(io.BytesIO(frame)).convert("RGB"), float).mean((0, 1))


def segments(frame: bytes) -> list[int]:
    """The positions of the markers of segments, and behind them that of the entropy-coded data."""
    found = [2]
    while True:
        marker, length = frame[found[-1] + 1], int.from_bytes(frame[found[-1] + 2 : found[-1] + 4])
        found.append(found[-1] + 2 + length)
        if marker == START_OF_SCAN:
            return found


def data(frame: bytes) -> int:
    """The position of the entropy-coded data."""
    return segments(frame)[-1]


def with_strays(frame: bytes, stray: bytes, kind: str) -> bytes:
    """Inserts bytes before the markers of a kind: segment, restart or end."""
    *before, start = segments(frame)
    end = len(frame) - 2
    restarts = [i for i in range(start, end) if frame[i] == 0xFF and 0xD0 <= frame[i + 1] <= 0xD7]
    for position in reversed({"segment": before, "restart": restarts, "end": [end]}[kind]):
        frame = frame[:position] + stray + frame[position:]
    return frame


def doubled(frame: bytes, length: int = 1024) -> bytes:
    """The frame with a packet that arrived twice."""
    middle = (data(frame) + len(frame)) // 2
    return frame[: middle + length] + frame[middle:]


def torn(frame: bytes, other: bytes) -> bytes:
    """The first half of a frame, and the last two thirds of another."""
    middle, third = (data(frame) + len(frame)) // 2, data(other) + (len(other) - data(other)) // 3
    return frame[:middle] + other[third:]
