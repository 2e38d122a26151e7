import Color
import TestSupport
import Testing

@testable import Pixels

@Suite("Statistics of a region")
struct StatisticsTests {
    @Test("a channel is clipped from 0.5 downwards and from 254.5 upwards, before it is clamped")
    func clipping() throws {
        // In units of which 1028.0157 are a code value.
        let values: [Int64] = [515, 514, 0, -515, 261_628, 261_629, 262_143, 262_658, 131_072, 131_072]
        let statistics = try #require(Self.statistics(values.map { ($0, 131_072, 131_072) }))
        #expect(statistics.clippedLow == ChannelFigures(r: 0.3, g: 0, b: 0))
        #expect(statistics.clippedHigh == ChannelFigures(r: 0.3, g: 0, b: 0))
    }

    @Test("clipping is counted separately in each channel")
    func channels() throws {
        let values: [(Int64, Int64, Int64)] = [(1000, 0, 262_143), (1000, 0, 262_143), (1000, 514, 1000), (1000, 0, 0)]
        let statistics = try #require(Self.statistics(values))
        #expect(statistics.clippedLow == ChannelFigures(r: 0, g: 1, b: 0.25))
        #expect(statistics.clippedHigh == ChannelFigures(r: 0, g: 0, b: 0.5))
    }

    @Test(
        "a pixel is out of gamut below -0.5 and above 255.5 in any channel",
        arguments: [(-514, 0), (-515, 1), (262_657, 0), (262_658, 1), (-200_000, 1), (500_000, 1)])
    func gamut(value: Int64, count: Double) throws {
        for pixel: (Int64, Int64, Int64) in [(value, 9, 9), (9, value, 9), (9, 9, value), (value, value, value)] {
            #expect(try #require(Self.statistics([pixel])).outOfGamut == count)
        }
    }

    @Test("the median of an even number of pixels is the mean of the middle two, and of an odd number the middle one")
    func median() throws {
        let codes: [Int64] = [10, 250, 20, 23]
        let even = try #require(Self.statistics(codes.map { ($0 * 1028, 0, 0) }))
        #expect(even.median == RGB(r: 21.5, g: 0, b: 0))
        #expect((even.minimum.r, even.maximum.r) == (10, 250))
        let odd = try #require(Self.statistics(codes.dropLast().map { ($0 * 1028, 0, 0) }))
        #expect(odd.median.r == 20)
    }

    @Test("the standard deviation is that of a sample, and a single pixel has none")
    func deviation() throws {
        let two = try #require(Self.statistics([(0, 0, 262_143), (262_143, 0, 262_143)]))
        // 255 / sqrt(2)
        #expect(abs((two.standardDeviation?.r ?? 0) - 180.31222920256963) < 1e-9)
        #expect(two.standardDeviation?.g == 0 && two.standardDeviation?.b == 0)
        #expect(try #require(Self.statistics([(1, 2, 3)])).standardDeviation == nil)
    }

