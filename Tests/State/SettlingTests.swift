import CV4L2
import Color
import TestSupport
import Testing
import V4L2

@testable import Handoff
@testable import Readings
@testable import State

@Suite("The settling of automatic controls")
struct SettlingTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func grey(_ value: Double) -> RGB { .init(r: value, g: value, b: value) }

    /// Returns the state after a webcam's controls, with these exposures, and greys were observed at these seconds.
    private func settling(_ observed: (seconds: Double, exposure: Int64, grey: Double)...) -> Settling {
        var settling = Settling(at: start)
        for (seconds, exposure, value) in observed {
            settling.observe(
                Control.webcam(automatic: true, exposure: exposure), mean: grey(value), at: start + seconds)
        }
        return settling
    }

    @Test("a colour and values that stay the same have settled after 1.5 s and no earlier")
    func time() {
        #expect(!settling((1, 250, 50), (2.4, 250, 50)).isSettled)
        let settled = settling((1, 250, 50), (2.4, 250, 50), (2.5, 250, 50))
        #expect(settled.isSettled && settled.isOver)
        #expect(settled.elapsed == 2.5)
    }

    @Test("a change of a control that affects the colour starts the wait again")
    func value() {
        #expect(!settling((0, 250, 50), (1, 300, 50), (2, 300, 50)).isSettled)
        #expect(settling((0, 250, 50), (1, 300, 50), (2.5, 300, 50)).isSettled)
    }

    @Test("a change of a control that does not affect the colour does not start the wait again")
    func otherValue() {
        var settling = Settling(at: start)
        for (seconds, value) in [(0.0, 1), (1, 2), (1.5, 3)] as [(Double, Int64)] {
            let other = Control.sample(V4L2_CID_POWER_LINE_FREQUENCY, "power_line_frequency", value: .number(value))
            settling.observe([other] + Control.webcam(automatic: true), mean: grey(50), at: start + seconds)
        }
        #expect(settling.isSettled)
    }

    @Test(
        "a colour settles if no channel changes by more than half a code value",
        arguments: [
            (RGB(r: 51, g: 50, b: 50), false), (.init(r: 50, g: 49, b: 50), false), (.init(r: 50, g: 50, b: 51), false),
            (.init(r: 50.5, g: 50.5, b: 50.5), true), (.init(r: 50.6, g: 50.6, b: 50.6), false),
        ])
    func channel(changed: RGB, isSettled: Bool) {
        var settling = Settling(at: start)
        settling.observe([], mean: grey(50), at: start)
        settling.observe([], mean: changed, at: start + 1.5)
        #expect(settling.isSettled == isSettled)
    }

    @Test("the wait is over after 10 s and no earlier, even if there is no colour, or it keeps moving")
    func longest() {
        for means in [[nil, nil, nil], [grey(0), grey(50), grey(0)]] {
            var settling = Settling(at: start)
            settling.observe([], mean: means[0], at: start + 5)
            settling.observe([], mean: means[1], at: start + 9.9)
            #expect(!settling.isOver)
            settling.observe([], mean: means[2], at: start + 10)
            #expect(settling.isOver && !settling.isSettled)
        }
    }

    @Test("the colour and a controlled value have settled once neither has moved for 1.5 s")
    func settles() {
        #expect(!settling((0, 100, 50), (1, 200, 50), (2, 200, 80), (3, 200, 80.3)).isOver)
        #expect(settling((0, 100, 50), (1, 200, 50), (2, 200, 80), (3, 200, 80.3), (3.5, 200, 79.8)).isSettled)
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
}
