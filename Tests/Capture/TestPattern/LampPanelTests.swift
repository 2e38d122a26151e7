import Color
import Pixels
import Testing

@testable import Capture
@testable import State

@Suite("The lamps of the test pattern")
struct LampPanelTests {
    private static let (width, height) = (640, 480)
    private let painter = TestPatternPainter(width: width, height: height)

    /// Returns the mean of a part of a lamp, by channel.
    /// - Parameter share: The diameters of the part, as shares of the lamp's.
    private func mean(of index: Int, within share: ClosedRange<Double>, nudge: Int = 0) -> [Double] {
        let region = LampPanel.region(of: index)
        let (width, height) = (Double(Self.width), Double(Self.height))
        let (centerX, centerY) = ((region.x + region.width / 2) * width, (region.y + region.height / 2) * height)
        var (sums, count) = ([0.0, 0, 0], 0.0)
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let across = (Double(x - nudge) + 0.5 - centerX) / (region.width * width / 2)
                let down = (Double(y) + 0.5 - centerY) / (region.height * height / 2)
                guard share ~= (across * across + down * down).squareRoot() else { continue }
                for channel in 0..<3 { sums[channel] += Double(painter.bytes[3 * (y * Self.width + x) + channel]) }
                count += 1
            }
        }
        return sums.map { $0 / count }
    }

    private func isClose(_ mean: [Double], _ color: [Double], by limit: Double = 0.4) -> Bool {
        zip(mean, color).allSatisfy { abs($0 - $1) < limit }
    }

    @Test("a lamp that is on has its own colour, whatever the light of the room is", arguments: [0.0, 15, 30])
    func ownLight(seconds: Double) {
        painter.paint(at: seconds)
        #expect(isClose(mean(of: 0, within: 0...1), [60, 200, 80]))
    }

    @Test("a lamp that is off is darker than the panel, in any light of the room", arguments: [0.0, 15, 30, 45])
    func off(seconds: Double) {
        painter.paint(at: seconds)
        let (glass, panel) = (mean(of: 1, within: 0...0.9), mean(of: 1, within: 1.1...1.3))
        #expect(zip(glass, panel).allSatisfy { $0 < $1 })
    }

    @Test(
        "the third lamp is on in the first half of each second",
        arguments: [(0.0, true), (0.4999, true), (0.5, false), (3.9999, false), (4, true)])
    func blinks(seconds: Double, isOn: Bool) {
        painter.paint(at: seconds)
        #expect((mean(of: 2, within: 0...1)[0] > 100) == isOn)
    }

    @Test("the middle of the fourth lamp is overexposed in every pixel, and its glow is not")
    func core() {
        painter.paint(at: 10)
        #expect(mean(of: 3, within: 0...0.49) == [255, 255, 255])
        #expect(isClose(mean(of: 3, within: 0.51...1), [70, 130, 240]))
    }

    @Test(
        "the fifth lamp changes from red to green and back every 30 s",
        arguments: [(29.9, true), (30, false), (59.9, false), (60, true)])
    func changes(seconds: Double, isRed: Bool) {
        painter.paint(at: seconds)
        #expect(isClose(mean(of: 4, within: 0...1), isRed ? [225, 50, 40] : [60, 200, 80]))
    }

    @Test("a nudge moves the lamps with the picture")
    func nudged() {
        painter.paint(at: 0, controls(nudge: 7))
        #expect(isClose(mean(of: 0, within: 0...1, nudge: 7), [60, 200, 80]))
    }

    @Test("no lamp that a nudge moves out of the picture appears at its left edge", arguments: [64, 66, 68, 100])
    func nudgedAway(pixels: Int) {
        let painter = TestPatternPainter(width: 160, height: 120)
        painter.paint(at: 0, controls(nudge: pixels))
        // What comes into view is the first column, which is grey.
        let leftEdges = (0..<120).map { painter.bytes[480 * $0..<480 * $0 + 3] }
        #expect(leftEdges.allSatisfy { ($0.max() ?? 0) - ($0.min() ?? 0) < 14 })
    }

    private func controls(nudge: Int) -> SceneControls {
        var controls = SceneControls()
        controls.nudge = nudge
        return controls
    }
}

@Suite("The leaf of the test pattern")
struct LeafTests {
    @Test(
        "a quarter of the leaf is rust, and the rest is green, at any size",
        arguments: [(320, 240), (640, 480), (1920, 1080)])
    func share(width: Int, height: Int) {
        var canvas = SceneCanvas(width: width, height: height)
        Leaf.paint(on: &canvas)
        let rect = Leaf.region.pixels(width: width, height: height)
        var counts: [[UInt8]: Double] = [:]
        for y in rect.y..<rect.y + rect.height {
            for x in rect.x..<rect.x + rect.width {
                let place = 3 * (y * width + x)
                counts[Array(canvas.bytes[place..<place + 3]), default: 0] += 1
            }
        }
        func count(_ color: RGB8) -> Double { counts[[color.r, color.g, color.b]] ?? 0 }
        let (green, rust) = (count(Leaf.green), count(Leaf.rust))
        #expect(abs(rust / (green + rust) - 0.25) < (width < 640 ? 0.02 : 0.01))
    }
}
