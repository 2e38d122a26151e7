extension PixelFormat {
    /// Every format that can be read, in order of preference: of the formats that a camera offers in the wanted size,
    /// the first is chosen. Full chroma comes before subsampled chroma, followed by formats of few bits, HSV, raw
    /// mosaics and grey.
    ///
    /// Memory layouts: "Image Formats" in the kernel's V4L2 documentation, and `<linux/videodev2.h>`.
    public static let all: [PixelFormat] = joined([rgb, yuv444, yuv422, yuv420, lowDepth, hsv, bayer, grey])

    private static let rgb: [PixelFormat] = [
        packed("RGB3", "24-bit RGB 8-8-8", .rgb, bytes: 3, [0, 1, 2]),
        packed("BGR3", "24-bit BGR 8-8-8", .rgb, bytes: 3, [2, 1, 0]),
        packed("XR24", "32-bit BGRX 8-8-8-8", .rgb, bytes: 4, [2, 1, 0]),
        packed("AR24", "32-bit BGRA 8-8-8-8", .rgb, bytes: 4, [2, 1, 0]),
        packed("BGR4", "32-bit BGRA/X 8-8-8-8", .rgb, bytes: 4, [2, 1, 0]),
        packed("XB24", "32-bit RGBX 8-8-8-8", .rgb, bytes: 4, [0, 1, 2]),
        packed("AB24", "32-bit RGBA 8-8-8-8", .rgb, bytes: 4, [0, 1, 2]),
        packed("BX24", "32-bit XRGB 8-8-8-8", .rgb, bytes: 4, [1, 2, 3]),
        packed("BA24", "32-bit ARGB 8-8-8-8", .rgb, bytes: 4, [1, 2, 3]),
        packed("RGB4", "32-bit A/XRGB 8-8-8-8", .rgb, bytes: 4, [1, 2, 3]),
        packed("RX24", "32-bit XBGR 8-8-8-8", .rgb, bytes: 4, [3, 2, 1]),
        packed("RA24", "32-bit ABGR 8-8-8-8", .rgb, bytes: 4, [3, 2, 1]),
    ]

    private static let yuv444: [PixelFormat] = [
        packed("YUV3", "24-bit YUV 8-8-8", .yCbCr, bytes: 3, [0, 1, 2]),
        packed("YUV4", "32-bit A/XYUV 8-8-8-8", .yCbCr, bytes: 4, [1, 2, 3]),
        packed("AYUV", "32-bit AYUV 8-8-8-8", .yCbCr, bytes: 4, [1, 2, 3]),
        packed("XYUV", "32-bit XYUV 8-8-8-8", .yCbCr, bytes: 4, [1, 2, 3]),
        packed("VUYA", "32-bit VUYA 8-8-8-8", .yCbCr, bytes: 4, [2, 1, 0]),
        packed("VUYX", "32-bit VUYX 8-8-8-8", .yCbCr, bytes: 4, [2, 1, 0]),
        packed("YUVA", "32-bit YUVA 8-8-8-8", .yCbCr, bytes: 4, [0, 1, 2]),
        packed("YUVX", "32-bit YUVX 8-8-8-8", .yCbCr, bytes: 4, [0, 1, 2]),
        semiPlanar("NV24", "Y/CbCr 4:4:4", xShift: 0, yShift: 0),
        semiPlanar("NV42", "Y/CrCb 4:4:4", xShift: 0, yShift: 0, crFirst: true),
        planar("YM24", "Y/Cb/Cr 4:4:4, separate buffers", xShift: 0, yShift: 0, separate: true),
        planar("YM42", "Y/Cr/Cb 4:4:4, separate buffers", xShift: 0, yShift: 0, crFirst: true, separate: true),
    ]

    private static let yuv422: [PixelFormat] = [
        packed422("YUYV", "YUYV 4:2:2", y: 0, cb: 1, cr: 3),
        packed422("UYVY", "UYVY 4:2:2", y: 1, cb: 0, cr: 2),
        packed422("YVYU", "YVYU 4:2:2", y: 0, cb: 3, cr: 1),
        packed422("VYUY", "VYUY 4:2:2", y: 1, cb: 2, cr: 0),
        semiPlanar("NV16", "Y/CbCr 4:2:2", xShift: 1, yShift: 0),
        semiPlanar("NV61", "Y/CrCb 4:2:2", xShift: 1, yShift: 0, crFirst: true),
        semiPlanar("NM16", "Y/CbCr 4:2:2, separate buffers", xShift: 1, yShift: 0, separate: true),
        semiPlanar("NM61", "Y/CrCb 4:2:2, separate buffers", xShift: 1, yShift: 0, crFirst: true, separate: true),
        planar("422P", "Y/Cb/Cr 4:2:2", xShift: 1, yShift: 0),
        planar("YM16", "Y/Cb/Cr 4:2:2, separate buffers", xShift: 1, yShift: 0, separate: true),
        planar("YM61", "Y/Cr/Cb 4:2:2, separate buffers", xShift: 1, yShift: 0, crFirst: true, separate: true),
    ]

    private static let yuv420: [PixelFormat] = [
        semiPlanar("P010", "10-bit Y/CbCr 4:2:0", xShift: 1, yShift: 1, bits: 10),
        semiPlanar("NV12", "Y/CbCr 4:2:0", xShift: 1, yShift: 1),
        semiPlanar("NV21", "Y/CrCb 4:2:0", xShift: 1, yShift: 1, crFirst: true),
        semiPlanar("NM12", "Y/CbCr 4:2:0, separate buffers", xShift: 1, yShift: 1, separate: true),
        semiPlanar("NM21", "Y/CrCb 4:2:0, separate buffers", xShift: 1, yShift: 1, crFirst: true, separate: true),
        planar("YU12", "Y/Cb/Cr 4:2:0", xShift: 1, yShift: 1),
        planar("YV12", "Y/Cr/Cb 4:2:0", xShift: 1, yShift: 1, crFirst: true),
        planar("YM12", "Y/Cb/Cr 4:2:0, separate buffers", xShift: 1, yShift: 1, separate: true),
        planar("YM21", "Y/Cr/Cb 4:2:0, separate buffers", xShift: 1, yShift: 1, crFirst: true, separate: true),
        planar("YUV9", "Y/Cb/Cr 4:1:0", xShift: 2, yShift: 2),
        interleavedRows("M420", "Y/CbCr 4:2:0, rows interleaved"),
        planar("411P", "Y/Cb/Cr 4:1:1", xShift: 2, yShift: 0),
    ]

    /// The formats of 18 bits or fewer. The formats in one list differ only in the meaning of the bits that are not
    /// colour.
    private static let lowDepth: [PixelFormat] = joined([
        [
            PixelFormat(
                "BGRH", "18-bit BGR 6-6-6", .rgb, word: .bigEndian16,
                [
                    Component(channel: 0, offset: 1, step: 4, bits: 6, shift: 6),
                    Component(channel: 1, offset: 0, step: 4, bits: 6, shift: 4),
                    Component(channel: 2, offset: 0, step: 4, bits: 6, shift: 10),
                ])
        ],
        word16(["RGBP"], "16-bit RGB 5-6-5", .rgb, [(5, 11), (6, 5), (5, 0)]),
        word16(["RGBR"], "16-bit RGB 5-6-5, big-endian", .rgb, [(5, 11), (6, 5), (5, 0)], bigEndian: true),
        word16(["YUVP"], "16-bit YUV 5-6-5", .yCbCr, [(5, 11), (6, 5), (5, 0)]),
        word16(["RGBO", "XR15", "AR15"], "16-bit A/XRGB 1-5-5-5", .rgb, [(5, 10), (5, 5), (5, 0)]),
        word16(
            ["RGBQ", "XR15-BE", "AR15-BE"], "16-bit A/XRGB 1-5-5-5, big-endian", .rgb, [(5, 10), (5, 5), (5, 0)],
            bigEndian: true),
        word16(["YUVO"], "16-bit A/XYUV 1-5-5-5", .yCbCr, [(5, 10), (5, 5), (5, 0)]),
        word16(["RX15", "RA15"], "16-bit RGBA/X 5-5-5-1", .rgb, [(5, 11), (5, 6), (5, 1)]),
        word16(["XB15", "AB15"], "16-bit A/XBGR 1-5-5-5", .rgb, [(5, 0), (5, 5), (5, 10)]),
        word16(["BX15", "BA15"], "16-bit BGRA/X 5-5-5-1", .rgb, [(5, 1), (5, 6), (5, 11)]),
        word16(["R444", "XR12", "AR12"], "16-bit A/XRGB 4-4-4-4", .rgb, [(4, 8), (4, 4), (4, 0)]),
        word16(["Y444"], "16-bit A/XYUV 4-4-4-4", .yCbCr, [(4, 8), (4, 4), (4, 0)]),
        word16(["RX12", "RA12"], "16-bit RGBA/X 4-4-4-4", .rgb, [(4, 12), (4, 8), (4, 4)]),
        word16(["XB12", "AB12"], "16-bit A/XBGR 4-4-4-4", .rgb, [(4, 0), (4, 4), (4, 8)]),
        word16(["BX12", "GA12"], "16-bit BGRA/X 4-4-4-4", .rgb, [(4, 4), (4, 8), (4, 12)]),
        [
            PixelFormat(
                "RGB1", "8-bit RGB 3-3-2", .rgb,
                [
                    Component(channel: 0, offset: 0, step: 1, bits: 3, shift: 5),
                    Component(channel: 1, offset: 0, step: 1, bits: 3, shift: 2),
                    Component(channel: 2, offset: 0, step: 1, bits: 2, shift: 0),
                ])
        ],
    ])

    private static let hsv: [PixelFormat] = [
        packed("HSV3", "24-bit HSV 8-8-8", .hsv, bytes: 3, [0, 1, 2]),
        packed("HSV4", "32-bit XHSV 8-8-8-8", .hsv, bytes: 4, [1, 2, 3]),
    ]

    /// The raw mosaics of colour filters, named after the first two rows.
    private static let bayer: [PixelFormat] = joined([
        mosaics(bits: 16, ["RG16", "GR16", "GB16", "BYR2"]),
        mosaics(bits: 14, ["RG14", "GR14", "GB14", "BG14"]),
        mosaics(bits: 14, ["pREE", "pgEE", "pGEE", "pBEE"], arePacked: true),
        mosaics(bits: 12, ["RG12", "BA12", "GB12", "BG12"]),
        mosaics(bits: 12, ["pRCC", "pgCC", "pGCC", "pBCC"], arePacked: true),
        mosaics(bits: 10, ["RG10", "BA10", "GB10", "BG10"]),
        mosaics(bits: 10, ["pRAA", "pgAA", "pGAA", "pBAA"], arePacked: true),
        mosaics(bits: 8, ["RGGB", "GRBG", "GBRG", "BA81"]),
    ])

    private static let grey: [PixelFormat] = [
        grey("Y16", "16-bit greyscale", bits: 16), grey("Y16-BE", "16-bit greyscale, big-endian", bits: 16),
        grey("Y14", "14-bit greyscale", bits: 14), grey("Y14P", "14-bit greyscale, packed", bits: 14, isPacked: true),
        grey("Y12", "12-bit greyscale", bits: 12), grey("Y12P", "12-bit greyscale, packed", bits: 12, isPacked: true),
        grey("Y10", "10-bit greyscale", bits: 10), grey("Y10P", "10-bit greyscale, packed", bits: 10, isPacked: true),
        grey("GREY", "8-bit greyscale", bits: 8),
    ]

    /// Joins lists; Swift 6.2 cannot type-check a long chain of `+`.
    private static func joined(_ formats: [[PixelFormat]]) -> [PixelFormat] { Array(formats.joined()) }

    private static func mosaics(bits: Int, _ codes: [String], arePacked: Bool = false) -> [PixelFormat] {
        zip(codes, [[0, 1, 1, 2], [1, 0, 2, 1], [1, 2, 0, 1], [2, 1, 1, 0]]).map { code, channels in
            mosaic(code, bits: bits, channels, isPacked: arePacked)
        }
    }
}

extension PixelFormat {
    /// The text of `docs/formats.md`: the table of the formats that can be read. A test compares the file with it.
    public static var document: String {
        var lines = [
            "# Pixel formats",
            "",
            "The formats that Swatchcam reads, best first. It uses the first one that the camera offers in the wanted size at",
            "the wanted rate, unless `camera.format` in `config.toml` names another. It also reads `MJPG` and `JPEG`, which",
            "rank before grey. They are BT.601 with full range, as JFIF specifies, whatever EXIF or an Adobe marker says,",
            "unless `camera.colorimetry` says otherwise; then pictures are encoded again, with the colours that are read.",
            "libjpeg-turbo decodes 4:4:4, 4:2:2, 4:2:0, 4:4:0, 4:1:1 and grey, baseline or progressive, with Huffman tables",
            "or, as most cameras send them, without.",
            "",
            "Y'CbCr has limited range and all else full range, unless the driver declares another or `camera.colorimetry`",
            "names one.",
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
            "\"The kernel's vivid driver\": every `make test-release` reads its frames in the kernel lab, and a recorded set must",
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
