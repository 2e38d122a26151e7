import Color
import Glibc
import Pixels
import Testing

@testable import Capture
@testable import State

@Suite("The painted frames of the test pattern")
struct TestPatternPainterTests {
    /// The published colours, row by row.
    static let published: [(r: Double, g: Double, b: Double)] = [
        (115, 82, 68), (194, 150, 130), (98, 122, 157), (87, 108, 67), (133, 128, 177), (103, 189, 170),
        (214, 126, 44), (80, 91, 166), (193, 90, 99), (94, 60, 108), (157, 188, 64), (224, 163, 46),
        (56, 61, 150), (70, 148, 73), (175, 54, 60), (231, 199, 31), (187, 86, 149), (8, 133, 161),
        (243, 243, 242), (200, 200, 200), (160, 160, 160), (122, 122, 121), (85, 85, 85), (52, 52, 52),
    ]

    /// Returns the middle of a patch, as docs/test-pattern.md gives it.
    static func middle(_ index: Int) -> Region {
        Region(
            x: 0.07 + 0.1 * Double(index % 6), y: 0.11 + 0.16 * Double(index / 6), width: 0.06, height: 0.10)
    }

    /// Returns the gains, as docs/test-pattern.md gives them.
    static func gains(at seconds: Double) -> (r: Double, g: Double, b: Double) {
        let angle = 2 * Double.pi * seconds / 60
        let brightness = 0.75 + 0.25 * cos(angle)
        return (brightness * (1 + 0.2 * sin(angle)), brightness, brightness * (1 - 0.2 * sin(angle)))
    }

    /// Returns a code value after a gain on its linear light (IEC 61966-2-1).
    static func lit(_ code: Double, _ gain: Double) -> Double {
        let light = gain * (code <= 0.04045 * 255 ? code / 255 / 12.92 : pow((code / 255 + 0.055) / 1.055, 2.4))
        return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
    }

    /// Returns the mean of a region, by channel.
    static func mean(_ bytes: [UInt8], width: Int, height: Int, _ region: Region) throws -> [Double] {
        let encoding = ColorEncoding(matrix: .bt601, range: .full)
        let format = try #require(PixelFormat.named("RGB3"))
        let layout = PictureLayout(
            format: format, encoding: encoding, width: width, height: height, bytesPerLine: [width * 3])
        let analyser = try #require(Analyser(layout: layout, region: region))
        let mean = try #require(unsafe analyser.mean(of: bytes.span.bytes))
        return [mean.r, mean.g, mean.b]
    }

    /// Returns the largest error of a patch's mean at a time, in code values, over frames of the same light.
    static func largestError(width: Int, height: Int, at seconds: Double, cycles: Int) throws -> Double {
        let painter = TestPatternPainter(width: width, height: height)
        var sums = [[Double]](repeating: [0, 0, 0], count: 24)
        for cycle in 0..<cycles {
            painter.paint(at: seconds + Double(cycle) * 60)
            for index in 0..<24 {
                let mean = try mean(painter.bytes, width: width, height: height, middle(index))
                for channel in 0..<3 { sums[index][channel] += mean[channel] / Double(cycles) }
            }
        }
        let gains = gains(at: seconds)
        return zip(sums, published).map { mean, color in
            max(
                abs(mean[0] - lit(color.r, gains.r)), abs(mean[1] - lit(color.g, gains.g)),
                abs(mean[2] - lit(color.b, gains.b)))
        }.max() ?? .infinity
    }

    @Test(
        "the mean of every patch's middle is its published colour in the lamp's light",
        arguments: [15, 26.6])
    func patches(seconds: Double) throws {
        #expect(try Self.largestError(width: 1920, height: 1080, at: seconds, cycles: 1) < 0.05)
    }

    @Test(
        "the patches are in their documented places at every size",
        arguments: [(160, 120, 60), (721, 481, 8), (480, 640, 8)])
    func sizes(width: Int, height: Int, cycles: Int) throws {
        // The smallest picture needs the most frames to average its noise out.
        #expect(try Self.largestError(width: width, height: height, at: 10, cycles: cycles) < 0.1)
    }

