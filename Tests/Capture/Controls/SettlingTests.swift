import CV4L2
import Color
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Handoff
@testable import Readings

@Suite("The settling of automatic controls")
struct SettlingTests {
    private let start = MonotonicTime(nanoseconds: 0)
    private let mean = RGB(r: 50, g: 50, b: 50)

    @Test("a colour and values that stay the same have settled after 1.5 s and no earlier")
    func time() {
        var settling = Settling(at: start)
        settling.observe(Control.webcam(automatic: true), mean: mean, at: start + 1)
        settling.observe(Control.webcam(automatic: true), mean: mean, at: start + 2.4)
        #expect(!settling.isSettled)
        settling.observe(Control.webcam(automatic: true), mean: mean, at: start + 2.5)
        #expect(settling.isSettled && settling.isOver)
        #expect(settling.elapsed == 2.5)
    }

    @Test("a change of a control that affects the colour starts the wait again", arguments: [true, false])
    func value(isExposure: Bool) {
        var settling = Settling(at: start)
        let changed =
            isExposure
            ? Control.webcam(automatic: true, exposure: 300) : Control.webcam(automatic: true, temperature: 5000)
        settling.observe(Control.webcam(automatic: true), mean: mean, at: start)
        settling.observe(changed, mean: mean, at: start + 1)
        settling.observe(changed, mean: mean, at: start + 2)
        #expect(!settling.isSettled)
        settling.observe(changed, mean: mean, at: start + 2.5)
        #expect(settling.isSettled)
    }

    @Test("a change of a control that does not affect the colour does not start the wait again")
    func otherValue() {
        var settling = Settling(at: start)
        for (seconds, value) in [(0.0, 1), (1, 2), (1.5, 3)] as [(Double, Int64)] {
            let other = Control.sample(V4L2_CID_POWER_LINE_FREQUENCY, "power_line_frequency", value: .number(value))
            settling.observe([other] + Control.webcam(automatic: true), mean: mean, at: start + seconds)
        }
        #expect(settling.isSettled)
    }

    @Test(
        "a change of one channel starts the wait again",
        arguments: [
            RGB(r: 51, g: 50, b: 50), .init(r: 50, g: 49, b: 50), .init(r: 50, g: 50, b: 51),
        ])
    func channel(changed: RGB) {
        var settling = Settling(at: start)
        settling.observe([], mean: mean, at: start)
        settling.observe([], mean: changed, at: start + 1.5)
        #expect(!settling.isSettled)
    }

    @Test("the wait is over after 10 s and no earlier, even if nothing has settled")
    func longest() {
        var settling = Settling(at: start)
        settling.observe([], mean: nil, at: start + 9.9)
        #expect(!settling.isOver)
        settling.observe([], mean: nil, at: start + 10)
        #expect(settling.isOver && !settling.isSettled)
    }

    private func grey(_ value: Double) -> RGB { .init(r: value, g: value, b: value) }

    @Test("the colour and a controlled value have settled once neither has moved for 1.5 s")
    func settles() {
        var settling = Settling(at: start)
        settling.observe(Control.webcam(automatic: true, exposure: 100), mean: grey(50), at: start)
        settling.observe(Control.webcam(automatic: true, exposure: 200), mean: grey(50), at: start + 1)
        settling.observe(Control.webcam(automatic: true, exposure: 200), mean: grey(80), at: start + 2)
        #expect(!settling.isOver)
        settling.observe(Control.webcam(automatic: true, exposure: 200), mean: grey(80.3), at: start + 3)
        #expect(!settling.isOver)
        settling.observe(Control.webcam(automatic: true, exposure: 200), mean: grey(79.8), at: start + 3.5)
        #expect(settling.isSettled && settling.isOver)
    }

    @Test("a colour that creeps never counts as settled, even if each step is less than the tolerance")
    func creeps() {
        var settling = Settling(at: start)
        for tick in 0..<39 {
            settling.observe(
                Control.webcam(automatic: true), mean: grey(Double(tick) * 0.4), at: start + Double(tick) / 4)
            #expect(!settling.isSettled && !settling.isOver)
        }
    }

    @Test("a camera without a colour never counts as settled")
    func dark() {
        var settling = Settling(at: start)
        for tick in 0..<39 {
            settling.observe(Control.webcam(automatic: true), mean: nil, at: start + Double(tick) / 4)
            #expect(!settling.isSettled && !settling.isOver)
        }
    }

    @Test("the wait is over after 10 s, even if the colour keeps moving")
    func ends() {
        var settling = Settling(at: start)
        for tick in 0...40 {
            settling.observe(
                Control.webcam(automatic: true), mean: grey(Double(tick % 2 * 50)), at: start + Double(tick) / 4)
        }
        #expect(settling.isOver && !settling.isSettled)
    }

    @Test(
        "a colour settles if no channel changes by more than half a code value",
        arguments: [(80.5, true), (80.6, false)])
    func tolerance(changed: Double, isSettled: Bool) {
        var settling = Settling(at: start)
        settling.observe([], mean: grey(80), at: start)
        settling.observe([], mean: grey(changed), at: start + 1.5)
        #expect(settling.isSettled == isSettled)
    }
}
