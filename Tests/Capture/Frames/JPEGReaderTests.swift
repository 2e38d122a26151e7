import JPEG
import Testing

@testable import Capture
@testable import Configuration
@testable import Pixels

/// Real images, at two scales.
@Suite("A reading of MJPG")
struct JPEGReaderTests {
    private static let (width, height) = (320, 240)

    /// An image of blocks of one colour each: with a little noise, or with pixels that are black or white in each channel.
    private static func image(seed: UInt32, isLoud: Bool) throws -> [UInt8] {
        var state = seed
        func random(_ range: ClosedRange<Int>) -> Int {
            state = state &* 1_664_525 &+ 1_013_904_223
            return range.lowerBound + Int(state >> 8) % range.count
        }
        let blocks = (0..<1200).map { _ in (random(90...160), random(90...160), random(90...160)) }
        let pixels = (0..<width * height).flatMap { index -> [UInt8] in
            let block = blocks[index / width / 8 * 40 + index % width / 8]
            return [block.0, block.1, block.2, 100].map {
                isLoud ? (random(0...3) == 0 ? 0 : 255) : UInt8($0 + random(-6...6))
            }
        }
        let encoder = try JPEGEncoder()
        return try encoder.encode(
            unsafe pixels.span.bytes, order: .rgbx, bytesPerLine: 4 * width, width: width, height: height, quality: 90)
    }

    private static let calm = Result { try image(seed: 1, isLoud: false) }
    private static let loud = Result { try image(seed: 2, isLoud: true) }

    private func reader(_ change: (inout Config) -> Void = { _ in }) -> JPEGReader {
        var config = Config()
        change(&config)
        return JPEGReader(width: Self.width, height: Self.height, config: config)
    }

    private func mean(_ image: [UInt8], by reader: inout JPEGReader) throws -> RGB {
        let sums = unsafe reader.sums(of: image.span.bytes)
        return try #require(sums).mean
    }

    private func difference(_ a: RGB, _ b: RGB) -> Double { max(abs(a.r - b.r), abs(a.g - b.g), abs(a.b - b.b)) }

    @Test("is within a quarter of a code value of every pixel's mean, whatever comes after what")
    func accuracy() throws {
        var full = reader { $0.camera.decode = .full }
        var auto = reader()
        let (calm, loud) = (try Self.calm.get(), try Self.loud.get())
        let sequence = [calm, calm, loud, loud, calm, loud] + [[UInt8]](repeating: calm, count: 90) + [loud, calm]
        for image in sequence {
            #expect(difference(try mean(image, by: &auto), try mean(image, by: &full)) <= 0.25)
        }
    }

    @Test("of a calm picture is taken at an eighth of its size, after it was compared")
    func eighth() throws {
        var auto = reader()
        let calm = try Self.calm.get()
        let compared = try mean(calm, by: &auto)
        let eighth = try mean(calm, by: &auto)
        // Not to the last bit: that is how one can tell.
        #expect(eighth != compared && difference(eighth, compared) <= 0.25)
    }

    @Test("of a loud picture is taken of every pixel")
    func loud() throws {
        var auto = reader()
        let loud = try Self.loud.get()
        let compared = try mean(loud, by: &auto)
        #expect(try mean(loud, by: &auto) == compared)
    }

    @Test(
        "is taken of every pixel where each counts by itself",
        arguments: [
            { $0.readings.region.width = 0.5 }, { $0.readings.average = .linear }, { $0.readings.frames = 2 },
        ] as [@Sendable (inout Config) -> Void])
    func everyPixel(change: @Sendable (inout Config) -> Void) throws {
        var auto = reader(change)
        let calm = try Self.calm.get()
        let compared = try mean(calm, by: &auto)
        #expect(try mean(calm, by: &auto) == compared)
    }

    @Test("is none of a damaged frame", arguments: [0, 1, 100])
    func damaged(length: Int) throws {
        var auto = reader()
        let cut = Array(try Self.calm.get().prefix(length))
        let sums = unsafe auto.sums(of: cut.span.bytes)
        #expect(sums == nil)
    }
}
