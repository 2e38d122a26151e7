import Foundation
import Testing

@testable import Pixels

@Suite("The table of formats")
struct PixelFormatTests {
    @Test("has each code once")
    func unique() {
        let codes = PixelFormat.all.map(\.fourCC)
        #expect(Set(codes).count == codes.count)
    }

    @Test(
        "says how much room a pixel takes",
        arguments: [
            ("YUYV", 16), ("NV12", 12), ("422P", 16), ("RGGB", 8), ("P010", 24), ("RG10", 16), ("YUV9", 9),
            ("BGRH", 32),
        ])
    func bits(fourCC: String, bits: Int) {
        #expect(PixelFormat.named(fourCC)?.bitsPerPixel == bits)
    }

    @Test("is what docs/formats.md says; SWATCHCAM_WRITE_DOCS=1 writes it")
    func document() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/formats.md").standardized
        if ProcessInfo.processInfo.environment["SWATCHCAM_WRITE_DOCS"] != nil {
            try Data(PixelFormat.document.utf8).write(to: file)
        }
        #expect(try String(decoding: Data(contentsOf: file), as: UTF8.self) == PixelFormat.document)
    }
}
