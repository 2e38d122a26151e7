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

    @Test(
        "a format knows how many bits a pixel takes",
        arguments: [
            ("YUYV", 16), ("NV12", 12), ("422P", 16), ("RGGB", 8), ("P010", 24), ("RG10", 16), ("YUV9", 9),
            ("BGRH", 32),
        ])
    func bits(fourCC: String, bits: Int) {
        #expect(PixelFormat.named(fourCC)?.bitsPerPixel == bits)
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
