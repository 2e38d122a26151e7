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


MEASUREMENTS = f"""CGATS.17
BEGIN_DATA_FORMAT
SAMPLE_ID SAMPLE_NAME LAB_L LAB_A LAB_B
END_DATA_FORMAT
BEGIN_DATA
1 "{NAME}" 33.4641 6.8581 -47.5353
END_DATA
"""
EXCHANGE = f"""<CxF xmlns="http://colorexchangeformat.com/CxF3-core"><Resources><ObjectCollection><Object Name="{NAME}"><ColorValues>
<ColorSRGB><R>{RGB[0]}</R><G>{RGB[1]}</G><B>{RGB[2]}</B></ColorSRGB>
</ColorValues></Object></ObjectCollection></Resources></CxF>"""

FILES = {
    "brand.gpl": b"GIMP Palette\nName: Brand\n 31  78 155\tBrand blue\n",
    "brand.ase": swatch_exchange(),
    "brand.aco": adobe_color(),
    "brand.csv": b"name;colour\r\nBrand blue;#1F4E9B\r\n",
    "brand.ti3": MEASUREMENTS.encode(),
    "brand.cxf": EXCHANGE.encode(),
}
