import Color
import TestSupport
import Testing

@testable import Pixels

@Suite("Coverage")
struct CoverageTests {
    /// A table with one target: the colours with more red than a code value.
    private static func table(redAbove limit: Double) throws -> CoverageTable {
        try #require(
            CoverageTable(targetCount: 1) { low, high in
                let within: UInt64 = (low.r + high.r) / 2 > limit ? 1 : 0
                return CoverageTable.Cell(within: within, mixed: low.r < limit && limit < high.r ? 1 : 0)
            })
    }

    /// A picture of RGB whose pixels a function gives.
    private static func picture(
        _ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8)
    ) throws -> (layout: PictureLayout, bytes: [UInt8]) {
        let format = try #require(PixelFormat.named("RGB3"))
        let bytes = (0..<width * height).flatMap { index in
            let (r, g, b) = color(index % width, index / width)
            return [r, g, b]
        }
        return (
            PictureLayout(
                format: format, encoding: ColorEncoding(matrix: .bt601, range: .full), width: width, height: height,
                bytesPerLine: [3 * width]), bytes
        )
    }

    private static func coverage(
        _ picture: (layout: PictureLayout, bytes: [UInt8]), _ area: Area = Area(.full), redAbove limit: Double = 128
    ) throws -> Coverage {
        let whole = try #require(Analyser(layout: picture.layout, region: .full))
        let analyser = try #require(whole.reading(area, oneOf: 1))
        let colors = unsafe analyser.colors(
            of: picture.bytes.span.bytes, withStatistics: true, coverage: try Self.table(redAbove: limit))
        return try #require(colors?.coverage.first)
    }

    @Test("it is the share of the pixels within a target")
    func share() throws {
        let picture = try Self.picture(80, 60) { x, _ in x < 20 ? (200, 10, 10) : (20, 10, 10) }
        #expect(try Self.coverage(picture).share == 0.25)
    }

    @Test("of an ellipse, only the pixels count whose centres are inside")
    func ellipse() throws {
        let picture = try Self.picture(100, 80) { x, y in (x * y) % 3 == 0 ? (200, 10, 10) : (20, 10, 10) }
        let region = Region(x: 0.123, y: 0.21, width: 0.51, height: 0.43)
        var (inside, red) = (0, 0)
        for y in 0..<80 {
            for x in 0..<100 {
                let dx = (Double(x) + 0.5 - (0.123 + 0.255) * 100) / 25.5
                let dy = (Double(y) + 0.5 - (0.21 + 0.215) * 80) / 17.2
                guard dx * dx + dy * dy <= 1 else { continue }
                inside += 1
                red += (x * y) % 3 == 0 ? 1 : 0
            }
        }
        let found = try Self.coverage(picture, Area(region, shape: .ellipse))
        #expect(abs(found.share - Double(red) / Double(inside)) < 1e-9)
    }

    @Test("the mean, the light and the statistics of an ellipse are those of its pixels", arguments: Average.allCases)
    func ellipseFigures(_ average: Average) throws {
        let picture = try Self.picture(64, 48) { x, y in (UInt8(4 * x), UInt8(5 * y), 40) }
        let region = Region(x: 0.1, y: 0.2, width: 0.7, height: 0.6)
        var pixels: [RGB] = []
        for y in 0..<48 {
            for x in 0..<64 {
                let (dx, dy) = ((Double(x) + 0.5 - 28.8) / 22.4, (Double(y) + 0.5 - 24) / 14.4)
                if dx * dx + dy * dy <= 1 { pixels.append(RGB(r: 4 * Double(x), g: 5 * Double(y), b: 40)) }
            }
        }
        let whole = try #require(Analyser(layout: picture.layout, region: .full, average: average))
        let analyser = try #require(whole.reading(Area(region, shape: .ellipse), oneOf: 1))
        let colors = try #require(unsafe analyser.colors(of: picture.bytes.span.bytes, withStatistics: true))
        let statistics = try #require(colors.statistics)
        #expect(statistics.regionPixels == pixels.count && statistics.pixels == pixels.count)
        #expect(statistics.maximum.r == pixels.map(\.r).max() && statistics.minimum.g == pixels.map(\.g).min())
        let light = pixels.map { SRGB.linear($0.r / 255) }.reduce(0, +) / Double(pixels.count)
        #expect(abs(try #require(colors.light.linear).r - light) < 1e-5)
        let mean = average == .srgb ? pixels.map(\.r).reduce(0, +) / Double(pixels.count) : 255 * SRGB.encoded(light)
        #expect(abs(colors.sums.mean.r - mean) < 0.005)
    }

    @Test("an ellipse that is smaller than a pixel has the one in its middle")
    func tinyEllipse() throws {
        let picture = try Self.picture(64, 48) { _, _ in (200, 10, 10) }
        let region = Region(x: 0.5001, y: 0.5001, width: 0.001, height: 0.001)
        #expect(try Self.coverage(picture, Area(region, shape: .ellipse)).share == 1)
    }

    @Test("in 95 % of pictures of spots and noise, the true share is within two standard errors")
    func standardError() throws {
        var random = SeededGenerator(seed: 7)
        var hits = 0
        for _ in 0..<200 {
            let spots = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                (
                    x: Double.random(in: 0...400, using: &random), y: Double.random(in: 0...300, using: &random),
                    radius: Double.random(in: 10...80, using: &random)
                )
            }
            var exact = 0
            let picture = try Self.picture(400, 300) { x, y in
                let isSpot = spots.contains { spot in
                    let (dx, dy) = (Double(x) - spot.x, Double(y) - spot.y)
                    return dx * dx + dy * dy < spot.radius * spot.radius
                }
                let red = Int.random(in: -25...25, using: &random) + (isSpot ? 150 : 105)
                exact += red > 128 ? 1 : 0
                return (UInt8(red), 60, 60)
            }
            let found = try Self.coverage(picture)
            let share = Double(exact) / (400 * 300)
            hits += abs(found.share - share) <= 2 * found.standardError ? 1 : 0
        }
        #expect(hits >= 190)
    }

    @Test("a colour at the edge of a target makes its share uncertain, by what the table does not tell apart")
    func edge() throws {
        let picture = try Self.picture(80, 60) { _, _ in (128, 10, 10) }
        #expect(try Self.coverage(picture, redAbove: 128.1).standardError > 0.28)
        #expect(try Self.coverage(picture, redAbove: 140).standardError == 0)
    }
}
