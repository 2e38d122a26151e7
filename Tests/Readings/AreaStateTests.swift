import Color
import FoundationEssentials
import Handoff
import Metrology
import Testing

@testable import Readings

@Suite("The state of an area")
struct AreaStateTests {
    private let grey = RGB(r: 120, g: 130, b: 140)
    private let red = RGB(r: 200, g: 30, b: 40)
    private var tracker = AreaStateTracker()

    private func judgement(_ color: RGB, tolerance: Double = 2) -> Reading.Judgement {
        let targets = [("Grey", grey), ("Red", red)].map {
            ColorTarget(name: $0, color: CIELab($1), tolerance: Tolerance(deltaE: tolerance))
        }
        return Reading.Judgement(of: [CIELab](repeating: CIELab(color), count: 8), against: targets) { _ in nil }
    }

    private mutating func add(_ judgement: Reading.Judgement, at seconds: Double, hold: Double = 1) -> String? {
        tracker.add(
            judgement, hold: hold, at: MonotonicTime(nanoseconds: Int64(seconds * 1e9)),
            Date(timeIntervalSince1970: seconds))
        return tracker.state?.name
    }

    @Test("a match is the state once it has held, from the time at which it began")
    mutating func holds() {
        #expect(add(judgement(grey), at: 10) == nil)
        #expect(add(judgement(grey), at: 10.75) == nil)
        #expect(add(judgement(grey), at: 11) == "Grey")
        #expect(tracker.state?.since == Date(timeIntervalSince1970: 10))
    }

    @Test("a state ends when nothing has matched for as long")
    mutating func ends() {
        _ = add(judgement(grey), at: 10, hold: 0)
        let other = RGB(r: 30, g: 200, b: 60)
        #expect(add(judgement(other), at: 11) == "Grey")
        #expect(add(judgement(other), at: 12) == nil)
    }

    @Test("readings without a verdict end no state")
    mutating func undecided() {
        _ = add(judgement(grey), at: 10, hold: 0)
        let undecided = Reading.Judgement(of: [CIELab(grey)], against: judgement(grey).entries.map(\.target)) { _ in nil
        }
        #expect(add(undecided, at: 20) == "Grey")
    }

    @Test("a state of a target that is gone ends at once")
    mutating func removed() {
        _ = add(judgement(grey), at: 10, hold: 0)
        #expect(add(Reading.Judgement(), at: 10.25) == nil)
    }

    @Test("entries are counted by state, and anew on the next day")
    mutating func entered() {
        for (seconds, color) in [(10.0, grey), (20, red), (30, grey)] {
            _ = add(judgement(color), at: seconds, hold: 0)
        }
        #expect(tracker.state?.entered == 2)
        _ = add(judgement(red), at: 86_500, hold: 0)
        #expect(tracker.state?.entered == 1)
    }
}
