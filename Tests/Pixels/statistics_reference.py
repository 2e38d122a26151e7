"""The statistics of pictures, computed by NumPy: statistics_reference.py < in > report

Standard input is 32-bit integers: for each picture, the number of its pixels, then R, G and B of each, not clamped, in
units of which 2^18 - 1 are 255 code values. Prints a list of the statistics, in JSON.
"""

import json
import sys

import numpy as np

WHITE = 2**18 - 1


def light(values):
    """Linear light, by IEC 61966-2-1."""
    share = values / WHITE
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def dominant(codes, values):
    """The mean, in code values, and the share of the fullest bin and its neighbours."""
    bins = codes // 8
    numbers, counts = np.unique(bins @ [1024, 32, 1], return_counts=True)
    # np.unique sorts, and argmax takes the first of several.
    fullest = numbers[counts.argmax()]
    center = np.array([fullest // 1024, fullest // 32 % 32, fullest % 32])
    near = (np.abs(bins - center) <= 1).all(axis=1)
    return {"color": (values[near].mean(axis=0) / WHITE * 255).tolist(), "share": near.mean()}


def statistics(pixels):
    # Half a code value is 514.0098 units, and 254.5 are 261,628.99.
    low, high = round(WHITE * 0.5 / 255), round(WHITE * 254.5 / 255)
    values = np.clip(pixels, 0, WHITE).astype(np.int64)
    codes = np.floor(values / WHITE * 255 + 0.5).astype(np.int64)
    return {
        "pixels": len(pixels),
        "linear": light(values).mean(axis=0).tolist(),
        "minimum": codes.min(axis=0).tolist(),
        "maximum": codes.max(axis=0).tolist(),
        "median": np.median(codes, axis=0).tolist(),
        "deviation": (np.std(values / WHITE * 255, axis=0, ddof=1)).tolist() if len(pixels) > 1 else None,
        "clippedLow": (pixels <= low).mean(axis=0).tolist(),
        "clippedHigh": (pixels >= high).mean(axis=0).tolist(),
        "outOfGamut": ((pixels < -low) | (pixels > WHITE + low)).any(axis=1).mean(),
        "dominant": dominant(codes, values),
        "histogram": [np.bincount(codes[:, channel], minlength=256).tolist() for channel in range(3)],
    }


def main():
    data = np.frombuffer(sys.stdin.buffer.read(), dtype="<i4")
    pictures = []
    while data.size:
        count = 3 * int(data[0])
        pictures.append(statistics(data[1 : 1 + count].reshape(-1, 3)))
        data = data[1 + count :]
    json.dump(pictures, sys.stdout)


main()