    @Test("the grey card, the ramp and the band of hues have the colours that are documented")
    func others() throws {
        let painter = TestPatternPainter(width: 640, height: 480)
        painter.paint(at: 0)
        func reads(_ color: [Double], _ x: Double, _ y: Double, _ width: Double, _ height: Double) throws -> Bool {
            let region = Region(x: x, y: y, width: width, height: height)
            let mean = try Self.mean(painter.bytes, width: 640, height: 480, region)
            return zip(mean, color).allSatisfy { abs($0 - $1) < 1.5 }
        }
        #expect(try reads([118, 118, 118], 0.74, 0.11, 0.18, 0.14))
        // A quarter and three quarters along the ramp.
        #expect(try reads([64, 64, 64], 0.19, 0.8, 0.02, 0.04))
        #expect(try reads([191, 191, 191], 0.49, 0.8, 0.02, 0.04))
        // Yellow lies a sixth along the band, cyan a half.
        #expect(try reads([230, 230, 44], 0.149, 0.87, 0.002, 0.04))
        #expect(try reads([44, 230, 230], 0.349, 0.87, 0.002, 0.04))
    }

    @Test("the same time and size give the same bytes, on every processor")
    func deterministic() {
        let (first, second) = (TestPatternPainter(width: 160, height: 120), TestPatternPainter(width: 160, height: 120))
        first.paint(at: 3)
        second.paint(at: 47.2)
        second.paint(at: 3)
        #expect(first.bytes == second.bytes)
        // Fowler, Noll and Vo's hash (FNV-1a). A translation of the painter into Python, with the same formulas but without
        // the C loops, painted a picture with the same hash.
        let hash = first.bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        #expect(hash == 5_330_213_259_738_941_271)
    }

    @Test("a nudge moves every pixel to the right, and a lamp that does not drift stays as at the start")
    func controls() {
        let (still, nudged) = (TestPatternPainter(width: 160, height: 120), TestPatternPainter(width: 160, height: 120))
        var controls = SceneControls()
        controls.lampDrifts = false
        still.paint(at: 20, controls)
        controls.nudge = 7
        nudged.paint(at: 20, controls)
        let start = TestPatternPainter(width: 160, height: 120)
        start.paint(at: 0)
        // The noise differs, by at most 6 code values on either side.
        var (greatest, sum) = (0, 0)
        for y in 0..<120 {
            for byte in 480 * y + 21..<480 * (y + 1) {
                let difference = abs(Int(nudged.bytes[byte]) - Int(still.bytes[byte - 21]))
                greatest = max(greatest, difference, abs(Int(start.bytes[byte]) - Int(still.bytes[byte])))
                sum += difference
            }
        }
        #expect(greatest <= 14 && sum < 2 * 120 * 459)
        controls.nudge = 0
        nudged.paint(at: 20, controls)
        #expect(nudged.bytes == still.bytes)
    }

    @Test("the noise of two frames of the same light differs, and scatters by its documented deviation")
    func noise() {
        let painter = TestPatternPainter(width: 640, height: 480)
        let card = Region(x: 0.74, y: 0.11, width: 0.18, height: 0.14).pixels(width: 640, height: 480)
        func pixels() -> [[Double]] {
            (card.y..<card.y + card.height).map { y in
                (card.x * 3..<(card.x + card.width) * 3).map { Double(painter.bytes[y * 1920 + $0]) }
            }
        }
        painter.paint(at: 0)
        let first = pixels().flatMap { $0 }
        painter.paint(at: 60)
        let second = pixels().flatMap { $0 }
        func deviation(_ values: [Double]) -> Double {
            let mean = values.reduce(0, +) / Double(values.count)
            return (values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(values.count)).squareRoot()
        }
        // The deviation of the noise is 1; rounding adds a twelfth to its square.
        #expect(abs(deviation(first) - 1.041) < 0.03)
        // Independent from frame to frame.
        #expect(abs(deviation(zip(first, second).map { $0 - $1 }) - 1.041 * 2.0.squareRoot()) < 0.04)
    }

