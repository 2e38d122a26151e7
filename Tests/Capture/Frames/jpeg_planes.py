"""The planes of a JPEG image as libjpeg decodes them: jpeg_planes.py IMAGE > planes

Writes all of Y, then all of Cb and all of Cr, a byte for each pixel. Chroma that pixels share is interpolated.
"""

import sys

from PIL import Image


def main():
    with Image.open(sys.argv[1]) as image:
        # Without this, Pillow converts to RGB.
        image.draft("YCbCr", image.size)
        assert image.mode == "YCbCr", image.mode
        for plane in image.split():
            sys.stdout.buffer.write(plane.tobytes())


main()
