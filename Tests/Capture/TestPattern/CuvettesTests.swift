import Color
import Glibc
import Metrology
import Pixels
import Testing

@testable import Capture

@Suite("The cuvettes of the test pattern")
struct CuvettesTests {
    @Test("the colours follow from the concentrations by Beer and Lambert's law, rounded")
    func law() throws {
        let blank = RGB(try #require(Cuvettes.all.first).color)
        for cuvette in Cuvettes.all {
            for (channel, absorptivity) in [
                (\RGB.r, Cuvettes.absorptivity.r), (\.g, Cuvettes.absorptivity.g), (\.b, Cuvettes.absorptivity.b),
            ] {
                let light = SRGB.linear(blank[keyPath: channel] / 255) * pow(10, -absorptivity * cuvette.concentration)
                #expect(abs(255 * SRGB.encoded(light) - RGB(cuvette.color)[keyPath: channel]) <= 0.5)
            }
        }
    }

    @Test(
        "the unknown is read from the dilution series within its interval, at any size",
        arguments: [(320, 240), (640, 480)])
    func lesson(width: Int, height: Int) throws {
        let encoding = ColorEncoding(matrix: .bt601, range: .full)
        let format = try #require(PixelFormat.named("RGB3"))
        let layout = PictureLayout(
            format: format, encoding: encoding, width: width, height: height, bytesPerLine: [width * 3])
        let painter = TestPatternPainter(width: width, height: height)
        /// Measures the light of the middle of a cuvette in 16 frames, each at the beginning of the lamp's cycle.
        func measured(_ index: Int) throws -> LightMeasurement {
            let place = Cuvettes.region(of: index)
            let middle = Region(
                x: place.x + 0.25 * place.width, y: place.y + 0.25 * place.height, width: 0.5 * place.width,
                height: 0.5 * place.height)
            let analyser = try #require(Analyser(layout: layout, region: middle))
            let lights = try (0..<16).map { frame in
                painter.paint(at: 60 * Double(frame))
                let bytes = painter.bytes
                return try #require(unsafe analyser.mean(of: bytes.span.bytes)).linear
            }
            let mean = try #require(lights.mean)
            let errors = ChannelFigures(
                try #require(lights.map { light in light.combined(with: mean) { ($0 - $1) * ($0 - $1) } }.mean))
            return LightMeasurement(
                light: mean, standardError: errors.map { ($0 / 15).squareRoot() }, degreesOfFreedom: 15)
        }
        let blank = try measured(0)
        let curve = try StandardCurve(
            Cuvettes.all.indices.dropLast().map { index in
                .init(
                    concentration: Cuvettes.all[index].concentration,
                    absorbance: Absorbance(of: try measured(index), blank: blank, dark: nil))
            })
        #expect(curve.channel == .red)
        #expect(curve.warning == nil)
        #expect(abs(curve.line.slope - Cuvettes.absorptivity.r) < 0.01 * Cuvettes.absorptivity.r)
        let unknown = try #require(Cuvettes.all.last)
        let found = try curve.concentration(
            of: Absorbance(of: try measured(Cuvettes.all.count - 1), blank: blank, dark: nil))
        let interval = try #require(found.interval)
        #expect(interval.contains(unknown.concentration))
        #expect(interval.upperBound - interval.lowerBound < 0.3)
    }
}