    @Test("every size is painted and lit, however small", arguments: [(1, 1), (2, 3), (1, 1080), (1920, 1), (31, 17)])
    func anySize(width: Int, height: Int) {
        let painter = TestPatternPainter(width: width, height: height)
        func sum(at seconds: Double) -> Int {
            painter.paint(at: seconds)
            #expect(painter.bytes.count == width * height * 3)
            return painter.bytes.reduce(0) { $0 + Int($1) }
        }
        // The lamp is at its brightest at the start, and at its darkest after half a minute.
        let (bright, dark) = (sum(at: 0), sum(at: 30))
        #expect(dark > 0 && dark < bright)
    }

    @Test("the middle of no patch reaches 255 in any light")
    func unclipped() {
        let painter = TestPatternPainter(width: 160, height: 120)
        for second in stride(from: 0, to: 60, by: 4) {
            painter.paint(at: Double(second))
            for index in Self.published.indices {
                let rect = Self.middle(index).pixels(width: 160, height: 120)
                let rows = (rect.y..<rect.y + rect.height).map { y in
                    painter.bytes[3 * (y * 160 + rect.x)..<3 * (y * 160 + rect.x + rect.width)]
                }
                #expect(!rows.joined().contains(255), "patch \(index) at \(second) s")
            }
        }
    }

    @Test("the mean of the picture changes by a code value within two seconds, at any time")
    func moves() throws {
        let painter = TestPatternPainter(width: 160, height: 120)
        func mean(at seconds: Double) throws -> [Double] {
            painter.paint(at: seconds)
            return try Self.mean(painter.bytes, width: 160, height: 120, .full)
        }
        for second in stride(from: 0, to: 60, by: 4) {
            let (before, after) = try (mean(at: Double(second)), mean(at: Double(second) + 2))
            #expect((zip(before, after).map { abs($0 - $1) }.max() ?? 0) > 1, "from \(second) s")
        }
    }
}

@Suite("The lamp over the test pattern")
struct LampTests {
    @Test("the lamp changes nothing at the beginning of each cycle", arguments: [0.0, 60, 600, 86400])
    func beginning(seconds: Double) {
        #expect(Lamp.gains(at: seconds) == Lamp.Gains(red: 1, green: 1, blue: 1))
    }

    @Test("the lamp is warm on the way down, half as bright in the middle, and cool on the way up")
    func cycle() {
        func close(_ seconds: Double, _ red: Double, _ green: Double, _ blue: Double) -> Bool {
            let gains = Lamp.gains(at: seconds)
            return abs(gains.red - red) < 1e-9 && abs(gains.green - green) < 1e-9 && abs(gains.blue - blue) < 1e-9
        }
        #expect(close(15, 0.9, 0.75, 0.6))
        #expect(close(30, 0.5, 0.5, 0.5))
        #expect(close(45, 0.6, 0.75, 0.9))
        #expect(close(75, 0.9, 0.75, 0.6))
    }
}

@Suite("The noise of the test pattern")
struct SensorNoiseTests {
    @Test("the noise has a mean of exactly 0, and a standard deviation of one code value")
    func moments() {
        let values = SensorNoise.values(bytesPerLine: 0).map(Double.init)
        #expect(values.count == 65536)
        #expect(values.reduce(0, +) == 0)
        let variance = values.map { $0 * $0 }.reduce(0, +) / 65536
        #expect(abs(variance.squareRoot() / 256 - 1) < 0.01)
        // As in a normal distribution, 68.3 % lie within one deviation and 95.4 % within two.
        #expect(abs(Double(values.count { abs($0) <= 256 }) / 65536 - 0.683) < 0.01)
        #expect(abs(Double(values.count { abs($0) <= 512 }) / 65536 - 0.954) < 0.01)
    }

    @Test("a row that begins at the last position has as much noise as it has bytes")
    func wraps() {
        let values = SensorNoise.values(bytesPerLine: 100)
        #expect(values.count == 65636)
        #expect(Array(values.suffix(100)) == Array(values.prefix(100)))
    }

    @Test("neighbouring rows and frames begin at different positions of the noise")
    func positions() {
        let positions = (0..<100).flatMap { row in
            [0, 66667, 133_333].map { SensorNoise.position(row: row, microseconds: $0) }
        }
        #expect(Set(positions).count > 290)
        #expect(positions.allSatisfy { (0..<65536).contains($0) })
    }
}
