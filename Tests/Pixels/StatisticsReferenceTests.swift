import Color
import Foundation
import TestSupport
import Testing

@testable import Pixels

/// Tests with the statistics that NumPy computes from the same pixels. Other tests compare these pixels with the
/// definition of each format.
@Suite(
    "Statistics compared with NumPy",
    .enabled(if: Python.mayRun, "there is no .venv with NumPy; make unit creates it"))
struct StatisticsReferenceTests {
    @Test("the statistics of random pictures in every format are those that NumPy computes of their pixels")
    func random() throws {
        var random = SeededGenerator(seed: 5)
        var pictures: [(layout: PictureLayout, region: Region, buffers: [[UInt8]])] = []
        let decoded = [PixelFormat.decoded(xShift: 0, yShift: 0), .decoded(xShift: 1, yShift: 1), .decodedGrey]
        for format in PixelFormat.all + decoded {
            for _ in 0..<2 {
                let picture = RandomPicture(format, using: &random)
                pictures.append((picture.layout, picture.region, picture.buffers))
            }
            let large = RandomPicture(format, width: 420, height: 300, using: &random)
            pictures.append((large.layout, .full, large.buffers))
        }
        try compare(pictures)
    }

    @Test("the statistics of recorded frames are those that NumPy computes of their pixels")
    func recorded() throws {
        try compare(
            Truth.frames.map { frame in
                (try #require(frame.layout), .full, [try frame.bytes()])
            })
    }

    private func compare(_ pictures: [(layout: PictureLayout, region: Region, buffers: [[UInt8]])]) throws {
        var input: [Int32] = []
        var found: [RegionColors] = []
        for picture in pictures {
            let rect = picture.region.pixels(width: picture.layout.width, height: picture.layout.height)
            let analyser = try #require(Analyser(layout: picture.layout, region: picture.region))
            let memory = try picture.buffers.map { try GuardedMemory($0) }
            let colors = memory.lent { analyser.colors(of: $0, $1, $2, withStatistics: true) }
            found.append(try #require(colors))
            let pixels = try #require(
                PixelList.pixels(of: picture.layout, on: PixelGrid(samplesOf: rect), buffers: memory))
            #expect(found.last?.statistics?.regionPixels == rect.width * rect.height)
            input.append(Int32(pixels.count / 3))
            input += pixels
        }
        let expected = try StatisticsReference.statistics(of: input)
        #expect(expected.count == pictures.count)
        for (index, (colors, expected)) in zip(found, expected).enumerated() {
            let layout = pictures[index].layout
            let statistics = try #require(colors.statistics)
            #expect(
                expected.differs(from: statistics, light: colors.light.linear) == nil,
                "\(layout.format.fourCC), \(layout.width) x \(layout.height)"
            )
        }
    }
}

/// A sink that keeps the channels of every pixel, not clamped.
struct PixelList: PixelSink {
    private(set) var channels: [Int32] = []

    mutating func take(_ p0: UInt64, _ p1: UInt64, _ p2: UInt64, _ p3: UInt64) {
        take(p0)
        take(p1)
        take(p2)
        take(p3)
    }

    mutating func take(_ pixel: UInt64) {
        // A loop over the three takes several times as long in a debug build.
        channels.append(Int32(truncatingIfNeeded: pixel & 0x1F_FFFF) - (1 << 20))
        channels.append(Int32(truncatingIfNeeded: (pixel >> 21) & 0x1F_FFFF) - (1 << 20))
        channels.append(Int32(truncatingIfNeeded: (pixel >> 42) & 0x1F_FFFF) - (1 << 20))
    }

    static func pixels(of layout: PictureLayout, on grid: PixelGrid, buffers: [GuardedMemory]) -> [Int32]? {
        guard let access = PictureAccess(layout: layout) else { return nil }
        return buffers.lent { first, second, third in
            unsafe access.withBytes(first, second, third) { picture in
                var list = PixelList()
                unsafe TableLoop(layout).pass(picture, on: grid, to: &list)
                return list.channels
            }
        }
    }
}

private struct StatisticsReference: Decodable {
    struct Dominant: Decodable {
        var color: [Double]
        var share: Double
    }

    var pixels: Int
    var linear: [Double]
    var minimum: [Double]
    var maximum: [Double]
    var median: [Double]
    var deviation: [Double]?
    var clippedLow: [Double]
    var clippedHigh: [Double]
    var outOfGamut: Double
    var dominant: Dominant
    var histogram: [[Int]]

    /// Returns the first figure that differs: counts and what follows from them by 1e-12, moments by 1e-9 of their value,
    /// and light by 2^-29, within which the curve is exact.
    func differs(from found: RegionStatistics, light: LinearRGB?) -> String? {
        func list(_ color: RGB) -> [Double] { [color.r, color.g, color.b] }
        func list(_ shares: ChannelFigures) -> [Double] { [shares.r, shares.g, shares.b] }
        func are(_ left: [Double], _ right: [Double], _ relative: Double, _ absolute: Double) -> Bool {
            left.count == right.count && zip(left, right).allSatisfy { abs($0 - $1) <= absolute + relative * abs($1) }
        }
        let light = light.map { [$0.r, $0.g, $0.b] } ?? []
        let checks: [(String, Bool)] = [
            ("pixels", found.pixels == pixels),
            ("histogram", [found.histogram.r, found.histogram.g, found.histogram.b] == histogram),
            ("minimum", list(found.minimum) == minimum), ("maximum", list(found.maximum) == maximum),
            ("median", list(found.median) == median),
            ("deviation", are(found.standardDeviation.map(list) ?? [], deviation ?? [], 1e-9, 1e-9)),
            ("clippedLow", are(list(found.clippedLow), clippedLow, 0, 1e-12)),
            ("clippedHigh", are(list(found.clippedHigh), clippedHigh, 0, 1e-12)),
            ("outOfGamut", abs(found.outOfGamut - outOfGamut) <= 1e-12),
            ("dominant color", are(list(found.dominant.color), dominant.color, 1e-9, 1e-12)),
            ("dominant share", abs(found.dominant.share - dominant.share) <= 1e-12),
            ("linear", are(light, linear, 1e-9, 1.9e-9)),
        ]
        return checks.first { !$0.1 }?.0
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    static func statistics(of input: [Int32]) throws -> [StatisticsReference] {
        let process = Process()
        let (source, output) = (Pipe(), Pipe())
        process.executableURL = Python.executable
        process.arguments = [folder.appending(path: "statistics_reference.py").path]
        (process.standardInput, process.standardOutput) = (source, output)
        try process.run()
        try source.fileHandleForWriting.write(
            contentsOf: unsafe input.withUnsafeBytes { unsafe Data($0) })
        try source.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try JSONDecoder().decode([StatisticsReference].self, from: text)
    }
}
