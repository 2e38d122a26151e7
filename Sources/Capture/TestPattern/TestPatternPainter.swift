import Glibc
import Pixels
import State

/// A painter of the test pattern's frames. It paints the scene once, and lights it for each frame.
final class TestPatternPainter {
    /// The newest frame as R, G, B.
    private(set) var bytes: [UInt8] = []
    private let width: Int
    private let height: Int
    private var scene: [UInt8] = []
    /// The scene as the camera sees it: nudged.
    private var view: [UInt8] = []
    private var nudge = 0
    private var noise: [Int16] = []
    private var lamps: LampPainter

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        lamps = LampPainter(width: width, height: height)
    }

    /// Paints the frame for a time after the start, in seconds.
    func paint(at seconds: Double, _ controls: SceneControls = SceneControls()) {
        if bytes.isEmpty {
            scene = TestScene.paint(width: width, height: height)
            view = scene
            noise = SensorNoise.values(bytesPerLine: width * 3)
            bytes = scene
        }
        if controls.nudge != nudge {
            nudge = controls.nudge
            view = nudged()
        }
        let gains = Lamp.gains(at: controls.lampDrifts ? seconds : 0)
        let microseconds = Int64((seconds * 1e6).rounded())
        Relighting(red: gains.red, green: gains.green, blue: gains.blue).light(
            view, bytesPerLine: width * 3, noise: noise,
            offset: { SensorNoise.position(row: $0, microseconds: microseconds) }, into: &bytes)
        lamps.paint(at: microseconds, nudge: nudge, noise: noise, into: &bytes)
    }

    /// Returns the scene moved to the right. The first column fills what comes into view.
    private func nudged() -> [UInt8] {
        (0..<height).flatMap { y in
            let row = scene[3 * width * y..<3 * width * (y + 1)]
            let count = min(nudge, width)
            return (0..<count).flatMap { _ in row.prefix(3) } + row.dropLast(3 * count)
        }
    }
}

/// The lamp over the test pattern, whose brightness and colour change slowly.
enum Lamp {
    /// The time after which the lamp repeats itself, in seconds.
    static let period = 60.0

    /// The gains on the linear light of the three channels.
    struct Gains: Equatable {
        var red: Double
        var green: Double
        var blue: Double
    }

    /// Returns the gains at a time after the start, in seconds.
    ///
    /// All are 1 at the beginning of each cycle. The lamp dims to half its brightness and back, and is warm on the way
    /// down and cool on the way up.
    static func gains(at seconds: Double) -> Gains {
        let angle = 2 * Double.pi * (seconds / period - (seconds / period).rounded(.down))
        let brightness = 0.75 + 0.25 * cos(angle)
        let warmth = 0.2 * sin(angle)
        return Gains(red: brightness * (1 + warmth), green: brightness, blue: brightness * (1 - warmth))
    }
}

/// The noise of the test pattern's sensor: normally distributed, with a mean of 0 and a standard deviation of 1 code
/// value, independent from byte to byte.
///
/// The same noise is reused, but each row of each frame takes it from another position.
enum SensorNoise {
    /// The number of values after which the noise repeats itself. A row may begin at each of them.
    static let period = 1 << 16

    /// Makes the noise for rows of a given length, in units of 1/256 code value.
    static func values(bytesPerLine: Int) -> [Int16] {
        // The sum of twelve numbers that are uniform in 0...255 is close to normal, and its standard deviation is 256
        // (that of one is 256 / sqrt(12), except for 8 in a million). Each value is followed by its opposite, half the
        // period later, so that the mean is exactly 0.
        let half = (0..<period / 2).map { index in
            let sum = sumOfSixBytes(hash(UInt64(index) * 2)) + sumOfSixBytes(hash(UInt64(index) * 2 + 1))
            return Int16(sum - 12 * 255 / 2)
        }
        let all = half + half.map { -$0 }
        return all + (0..<bytesPerLine).map { all[$0 % all.count] }
    }

    /// Returns the sum of a number's lower six bytes, all of which are added at once: a loop over them would take a
    /// third of the time in which a debug build starts.
    private static func sumOfSixBytes(_ word: UInt64) -> Int {
        let lanes: UInt64 = 0x00FF_00FF_00FF
        let pairs = (word & lanes) + (word >> 8 & lanes)
        return Int((pairs &* 0x0001_0001_0001) >> 32 & 0xFFFF)
    }

    /// Returns the position at which a row begins.
    /// - Parameter microseconds: The time of the frame after the start.
    static func position(row: Int, microseconds: Int64) -> Int {
        let seed = UInt64(bitPattern: microseconds) &* 0x1_0000 &+ UInt64(truncatingIfNeeded: row)
        return Int(hash(seed) % UInt64(period))
    }

    /// Returns a number that looks random: the output function of SplitMix64 (Steele, Lea, Flood 2014).
    private static func hash(_ seed: UInt64) -> UInt64 {
        var z = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}
