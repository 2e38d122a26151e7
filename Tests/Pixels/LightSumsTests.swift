import Color
import Testing

@testable import Pixels

@Suite("Sums of light")
struct LightSumsTests {
    /// Returns the sums of the light of some pixels, whose channels are in units of which 262,143 are white.
    private func sums(_ pixels: [(Int64, Int64, Int64)]) -> PictureSums {
        LightSums.sums(ofPixels: pixels.count) { sink in
            for (r, g, b) in pixels {
                sink.take(UInt64(r + (1 << 20)) | UInt64(g + (1 << 20)) << 21 | UInt64(b + (1 << 20)) << 42)
            }
        }
    }

    private func light(_ value: Int64) throws -> Double { try #require(sums([(value, 0, 0)]).linear).r }

    /// Both ends of each piece of the curve, and the values between them at which a parabola is farthest from it.
    private static let values: [Int64] = stride(from: Int64(-20), to: 262_144, by: 128).flatMap { start in
        ([0, 32, 96, 127] as [Int64]).map { start + $0 }
    }.filter { (0...262_143).contains($0) }

    @Test("values have the light of sRGB's transfer function, within 2^-29")
    func exact() throws {
        var worst = 0.0
        for value in Self.values {
            worst = max(worst, abs(try light(value) - SRGB.linear(Double(value) / 262_143)))
        }
        #expect(worst <= 1.0 / 536_870_912)
    }

    @Test("values up to black have no light, and values from white on have all of it", arguments: [0, -1, -500_000])
    func ends(below: Int64) throws {
        #expect(try light(below) == 0)
        #expect(try light(262_143 - below) == 1)
    }

    @Test("a greater value has more light")
    func order() throws {
        let lights = try Self.values.map { try light($0) }
        #expect(zip(lights, lights.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(
        "the sums of many pixels are those of the single pixels, in every channel",
        arguments: [1, 255, 256, 257, 1000])
    func many(count: Int64) throws {
        func value(_ index: Int64, _ step: Int64) -> Int64 { index * step % 262_144 }
        let pixels = (0..<count).map { (value($0, 131), value($0, 1031), value($0, 260_003)) }
        let ones = try pixels.map { try #require(sums([$0]).linear) }
        let all = try #require(sums(pixels).linear)
        #expect(all.r == ones.reduce(0) { $0 + $1.r } / Double(count))
        #expect(all.g == ones.reduce(0) { $0 + $1.g } / Double(count))
        #expect(all.b == ones.reduce(0) { $0 + $1.b } / Double(count))
    }
}
