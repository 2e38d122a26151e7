"""The recorded frames of Tests/Pixels whose colours are added up in C, and where their components lie."""

import dataclasses
import json
import lzma

from conftest import ROOT

FOLDER = ROOT / "Tests/Pixels/RecordedFrames"
MATRICES = {"601": (0.299, 0.114), "709": (0.2126, 0.0722), "2020": (0.2627, 0.0593), "240m": (0.212, 0.087)}

# Bytes a pixel, and the offsets of its channels.
RGB = {"RGB3": (3, [0, 1, 2]), "XR24": (4, [2, 1, 0]), "BX24": (4, [1, 2, 3]), "GREY": (1, [0])}


def packed(step, offsets):
    return lambda stride, height: [(offset, step, stride, 0, 0) for offset in offsets]


def packed_422(y, cb, cr):
    return lambda stride, height: [(y, 2, stride, 0, 0), (cb, 4, stride, 1, 0), (cr, 4, stride, 1, 0)]


def semi_planar(x_shift, y_shift, swap=0):
    def components(stride, height):
        start, of_chroma = stride * height, stride * 2 >> x_shift
        return [
            (0, 1, stride, 0, 0),
            (start + swap, 2, of_chroma, x_shift, y_shift),
            (start + 1 - swap, 2, of_chroma, x_shift, y_shift),
        ]

    return components


def planar(x_shift, y_shift, swap=False):
    def components(stride, height):
        start, of_chroma = stride * height, stride >> x_shift
        planes = [start, start + of_chroma * (height >> y_shift)]
        return [(0, 1, stride, 0, 0)] + [
            (plane, 1, of_chroma, x_shift, y_shift) for plane in (reversed(planes) if swap else planes)
        ]

    return components


YCBCR = {
    "YUYV": packed_422(0, 1, 3),
    "VYUY": packed_422(1, 2, 0),
    "YUV4": packed(4, [1, 2, 3]),
    "VUYA": packed(4, [2, 1, 0]),
    "NV12": semi_planar(1, 1),
    "NV61": semi_planar(1, 0, swap=1),
    "NV24": semi_planar(0, 0),
    "YU12": planar(1, 1),
    "YV12": planar(1, 1, swap=True),
    "422P": planar(1, 0),
}


@dataclasses.dataclass
class Frame:
    """A recorded frame, with the fields of index.json."""

    file: str
    format: str
    width: int
    height: int
    bytesperline: list
    decoded_as: dict
    expected_mean_rgb: list

    @property
    def bytes(self):
        return lzma.decompress((FOLDER / self.file).read_bytes())

    def mean(self, loops, **how):
        """The mean of its pixels by the program `loops`."""
        if self.format in RGB:
            return self._mean_of_bytes(loops, **how)
        kr, kb = MATRICES[self.decoded_as["matrix"]]
        bits = "full" if self.decoded_as["full_range"] else "limited"
        places = [",".join(map(str, place)) for place in YCBCR[self.format](self.bytesperline[0], self.height)]
        *sums, unit = loops.run(
            "ycbcr", self.width, self.height, kr, kb, bits, *places, input=self.bytes, **how
        ).split()
        return [int(total) / (self.width * self.height) / float(unit) for total in sums]

    def _mean_of_bytes(self, loops, **how):
        step, offsets = RGB[self.format]
        first, last = min(offsets), max(offsets)
        numbers = (self.width, self.height, step, self.bytesperline[0], first, last)
        sums = loops.run("bytes", *numbers, input=self.bytes, **how).split()
        means = [int(sums[offset - first]) / (self.width * self.height) for offset in offsets]
        return means * 3 if len(means) == 1 else means


FRAMES = [
    frame
    for frame in (Frame(**entry) for entry in json.loads((FOLDER / "index.json").read_text())["frames"])
    if frame.format in RGB or frame.format in YCBCR
]
