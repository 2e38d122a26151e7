import Color
import Foundation
import TestSupport
import Testing

@testable import Pixels

@Suite("What a picture shows of a light")
struct LightAnalyserTests {
    /// A picture of RGB with a round light in its middle, and what an area around the light shows.
    private func frame(
        room: UInt8 = 40, core: (UInt8, UInt8, UInt8) = (255, 255, 255), glow: (UInt8, UInt8, UInt8) = (200, 60, 50),
        coreRadius: Double = 4, glowRadius: Double = 8, shape: Shape = .ellipse, size: Double = 20
    ) throws -> LightFrame {
        let format = try #require(PixelFormat.named("RGB3"))
        let layout = PictureLayout(
            format: format, encoding: ColorEncoding(matrix: .bt601, range: .full), width: 100, height: 80,
            bytesPerLine: [300])
        let bytes = (0..<8000).flatMap { index in
            let (dx, dy) = (Double(index % 100) - 49.5, Double(index / 100) - 39.5)
            let distance = (dx * dx + dy * dy).squareRoot()
            let color = distance < coreRadius ? core : distance < glowRadius ? glow : (room, room, room)
            return [color.0, color.1, color.2]
        }
        let region = Region(x: 0.5 - size / 200, y: 0.5 - size / 160, width: size / 100, height: size / 80)
        let whole = try #require(Analyser(layout: layout, region: .full))
        let analyser = try #require(LightAnalyser(Area(region, shape: shape), sharing: whole, oneOf: 1))
        return try #require(unsafe analyser.frame(of: bytes.span.bytes))
    }

    @Test("the room is the dark around the light, also if the light fills its area", arguments: [8.0, 20, 60])
    func room(size: Double) throws {
        let found = try frame(size: size).room
        #expect(abs(found.r - SRGB.linear(40 / 255)) < 0.001)
    }

    @Test("the level is the mean luminance of the area above that of the room", arguments: Shape.allCases)
    func level(shape: Shape) throws {
        let room = SRGB.linear(40.0 / 255)
        let share = shape == .ellipse ? 1 : Double.pi / 4
        let expected = share * (1 - room)
        #expect(abs(try frame(coreRadius: 10, glowRadius: 10, shape: shape).level - expected) < 0.02)
        #expect(abs(try frame(core: (40, 40, 40), glow: (40, 40, 40)).level) < 0.001)
    }

    @Test("the glow has neither the overexposed core nor the room's light")
    func glow() throws {
        let glow = try #require(try frame().glow)
        let room = SRGB.linear(40.0 / 255)
        #expect(abs(glow.r - (SRGB.linear(200.0 / 255) - room)) < 0.003)
        #expect(abs(glow.g - (SRGB.linear(60.0 / 255) - room)) < 0.003)
    }

    /// Lamps of any colour, up to 30 times as bright as white in their middle, in rooms of any light, with noise. `SWATCHCAM_SIMULATIONS`
    /// is their number.
    @Test("the glow of a lamp has the lamp's colour to within ΔE00 6, at its own luminance, or is not known")
    func simulated() throws {
        let count = ProcessInfo.processInfo.environment["SWATCHCAM_SIMULATIONS"].flatMap(Int.init) ?? 60
        let (width, height) = (64, 48)
        let format = try #require(PixelFormat.named("RGB3"))
        let layout = PictureLayout(
            format: format, encoding: ColorEncoding(matrix: .bt601, range: .full), width: width, height: height,
            bytesPerLine: [3 * width])
        let whole = try #require(Analyser(layout: layout, region: .full))
        let area = Area(Region(x: 0.25, y: 0.25, width: 0.5, height: 0.5), shape: .ellipse)
        let analyser = try #require(LightAnalyser(area, sharing: whole, oneOf: 1))
        var random = SeededGenerator(seed: 5)
        var (wrong, unknown, worst) = (0, 0, 0.0)
        for _ in 0..<count {
            func channel() -> Double { Double.random(in: 0.02...1, using: &random) }
            let lamp = LinearRGB(r: channel(), g: channel(), b: channel())
            let peak = exp(Double.random(in: log(0.3)...log(30), using: &random))
            let width2 = pow(Double.random(in: 3...8, using: &random), 2)
            let room =
                LinearRGB(r: channel(), g: channel(), b: channel()) * Double.random(in: 0.005...0.15, using: &random)
            let noise = Double.random(in: 0.3...2, using: &random)
            let bytes = (0..<width * height).flatMap { index in
                let (dx, dy) = (Double(index % width) - 31.5, Double(index / width) - 23.5)
                let light = room + lamp * (peak * exp(-(dx * dx + dy * dy) / (2 * width2)))
                return [light.r, light.g, light.b].map { value in
                    let code = 255 * SRGB.encoded(value) + noise * random.normal()
                    return UInt8(min(max(code, 0), 255).rounded())
                }
            }
            guard let glow = try #require(unsafe analyser.frame(of: bytes.span.bytes)).glow else {
                unknown += 1
                continue
            }
            let truth = lamp * (glow.luminance / lamp.luminance)
            let difference = CIEDE2000(CIELab(truth), CIELab(glow)).total
            worst = max(worst, difference)
            if difference > 6 { wrong += 1 }
        }
        print("glow: \(wrong) wrong, \(unknown) unknown of \(count), worst \(worst)")
        #expect(wrong == 0 && unknown <= count / 10)
    }

    @Test("a light of which every pixel is overexposed has no glow")
    func overexposed() throws {
        #expect(try frame(coreRadius: 10, glowRadius: 10, shape: .ellipse, size: 12).glow == nil)
    }
}
