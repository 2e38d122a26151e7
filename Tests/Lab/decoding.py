"""The mean of a frame by its definition: each pixel decoded, clamped to 0...255, then averaged."""

import subprocess
from collections import Counter

import program

# Bytes a pixel, and the places of its three values.
INTERLEAVED = {"RGB3": (3, (0, 1, 2)), "XR24": (4, (2, 1, 0)), "GREY": (1, (0, 0, 0)), "YUV4": (4, (1, 2, 3))}
# The places of luma, Cb and Cr in two pixels, which are four bytes.
PACKED = {"YUYV": (0, 1, 3), "VYUY": (1, 2, 0)}
# After the luma, rows of Cb and Cr in turn; how many rows of luma share one of them.
SEMI_PLANAR = {"NV16": 1, "NV12": 2}
RGB = ("RGB3", "XR24", "GREY")


def frame(device, directory, *, fourcc=None, width=320, height=180):
    """The bytes of one frame, by v4l2-ctl; without a format, in the present one."""
    path = directory / "frame"
    chosen = [f"--set-fmt-video=width={width},height={height},pixelformat={fourcc}"] if fourcc else []
    stream = ["--stream-mmap=2", "--stream-count=1", f"--stream-to={path}"]
    command = ["v4l2-ctl", "-d", device.node, *chosen, *stream]
    subprocess.run(command, check=True, capture_output=True, timeout=program.patience())
    return path.read_bytes()


def pixels(data, fourcc, width, height):
    """How often each (R, G, B) or (Y, Cb, Cr) occurs. Chroma is replicated."""
    counts = Counter()
    for y in range(height):
        counts.update(zip(*row(data, fourcc, width, height, y), strict=True))
    return counts


def row(data, fourcc, width, height, y):
    """The three values of each pixel in a row, as three lists."""
    if fourcc in INTERLEAVED:
        step, places = INTERLEAVED[fourcc]
        line = data[y * width * step : (y + 1) * width * step]
        return [line[place::step] for place in places]
    if fourcc in PACKED:
        luma, cb, cr = PACKED[fourcc]
        line = data[y * width * 2 : (y + 1) * width * 2]
        return [line[luma::2], wide(line[cb::4], width), wide(line[cr::4], width)]
    start = (height + y // SEMI_PLANAR[fourcc]) * width
    line = data[start : start + width]
    return [data[y * width : (y + 1) * width], wide(line[0::2], width), wide(line[1::2], width)]


def wide(chroma, width):
    """The chroma of each pixel. A row of odd width has no room for the very last sample: the one before is used."""
    return [chroma[min(x // 2, len(chroma) - 1)] for x in range(width)]


def mean(counts, fourcc, weights=(0.299, 0.114), quantization=None):
    """The mean by the matrix with these Kr and Kb. Without a declared range, only Y'CbCr has the limited one."""
    sums = [0.0, 0.0, 0.0]
    quantization = quantization or ("full" if fourcc in RGB else "limited")
    for values, count in counts.items():
        for channel, value in enumerate(decoded(values, fourcc, weights, quantization)):
            sums[channel] += count * min(max(value, 0.0), 255.0)
    return [total / counts.total() for total in sums]


def decoded(values, fourcc, weights, quantization):
    offset, scale, chroma_scale = (0, 1, 255) if quantization == "full" else (16, 255 / 219, 224)
    if fourcc in RGB:
        return [(value - offset) * scale for value in values]
    (red, blue), luma = weights, (values[0] - offset) * scale
    cb, cr = ((value - 128) * 255 / chroma_scale for value in values[1:])
    r, b = luma + 2 * (1 - red) * cr, luma + 2 * (1 - blue) * cb
    return [r, (luma - red * r - blue * b) / (1 - red - blue), b]
