import Color
import Foundation
import Testing

@testable import Pixels

/// Tests with frames recorded from the kernel's vivid driver, each with the mean that an independent decoder computed
/// from its bytes in double precision. Some are beside this file; `SWATCHCAM_TRUTH` names a folder with more, in every
/// format.
@Suite("Recorded frames")
struct TruthTests {
    @Test("a recorded frame has the mean that its bytes decode to, to 0.01", arguments: Truth.formats)
    func mean(format: String) throws {
        var worst = 0.0
        for frame in Truth.frames where frame.format == format {
            let layout = try #require(frame.layout, "\(frame.file)")
            let analyser = try #require(Analyser(layout: layout, region: .full), "\(frame.file)")
            let bytes = try frame.bytes()
            let mean = try #require(unsafe analyser.mean(of: bytes.span.bytes))
            worst = max(worst, mean.distance(to: frame.mean))
            #expect(mean.distance(to: frame.mean) <= 0.01, "\(frame.file)")
        }
        let count = Truth.frames.count { $0.format == format }
        print("\(format): \(count) frames, off by \(String(format: "%.4f", worst)) at most")
    }
}

enum Truth {
    static let folder =
        ProcessInfo.processInfo.environment["SWATCHCAM_TRUTH"].map { URL(filePath: $0) }
        ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "RecordedFrames")

    static let index: Result<TruthIndex, any Error> = Result {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(TruthIndex.self, from: Data(contentsOf: folder.appending(path: "index.json")))
    }

    /// All frames; none if the index cannot be read, which a test of its own reports.
    static let frames = (try? index.get())?.frames ?? []

    static var formats: [String] { Set(frames.map(\.format)).sorted() }
}

struct TruthIndex: Decodable, Sendable {
    var frames: [TruthFrame]
}

struct TruthFrame: Decodable, Sendable {
    struct DecodedAs: Decodable, Sendable {
        var matrix: String?
        var fullRange: Bool
    }

    var file: String
    var format: String
    var width: Int
    var height: Int
    var bytesperline: [Int]
    var decodedAs: DecodedAs
    var expectedMeanRgb: [Double]

    var mean: RGB { RGB(r: expectedMeanRgb[0], g: expectedMeanRgb[1], b: expectedMeanRgb[2]) }

    var layout: PictureLayout? {
        let matrices: [String: ColorEncoding.LumaCoefficients] = [
            "601": .bt601, "709": .bt709, "2020": .bt2020, "240m": .smpte240M,
        ]
        // The index pads codes of three characters, even before "-BE".
        return PixelFormat.named(format.replacing(" ", with: "")).map { pixels in
            PictureLayout(
                format: pixels,
                encoding: ColorEncoding(
                    matrix: matrices[decodedAs.matrix ?? ""] ?? .bt601,
                    range: decodedAs.fullRange ? .full : .limited),
                width: width, height: height, bytesPerLine: bytesperline)
        }
    }

    func bytes() throws -> [UInt8] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/xz")
        process.arguments = ["-dc", Truth.folder.appending(path: file).path]
        process.standardOutput = pipe
        try process.run()
        let bytes = try Array(pipe.fileHandleForReading.readToEnd() ?? Data())
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "xz could not decompress \(file)")
        return bytes
    }
}
