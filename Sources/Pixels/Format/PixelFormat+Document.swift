extension PixelFormat {
    /// The text of `docs/formats.md`: the table of the formats that can be read. A test compares the file with it.
    public static var document: String {
        var lines = [
            "# Pixel formats",
            "",
            "The formats that Swatchcam reads, best first. It uses the first one that the camera offers in the wanted size at",
            "the wanted rate, unless `camera.format` in `config.toml` names another. It also reads `MJPG` and `JPEG`, which",
            "rank before grey. They are BT.601 with full range, as JFIF specifies, whatever EXIF or an Adobe marker says.",
            "libjpeg-turbo decodes 4:4:4, 4:2:2, 4:2:0, 4:4:0, 4:1:1 and grey, baseline or progressive, with Huffman tables",
            "or, as most cameras send them, without.",
            "",
            "| fourcc | name | bits per pixel | planes | tested with |",
            "|---|---|---|---|---|",
        ]
        for format in all {
            let planes = "\(format.planes.count)" + (format.bufferCount > 1 ? " (separate)" : "")
            lines.append(
                "| `\(format.fourCC)` | \(format.name) | \(format.bitsPerPixel) | \(planes) | \(format.testedWith) |")
        }
        lines += [
            "",
            "\"The kernel's vivid driver\": every `make test-all` reads its frames in the kernel lab, and a recorded set must",
            "match within 0.01 of a code value. \"A reference\": random frames are compared with a floating-point decoder.",
            "",
        ]
        return lines.joined(separator: "\n")
    }

    /// The test that a format passes: vivid produces it, or it is compared with a reference.
    private var testedWith: String {
        let isPacked = ![.byte, .littleEndian16, .bigEndian16].contains(word)
        return isPacked || components[0].bits == 14 || ["P010", "YUV3", "YUV9", "411P", "M420"].contains(fourCC)
            ? "a reference" : "the kernel's vivid driver"
    }
}
