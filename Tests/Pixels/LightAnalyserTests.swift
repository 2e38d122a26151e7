import Color
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

    @Test("a light of which every pixel is overexposed has no glow")
    func overexposed() throws {
        #expect(try frame(coreRadius: 10, glowRadius: 10, shape: .ellipse, size: 12).glow == nil)
    }
}
