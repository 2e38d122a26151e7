import Color
import Foundation
import Testing

@testable import Pixels

@Suite("Pixel formats")
struct PixelFormatTests {
    @Test("each code occurs once in the table of formats")
    func unique() {
        let codes = PixelFormat.all.map(\.fourCC)
        #expect(Set(codes).count == codes.count)
    }

    @Test("a format has the right number of bits for each pixel")
    func bits() {
        let bits = [
            "YUYV": 16, "NV12": 12, "422P": 16, "RGGB": 8, "P010": 24, "RG10": 16, "YUV9": 9, "BGRH": 32,
        ]
        for (fourCC, bits) in bits { #expect(PixelFormat.named(fourCC)?.bitsPerPixel == bits) }
    }

    /// The bits of red, green and blue are those of the kernel's documentation (V4L2, 2.7.1, "RGB Formats").
    @Test(
        "a 16-bit word has the channels at the places that the kernel documents",
        arguments: [
            ("RGBP", 16 << 11 | 32 << 5 | 4, 31, 63), ("RGBR", 16 << 11 | 32 << 5 | 4, 31, 63),
            ("RGBO", 16 << 10 | 16 << 5 | 4, 31, 31), ("XR15", 16 << 10 | 16 << 5 | 4, 31, 31),
            ("AR15", 16 << 10 | 16 << 5 | 4, 31, 31), ("RGBQ", 16 << 10 | 16 << 5 | 4, 31, 31),
            ("XR15-BE", 16 << 10 | 16 << 5 | 4, 31, 31), ("AR15-BE", 16 << 10 | 16 << 5 | 4, 31, 31),
            ("RX15", 16 << 11 | 16 << 6 | 4 << 1, 31, 31), ("RA15", 16 << 11 | 16 << 6 | 4 << 1, 31, 31),
            ("XB15", 4 << 10 | 16 << 5 | 16, 31, 31), ("AB15", 4 << 10 | 16 << 5 | 16, 31, 31),
            ("BX15", 4 << 11 | 16 << 6 | 16 << 1, 31, 31), ("BA15", 4 << 11 | 16 << 6 | 16 << 1, 31, 31),
            ("R444", 8 << 8 | 8 << 4 | 2, 15, 15), ("XR12", 8 << 8 | 8 << 4 | 2, 15, 15),
            ("AR12", 8 << 8 | 8 << 4 | 2, 15, 15), ("RX12", 8 << 12 | 8 << 8 | 2 << 4, 15, 15),
            ("RA12", 8 << 12 | 8 << 8 | 2 << 4, 15, 15), ("XB12", 2 << 8 | 8 << 4 | 8, 15, 15),
            ("AB12", 2 << 8 | 8 << 4 | 8, 15, 15), ("BX12", 2 << 12 | 8 << 8 | 8 << 4, 15, 15),
            ("GA12", 2 << 12 | 8 << 8 | 8 << 4, 15, 15),
        ] as [(String, Int, Double, Double)])
    func words(fourCC: String, word: Int, maxRed: Double, maxGreen: Double) throws {
        let isBigEndian = ["RGBR", "RGBQ", "XR15-BE", "AR15-BE"].contains(fourCC)
        let bytes = [UInt8(word & 255), UInt8(word >> 8)]
        let picture = [[UInt8]](repeating: isBigEndian ? bytes.reversed() : bytes, count: 4).flatMap(\.self)
        let layout = PictureLayout(
            format: try #require(PixelFormat.named(fourCC)), encoding: ColorEncoding(matrix: .bt601, range: .full),
            width: 2, height: 2, bytesPerLine: [4])
        let analyser = try #require(Analyser(layout: layout, region: .full))
        let mean = try #require(analyser.mean(of: unsafe picture.span.bytes))
        let (half, quarter) = maxRed == 31 ? (16.0, 4.0) : (8.0, 2.0)
        let expected = RGB(
            r: half * 255 / maxRed, g: (maxGreen == 63 ? 32 : half) * 255 / maxGreen, b: quarter * 255 / maxRed)
        #expect(mean.distance(to: expected) < 0.003)
    }

    /// The kernel's documentation (V4L2, 2.8, "YUV Formats") says which chroma sample comes first.
    @Test(
        "chroma samples are read in the order that the kernel documents",
        arguments: [
            ("NV12", 1, true, true), ("NV21", 1, true, false), ("NV16", 2, true, true), ("NV61", 2, true, false),
            ("NV24", 4, true, true), ("NV42", 4, true, false), ("422P", 2, false, true), ("YU12", 1, false, true),
            ("YV12", 1, false, false),
        ])
    func chromaOrder(fourCC: String, pairs: Int, isInterleaved: Bool, isCbFirst: Bool) throws {
        let luma = [UInt8](repeating: 128, count: 4)
        let (first, second) = (UInt8(200), UInt8(128))
        let chroma =
            isInterleaved
            ? [[UInt8]](repeating: [first, second], count: pairs).flatMap(\.self)
            : [UInt8](repeating: first, count: pairs) + [UInt8](repeating: second, count: pairs)
        let layout = PictureLayout(
            format: try #require(PixelFormat.named(fourCC)), encoding: ColorEncoding(matrix: .bt601, range: .full),
            width: 2, height: 2, bytesPerLine: [2])
        let analyser = try #require(Analyser(layout: layout, region: .full))
        let picture = luma + chroma
        let mean = try #require(analyser.mean(of: unsafe picture.span.bytes))
        // Only the first chroma sample differs from grey: much Cb is blue, much Cr is red.
        let (changed, other) = isCbFirst ? (mean.b, mean.r) : (mean.r, mean.b)
        #expect(changed > 220 && abs(other - 128) < 0.01)
    }

    @Test("docs/formats.md matches the table of formats; SWATCHCAM_WRITE_DOCS=1 writes it")
    func document() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/formats.md").standardized
        if ProcessInfo.processInfo.environment["SWATCHCAM_WRITE_DOCS"] != nil {
            try Data(PixelFormat.document.utf8).write(to: file)
        }
        #expect(try String(decoding: Data(contentsOf: file), as: UTF8.self) == PixelFormat.document)
    }
}
