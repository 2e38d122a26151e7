import TestSupport
import Testing

@testable import Pixels

@Suite("Regions of oriented pictures")
struct OrientedRegionTests {
    /// A region of three by two tenths near the top left, in every orientation.
    static let regions: [(Orientation.Rotation, isMirrored: Bool, Region)] = [
        (.degrees0, false, Region(x: 0.1, y: 0.2, width: 0.3, height: 0.2)),
        (.degrees0, true, Region(x: 0.6, y: 0.2, width: 0.3, height: 0.2)),
        (.degrees90, false, Region(x: 0.2, y: 0.6, width: 0.2, height: 0.3)),
        (.degrees90, true, Region(x: 0.2, y: 0.1, width: 0.2, height: 0.3)),
        (.degrees180, false, Region(x: 0.6, y: 0.6, width: 0.3, height: 0.2)),
        (.degrees180, true, Region(x: 0.1, y: 0.6, width: 0.3, height: 0.2)),
        (.degrees270, false, Region(x: 0.6, y: 0.1, width: 0.2, height: 0.3)),
        (.degrees270, true, Region(x: 0.6, y: 0.6, width: 0.2, height: 0.3)),
    ]

    @Test("a region of an oriented picture corresponds to a region of the camera's picture", arguments: regions)
    func fractions(rotation: Orientation.Rotation, isMirrored: Bool, expected: Region) {
        let region = Orientation(rotation: rotation, isMirrored: isMirrored)
            .unoriented(Region(x: 0.1, y: 0.2, width: 0.3, height: 0.2))
        for side in [\Region.x, \.y, \.width, \.height] {
            #expect(abs(region[keyPath: side] - expected[keyPath: side]) < 1e-12)
        }
    }

    @Test("the full oriented picture corresponds to the full picture of the camera", arguments: Orientation.all)
    func full(orientation: Orientation) {
        #expect(orientation.unoriented(.full) == .full)
        #expect(orientation.unoriented(.full, width: 7, height: 3) == .full)
    }

    @Test("the mean of the exact region equals that of the oriented picture's region", arguments: Orientation.all)
    func means(orientation: Orientation) throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<40 {
            let (width, height) = (Int.random(in: 1...50, using: &random), Int.random(in: 1...50, using: &random))
            let bitmap = try #require(Bitmap(width: width, height: height, random: &random))
            let oriented = orientation.applied(to: bitmap)
            // Eighths often fall on the middle of a pixel.
            let region = Region.random(in: Bool.random(using: &random) ? 8 : 1009, using: &random)
            let exact = orientation.unoriented(region, width: width, height: height)
            let shown = oriented.mean(region)
            let read = bitmap.mean(exact)
            #expect(shown != nil && read == shown, "\(region) of \(width) x \(height)")
        }
    }

    @Test(
        "the mean of the fractional region is equal for sizes at which it does not cut pixels",
        arguments: Orientation.all)
    func meansOfFractions(orientation: Orientation) throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<10 {
            let bitmap = try #require(Bitmap(width: 40, height: 24, random: &random))
            let region = Region.random(in: 8, using: &random)
            let shown = orientation.applied(to: bitmap).mean(region)
            let read = bitmap.mean(orientation.unoriented(region))
            #expect(shown != nil && read == shown)
        }
    }

    @Test(
        "the region's mean in a camera's format equals that of the rendered picture, to its rounding",
        arguments: Orientation.all)
    func meansOfCameraPictures(orientation: Orientation) throws {
        var random = SeededGenerator(seed: 6)
        let format = try #require(PixelFormat.named("YUYV"))
        for _ in 0..<5 {
            let picture = RandomPicture(format, width: 51, height: 30, using: &random)
            let region = Region.random(in: 3, using: &random)
            let exact = orientation.unoriented(region, width: 51, height: 30)
            let analyser = try #require(Analyser(layout: picture.layout, region: exact))
            let memory = try picture.buffers.map { try GuardedMemory($0) }
            let sums = memory.lent { analyser.sums(of: $0, $1, $2) }
            let read = try #require(sums).mean
            let bitmap = try #require(try picture.rendered())
            let shown = try #require(orientation.applied(to: bitmap).mean(region))
            #expect(shown.distance(to: read) < 0.1)
        }
    }
}

extension Region {
    /// Returns a random region with edges at multiples of a fraction.
    fileprivate static func random(in parts: Int, using random: inout SeededGenerator) -> Region {
        let (x, y) = (Int.random(in: 0..<parts, using: &random), Int.random(in: 0..<parts, using: &random))
        let (right, bottom) = (
            Int.random(in: x + 1...parts, using: &random), Int.random(in: y + 1...parts, using: &random)
        )
        let part = Double(parts)
        return Region(
            x: Double(x) / part, y: Double(y) / part, width: Double(right - x) / part, height: Double(bottom - y) / part
        )
    }
}
