import Color
import Glibc
import Testing

@testable import Pixels

@Suite("Lightness ramp")
struct LightnessRampTests {
    @Test("the ramp's L* rises linearly from 10 to 90, in even steps that change no channel by much")
    func straight() {
        let colors = LightnessRamp.colors
        for (index, color) in colors.enumerated() {
            #expect(abs(color.lightness - (10 + 80 * Double(index) / 255)) < 0.1)
            guard index > 0 else { continue }
            let last = colors[index - 1]
            #expect(abs(color.lightness - last.lightness - 80.0 / 255) < 0.15)
            let changes = [(last.r, color.r), (last.g, color.g), (last.b, color.b)].map { abs(Int($0) - Int($1)) }
            #expect(changes.allSatisfy { $0 <= 4 })
        }
    }

    @Test("the ramp begins with dark blue, ends with yellow, and stays inside sRGB: no channel is clipped")
    func ends() {
        let (first, last) = (LightnessRamp.colors[0], LightnessRamp.colors[255])
        #expect(first.b > 64 && first.r < 32 && first.g < 32, "\(first.hex)")
        #expect(last.r > 224 && last.g > 224 && last.b < 128, "\(last.hex)")
        #expect(LightnessRamp.colors.flatMap { [$0.r, $0.g, $0.b] }.allSatisfy { (1...254).contains($0) })
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
