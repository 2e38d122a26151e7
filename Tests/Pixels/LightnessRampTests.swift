import Glibc
import Testing

@testable import Pixels

@Suite("The ramp of false colours")
struct LightnessRampTests {
    @Test("has L* on a straight line from 10 to 90, to 0.1", arguments: 0..<256)
    func straight(index: Int) {
        #expect(abs(LightnessRamp.colors[index].lightness - (10 + 80 * Double(index) / 255)) < 0.1)
    }

    @Test("rises in L* by 80 / 255 each step, to 0.15", arguments: 1..<256)
    func even(index: Int) {
        let step = LightnessRamp.colors[index].lightness - LightnessRamp.colors[index - 1].lightness
        #expect(abs(step - 80.0 / 255) < 0.15)
    }

    @Test("has no jumps: a step changes each channel by 4 code values at most", arguments: 1..<256)
    func smooth(index: Int) {
        let (one, other) = (LightnessRamp.colors[index - 1], LightnessRamp.colors[index])
        let changes = [(one.r, other.r), (one.g, other.g), (one.b, other.b)].map { abs(Int($0) - Int($1)) }
        #expect(changes.allSatisfy { $0 <= 4 })
    }

    @Test("never leaves sRGB: no channel is 0 or 255, where it would have been cut off")
    func inGamut() {
        let channels = LightnessRamp.colors.flatMap { [$0.r, $0.g, $0.b] }
        #expect(channels.allSatisfy { (1...254).contains($0) })
    }

    @Test("begins in dark blue")
    func first() {
        let color = LightnessRamp.colors[0]
        #expect(color.b > 64 && color.r < 32 && color.g < 32, "\(color.hex)")
    }

    @Test("ends in yellow")
    func last() {
        let color = LightnessRamp.colors[255]
        #expect(color.r > 224 && color.g > 224 && color.b < 128, "\(color.hex)")
    }
}

extension RGB8 {
    /// L* of CIELAB under D65 (CIE 15:2018, 8.2.1).
    fileprivate var lightness: Double {
        let y = relativeLuminance
        let linear = y * 24389 / 27
        return linear <= 8 ? linear : 116 * cbrt(y) - 16
    }
}
