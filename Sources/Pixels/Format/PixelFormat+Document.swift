extension PixelFormat {
    /// `docs/formats.md`: the table of what can be read. A test holds the file and this together.
    public static var document: String {
        var lines = [
            "# Pixel formats",
            "",
            "What Swatchcam reads, best first: of the formats that a camera offers, it takes the first that comes in the",
            "wanted size at the wanted rate. `camera.format` in `config.toml` names another. `MJPG` and `JPEG` are read too,",
            "and come before grey; they are BT.601 of full range, as JFIF says, whatever EXIF or Adobe's marker add.",
            "libjpeg-turbo decodes them: 4:4:4, 4:2:2, 4:2:0, 4:4:0, 4:1:1 and grey, baseline or progressive, with Huffman",
            "tables or, as most cameras send them, without.",
            "",
            "| fourcc | name | bits a pixel | planes | tested on |",
            "|---|---|---|---|---|",
        ]
        for format in all {
            let planes = "\(format.planes.count)" + (format.bufferCount > 1 ? " (separate)" : "")
            lines.append(
                "| `\(format.fourCC)` | \(format.name) | \(format.bitsPerPixel) | \(planes) | \(format.proof) |")
        }
        lines += [
            "",
            "\"The kernel's vivid driver\": its frames are read in the kernel lab at each `make test`, and a recorded set is",
            "held to 0.01 of a code value. \"A reference\": random frames, against a decoder in floating point.",
            "",
        ]
        return lines.joined(separator: "\n")
    }

    /// Formats that vivid does not make.
    private var proof: String {
        let isPacked = ![.byte, .littleEndian16, .bigEndian16].contains(word)
        return isPacked || components[0].bits == 14 || ["P010", "YUV3", "YUV9", "411P", "M420"].contains(fourCC)
            ? "a reference" : "the kernel's vivid driver"
    }
}
