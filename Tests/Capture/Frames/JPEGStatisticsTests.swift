import Color
import Foundation
import JPEG
import TestSupport
import Testing

@testable import Capture
@testable import Pixels

/// Tests with the planes that another decoder makes of an image. The statistics of the planes themselves are tested
/// with NumPy.
@Suite("Statistics of MJPG", .enabled(if: Python.mayRun, "there is no .venv with Pillow; make unit creates it"))
struct JPEGStatisticsTests {
    private static let (width, height) = (160, 120)

    /// Makes an image of colour noise, in which every pixel has its own chroma. Much of it is clipped and out of gamut.
    private static func image() throws -> [UInt8] {
        var state: UInt32 = 3
        func plane() -> [UInt8] {
            (0..<width * height).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(state >> 24)
            }
        }
        let (y, cb, cr) = (plane(), plane(), plane())
        return try unsafe JPEGEncoder().encode(
            (y.span.bytes, cb.span.bytes, cr.span.bytes), bytesPerLine: [width, width, width], width: width,
            height: height, chromaShifts: (0, 0), quality: 95)
    }

    @Test(
        "the statistics of an MJPG frame are those of the planes that another decoder makes of it",
        arguments: [Region.full, Region(x: 0.25, y: 0.125, width: 0.5, height: 0.5)])
    func statistics(region: Region) throws {
        let image = try Self.image()
        var reader = JPEGReader(width: Self.width, height: Self.height, PictureParts(region: region))
        let colors = try? unsafe reader.content(of: image.span.bytes, WantedColors(statistics: true)).colors
        let found = try #require(colors?.region.statistics)
        let (y, cb, cr) = try Pillow.planes(of: image, size: Self.width * Self.height)
        let layout = PictureLayout(
            format: .decoded(xShift: 0, yShift: 0), encoding: ColorEncoding(matrix: .bt601, range: .full),
            width: Self.width, height: Self.height, bytesPerLine: [Self.width, Self.width, Self.width])
        let analyser = try #require(Analyser(layout: layout, region: region))
        let expected = unsafe analyser.colors(
            of: y.span.bytes, cb.span.bytes, cr.span.bytes, withStatistics: true)
        #expect(found == expected?.statistics)
        #expect(found.outOfGamut > 0.1)
        #expect(found.clippedHigh.r > 0.05)
    }
}

/// Pillow, whose libjpeg decodes without any of the program's code.
private enum Pillow {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "jpeg_planes.py")

    /// Returns the planes of Y, Cb and Cr of an image in which no pixels share chroma.
    static func planes(of image: [UInt8], size: Int) throws -> (y: [UInt8], cb: [UInt8], cr: [UInt8]) {
        let file = FileManager.default.temporaryDirectory.appending(path: "swatchcam-\(UUID().uuidString).jpg")
        try Data(image).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        let output = Pipe()
        process.executableURL = Python.executable
        process.arguments = [script.path, file.path]
        process.standardOutput = output
        try process.run()
        let bytes = Array(try output.fileHandleForReading.readToEnd() ?? Data())
        process.waitUntilExit()
        try #require(bytes.count == 3 * size)
        return (Array(bytes[..<size]), Array(bytes[size..<2 * size]), Array(bytes[(2 * size)...]))
    }
}