    @Test("the dominant colour is the mean of the fullest bin and its neighbours, with their share")
    func dominant() throws {
        // Bins are 8 code values wide: 103 and 104 are on both sides of a border, 120 is two bins from 103.
        let codes: [Int64] = [104, 104, 104, 103, 120, 96, 200, 200]
        let statistics = try #require(
            Self.statistics(codes.map { ($0 * 1028 + 3, 257, 262_143) }))
        let unit = 262_143.0 / 255
        #expect(statistics.dominant.share == 0.625)
        let expected = (3.0 * 104 + 103 + 96) / 5 * 1028 + 3
        #expect(abs(statistics.dominant.color.r - expected / unit) < 1e-9)
        #expect(abs(statistics.dominant.color.g - 257 / unit) < 1e-9)
        #expect(statistics.dominant.color.b == 255)
    }

    @Test("of several fullest bins, the dominant colour is that with the least red, then green, then blue")
    func ties() throws {
        let (low, high): (Int64, Int64) = (40 * 1028, 200 * 1028)
        let pairs: [((Int64, Int64, Int64), (Int64, Int64, Int64))] = [
            ((low, high, high), (high, low, low)), ((low, low, high), (low, high, low)),
            ((high, high, low), (high, high, high)),
        ]
        for (first, second) in pairs {
            for pixels in [[first, second], [second, first]] {
                let color = try #require(Self.statistics(pixels)).dominant.color.rounded
                #expect(color == RGB8(r: Self.code(first.0), g: Self.code(first.1), b: Self.code(first.2)))
            }
        }
    }

    @Test("pixels beyond the number that was announced do not count")
    func tooMany() throws {
        let statistics = try #require(
            PixelTally.statistics(ofPixels: 2, in: Self.everyPixel(2), regionPixels: 2, coverage: nil) { sink in
                for _ in 0..<3 { sink.take(1 << 20 | 1 << 41 | 1 << 62) }
            }?.statistics)
        #expect(statistics.pixels == 2 && statistics.histogram.r[0] == 2)
    }

    @Test(
        "pictures whose bytes are all 255 do not overflow, and in RGB and grey they are white in every figure",
        arguments: PixelFormat.all.filter { $0.word == .byte }.map(\.fourCC))
    func white(fourCC: String) throws {
        let format = try #require(PixelFormat.named(fourCC))
        // All bytes 255 is white in RGB and grey; in Y'CbCr, it is a colour out of gamut, and in HSV black or white.
        var random = SeededGenerator(seed: 1)
        let picture = RandomPicture(
            format, width: 640, height: 480, codes: 255...255,
            encoding: ColorEncoding(matrix: .bt601, range: .full, hueScale: .steps255), using: &random)
        let analyser = try #require(Analyser(layout: picture.layout, region: .full))
        let memory = try picture.buffers.map { try GuardedMemory($0) }
        let colors = try #require(memory.lent { analyser.colors(of: $0, $1, $2, withStatistics: true) })
        let statistics = try #require(colors.statistics)
        #expect(statistics.pixels == 6279 && statistics.regionPixels == 307_200)
        let counts = [statistics.histogram.r, statistics.histogram.g, statistics.histogram.b]
        #expect(counts.map { $0.reduce(0, +) } == [6279, 6279, 6279])
        #expect(statistics.standardDeviation == ChannelFigures(r: 0, g: 0, b: 0))
        #expect(statistics.dominant.share == 1)
        guard format.model == .rgb || format.model == .grey else { return }
        #expect(statistics.minimum == RGB(r: 255, g: 255, b: 255) && statistics.dominant.color == statistics.minimum)
        #expect(statistics.clippedHigh == ChannelFigures(r: 1, g: 1, b: 1) && statistics.outOfGamut == 0)
        #expect(colors.light.linear == LinearRGB(r: 1, g: 1, b: 1))
    }

    @Test("the codes of limited RGB beyond black and white are out of gamut")
    func limitedRGB() throws {
        var random = SeededGenerator(seed: 1)
        let format = try #require(PixelFormat.named("RGB3"))
        for (code, outside, clipped) in [(UInt8(15), 1.0, 0.0), (16, 0, 0), (235, 0, 1), (236, 1, 1)] {
            let picture = RandomPicture(
                format, width: 4, height: 4, codes: code...code,
                encoding: ColorEncoding(matrix: .bt601, range: .limited), using: &random)
            let analyser = try #require(Analyser(layout: picture.layout, region: .full))
            let bytes = picture.buffers[0]
            let colors = unsafe analyser.colors(of: bytes.span.bytes, withStatistics: true)
            let statistics = try #require(colors?.statistics)
            #expect(statistics.outOfGamut == outside)
            #expect(statistics.clippedHigh.g == clipped && statistics.clippedLow.g == 1 - clipped)
        }
    }

    @Test("light is that of every pixel if the analyser averages light, otherwise that of the grid")
    func light() throws {
        var random = SeededGenerator(seed: 3)
        let format = try #require(PixelFormat.named("YUYV"))
        let picture = RandomPicture(format, width: 400, height: 300, codes: 0...255, using: &random)
        let bytes = picture.buffers[0]
        let every = try #require(Analyser(layout: picture.layout, region: .full, average: .linear))
        let grid = try #require(Analyser(layout: picture.layout, region: .full))
        let all = try #require(unsafe every.colors(of: bytes.span.bytes, withStatistics: true))
        let some = try #require(unsafe grid.colors(of: bytes.span.bytes, withStatistics: true))
        let without = try #require(unsafe grid.colors(of: bytes.span.bytes, withStatistics: false))
        #expect(all.light.linear == all.sums.linear)
        #expect(some.light.linear != all.light.linear)
        #expect(without.statistics == nil && without.light.linear == some.light.linear)
    }

    @Test(
        "a region of up to 50,000 pixels is read in full, and up to 8,192 pixels of a larger one",
        arguments: [
            (250, 200, 1, 1, 50000),
            (50001, 1, 7, 7, 7143),
            (320, 240, 3, 5, 5136),
            (640, 480, 7, 7, 6279),
            (1, 1, 1, 1, 1),
            (1920, 1080, 15, 17, 8192),
        ])
    func grid(width: Int, height: Int, xStep: Int, yStep: Int, count: Int) {
        let grid = PixelGrid(samplesOf: PixelRect(x: 7, y: 9, width: width, height: height))
        #expect((grid.xStep, grid.yStep) == (xStep, yStep))
        #expect(grid.count == count)
        #expect(Array(grid.columns).count * Array(grid.rows).count == count)
        #expect(grid.columns.allSatisfy { (7..<7 + width).contains($0) })
        #expect(grid.rows.allSatisfy { (9..<9 + height).contains($0) })
    }

    @Test(
        "regions that share a picture share the number of pixels that are read for statistics",
        arguments: [(16, 3125, 3125), (16, 3126, 256), (96, 520, 520), (96, 90_000, 256), (2, 90_000, 2048)])
    func sharedGrid(count: Int, pixels: Int, most: Int) {
        let grid = PixelGrid(samplesOf: PixelRect(x: 0, y: 0, width: pixels, height: 1), sharedBy: count)
        #expect(grid.count <= most)
        #expect(grid.count > most / 2)
    }

    @Test("an analyser of another region of a picture reads what one of its own would read")
    func otherRegion() throws {
        var random = SeededGenerator(seed: 5)
        let format = try #require(PixelFormat.named("YUYV"))
        let picture = RandomPicture(format, width: 64, height: 32, codes: 0...255, using: &random)
        let (layout, bytes) = (picture.layout, picture.buffers[0])
        let part = Region(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
        for average in Average.allCases {
            let whole = try #require(Analyser(layout: layout, region: .full, average: average))
            let probe = try #require(whole.reading(Area(part), oneOf: 4))
            let own = try #require(Analyser(layout: layout, region: part, average: average))
            let found = try #require(unsafe probe.colors(of: bytes.span.bytes, withStatistics: true))
            let expected = try #require(unsafe own.colors(of: bytes.span.bytes, withStatistics: true))
            #expect(probe.rect == own.rect)
            #expect(found.sums.mean == expected.sums.mean)
            #expect(found.light.linear == expected.light.linear)
            #expect(found.statistics == expected.statistics)
        }
    }

    private static func statistics(_ pixels: [(Int64, Int64, Int64)]) -> RegionStatistics? {
        PixelTally.statistics(
            ofPixels: pixels.count, in: everyPixel(pixels.count), regionPixels: pixels.count, coverage: nil
        ) { sink in
            for (r, g, b) in pixels {
                sink.take(UInt64(r + (1 << 20)) | UInt64(g + (1 << 20)) << 21 | UInt64(b + (1 << 20)) << 42)
            }
        }?.statistics
    }

    private static func everyPixel(_ count: Int) -> PixelBlocks {
        PixelBlocks(PixelGrid(everyPixelOf: PixelRect(x: 0, y: 0, width: count, height: 1)), in: nil)
    }

    private static func code(_ value: Int64) -> UInt8 { UInt8(value / 1028) }
}
