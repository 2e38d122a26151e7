import Color
import Glibc
import Testing

@testable import Pixels

@Suite("Lightness ramp")
struct LightnessRampTests {
    @Test("the ramp's L* rises linearly from 10 to 90, to 0.1", arguments: 0..<256)
    func straight(index: Int) {
        #expect(abs(LightnessRamp.colors[index].lightness - (10 + 80 * Double(index) / 255)) < 0.1)
    }

    @Test("each step of the ramp raises L* by 80 / 255, to 0.15", arguments: 1..<256)
    func even(index: Int) {
        let step = LightnessRamp.colors[index].lightness - LightnessRamp.colors[index - 1].lightness
        #expect(abs(step - 80.0 / 255) < 0.15)
    }

    @Test("a step of the ramp changes each channel by at most 4 code values", arguments: 1..<256)
    func smooth(index: Int) {
        let (one, other) = (LightnessRamp.colors[index - 1], LightnessRamp.colors[index])
        let changes = [(one.r, other.r), (one.g, other.g), (one.b, other.b)].map { abs(Int($0) - Int($1)) }
        #expect(changes.allSatisfy { $0 <= 4 })
    }

    @Test("the ramp stays inside sRGB: no channel is clipped to 0 or 255")
    func inGamut() {
        let channels = LightnessRamp.colors.flatMap { [$0.r, $0.g, $0.b] }
        #expect(channels.allSatisfy { (1...254).contains($0) })
    }

    @Test("the ramp begins with dark blue")
    func first() {
        let color = LightnessRamp.colors[0]
        #expect(color.b > 64 && color.r < 32 && color.g < 32, "\(color.hex)")
    }

    @Test("the ramp ends with yellow")
    func last() {
        let color = LightnessRamp.colors[255]
        #expect(color.r > 224 && color.g > 224 && color.b < 128, "\(color.hex)")
    }
}

extension RGB8 {
    /// The L* of CIELAB under D65 (CIE 15:2018, 8.2.1).
    fileprivate var lightness: Double {
        let y = relativeLuminance
        let linear = y * 24389 / 27
        return linear <= 8 ? linear : 116 * cbrt(y) - 16
    }
}
