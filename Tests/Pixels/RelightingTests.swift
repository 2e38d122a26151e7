import Color
import Testing

@testable import Pixels

@Suite("A change of the light on a painted picture")
struct RelightingTests {
    private let quiet = [Int16](repeating: 0, count: 768)

    private func lit(_ scene: [UInt8], _ red: Double, _ green: Double, _ blue: Double) -> [UInt8] {
        var picture = [UInt8](repeating: 99, count: scene.count)
        Relighting(red: red, green: green, blue: blue).light(
            scene, bytesPerLine: scene.count, noise: quiet, offset: { _ in 0 }, into: &picture)
        return picture
    }

    @Test("gains of 1 change nothing")
    func unity() {
        let scene = (0..<768).map { UInt8($0 / 3) }
        #expect(lit(scene, 1, 1, 1) == scene)
    }

    @Test("a gain multiplies the linear light of its channel", arguments: [0.44, 0.8, 1.06])
    func gain(_ gain: Double) {
        let scene = (0..<768).map { UInt8($0 / 3) }
        let picture = lit(scene, gain, 1, 1.05)
        for code in 0..<256 {
            for (channel, gain) in [gain, 1, 1.05].enumerated() {
                let exact = min(SRGB.encoded(gain * SRGB.linear(Double(code) / 255)) * 255, 255)
                // Where the gain crosses from one part of the curve to the other, one more code value is allowed.
                let crosses = (code > 10) != (exact > 10.3)
                #expect(abs(Double(picture[code * 3 + channel]) - exact) < (crosses ? 1.6 : 0.51), "\(code), \(gain)")
            }
        }
    }

    @Test("noise is added before a value is rounded and limited to 0...255")
    func noise() {
        let noise: [Int16] = [127, 128, -128, -129, 1536, -1536]
        var picture = [UInt8](repeating: 99, count: 6)
        Relighting(red: 1, green: 1, blue: 1).light(
            [100, 100, 100, 100, 252, 3], bytesPerLine: 6, noise: noise, offset: { _ in 0 }, into: &picture)
        #expect(picture == [100, 101, 100, 99, 255, 0])
    }

    @Test("each row takes its noise from its own position")
    func rows() {
        var picture = [UInt8](repeating: 99, count: 9)
        Relighting(red: 1, green: 1, blue: 1).light(
            [UInt8](repeating: 50, count: 9), bytesPerLine: 3, noise: [0, 256, 512, 768, 1024],
            // The last position leaves too few values, so the row begins at 0.
            offset: { [2, 1, 3][$0] }, into: &picture)
        #expect(picture == [52, 53, 54, 51, 52, 53, 50, 51, 52])
    }

    @Test("a picture of another size, or with too little noise, is left alone")
    func mismatch() {
        var picture = [UInt8](repeating: 99, count: 3)
        let light = Relighting(red: 1, green: 1, blue: 1)
        light.light([1, 2, 3, 4, 5, 6], bytesPerLine: 3, noise: quiet, offset: { _ in 0 }, into: &picture)
        light.light([1, 2, 3], bytesPerLine: 3, noise: [0, 0], offset: { _ in 0 }, into: &picture)
        #expect(picture == [99, 99, 99])
    }
}
