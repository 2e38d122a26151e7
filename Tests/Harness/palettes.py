"""Files with one colour, `Brand blue` #1F4E9B, in each format of a palette (docs/palettes.md)."""

import struct

NAME, RGB = "Brand blue", (0x1F, 0x4E, 0x9B)


def swatch_exchange() -> bytes:
    name = (NAME + "\0").encode("utf-16-be")
    body = struct.pack(">H", len(NAME) + 1) + name + b"RGB " + struct.pack(">3f", *(value / 255 for value in RGB))
    return b"ASEF" + struct.pack(">HHI", 1, 0, 1) + struct.pack(">HI", 1, len(body + b"\0\0")) + body + b"\0\0"


def adobe_color() -> bytes:
    color = struct.pack(">5H", 0, *(value * 257 for value in RGB), 0)
    name = struct.pack(">I", len(NAME) + 1) + (NAME + "\0").encode("utf-16-be")
    return struct.pack(">HH", 1, 1) + color + struct.pack(">HH", 2, 1) + color + name


FILES = {
    "brand.gpl": b"GIMP Palette\nName: Brand\n 31  78 155\tBrand blue\n",
    "brand.ase": swatch_exchange(),
    "brand.aco": adobe_color(),
    "brand.csv": b"name;colour\r\nBrand blue;#1F4E9B\r\n",
}
