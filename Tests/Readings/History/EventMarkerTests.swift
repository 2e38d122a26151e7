import Color
import FoundationEssentials
import Handoff
import Pixels
import TestSupport
import Testing
import Untrusted

@testable import Metrology
@testable import Readings

@Suite("The marks of events")
struct EventMarkerTests {
    private static let fault = Probe(name: Name("Fault"), region: .full, isLight: true)

    private var marker = EventMarker()
    private var time = 100.0

    /// Returns the marks of events that a reading calls for, which comes some time after the one before.
    private mutating func marks(after seconds: Double = 0.25, _ change: (inout Reading) -> Void) -> [String] {
        time += seconds
        let now = MonotonicTime(nanoseconds: Int64((time * 1000).rounded()) * 1_000_000)
        return marker.marks(for: .sample.with(change), hold: 1, at: now).filter { $0.event != nil }.map {
            "\($0.kind) \($0.event?.name ?? "-"): \($0.event?.from ?? "-") → \($0.event?.to ?? "-")"
        }
    }

    private mutating func marks(state: String?, hasHeld: Bool = true, after seconds: Double = 0.25) -> [String] {
        marks(after: seconds) { reading in
            reading.regionState = state.map { AreaState(name: $0, since: reading.time, entered: 1) }
            reading.hasHeldState = hasHeld
        }
    }

    /// Returns the marks while a light is in one state for some time, read four times a second.
    private mutating func marks(light word: LightState.Word, for seconds: Double) -> [String] {
        var color = Reading.ProbeColor(Self.fault, nil)
        color.light = LightState(
            on: word == .unknown ? nil : word != .off, hz: word == .blinking ? 1 : nil, level: 0)
        return (0..<Int(seconds * 4)).flatMap { _ in marks { $0.probes = [color] } }
    }

    @Test("a state that differs from the one before is an event, and the first one is not")
    mutating func states() {
        #expect(marks(state: "Idle").isEmpty)
        #expect(marks(state: "Idle").isEmpty)
        #expect(marks(state: "Fault") == ["state -: Idle → Fault"])
        #expect(marks(state: nil) == ["state -: Fault → -"])
        #expect(marks(state: "Idle") == ["state -: - → Idle"])
    }

    @Test("a state that has not held is no event")
    mutating func undecided() {
        _ = marks(state: "Idle")
        #expect(marks(state: nil, hasHeld: false).isEmpty)
        #expect(marks(state: "Idle").isEmpty)
    }

    @Test("a state that has changed while there was no colour is an event when it holds")
    mutating func gap() {
        _ = marks(state: "Idle")
        #expect(marks { ($0.state, $0.message) = (.lost, "It is gone.") } == ["lost -: live → lost"])
        #expect(marks(state: nil, hasHeld: false) == ["back -: lost → live"])
        #expect(marks(state: "Fault") == ["state -: Idle → Fault"])
    }

    @Test("the state of a probe is an event with its name")
    mutating func probe() {
        func color(_ name: String) -> Reading.ProbeColor {
            var color = Reading.ProbeColor(Self.fault, nil)
            (color.state, color.hasHeldState) = (AreaState(name: name, since: Date(), entered: 1), true)
            return color
        }
        let (red, green) = (color("red"), color("green"))
        _ = marks { $0.probes = [red] }
        #expect(marks { $0.probes = [green] } == ["state Fault: red → green"])
    }

    @Test("a light that is switched is an event once that has held")
    mutating func light() {
        #expect(marks(light: .off, for: 3).isEmpty)
        #expect(marks(light: .on, for: 1).isEmpty)
        #expect(marks(light: .on, for: 0.25) == ["light Fault: off → on"])
    }

    @Test("a light that begins to blink slowly is one event for its first blink and one for the blinking")
    mutating func blinking() {
        _ = marks(light: .off, for: 20)
        // Two periods pass before blinking is recognised.
        var events = (0..<2).flatMap { _ in marks(light: .on, for: 2) + marks(light: .off, for: 2) }
        events += marks(light: .blinking, for: 3600)
        #expect(events == ["light Fault: off → on", "light Fault: on → blinking"])
    }

    @Test("a light that blinks too irregularly to be recognised has no event after its first blink")
    mutating func irregular() {
        _ = marks(light: .off, for: 20)
        let events = (0..<100).flatMap { marks(light: .on, for: 2 + Double($0 % 3)) + marks(light: .off, for: 2) }
        #expect(events == ["light Fault: off → on"])
        #expect(marks(light: .off, for: 10) == ["light Fault: on → off"])
    }

    @Test("a light that cannot be told has no event")
    mutating func unknown() {
        _ = marks(light: .off, for: 20)
        #expect((marks(light: .unknown, for: 60) + marks(light: .off, for: 60)).isEmpty)
    }

    @Test("a picture that moves has one event until it is back")
    mutating func moved() {
        let flag = Quality.Flag(.moved, value: 4, message: "The picture has moved by 4 pixels.")
        func marks(moved: Bool) -> [String] {
            (0..<6).flatMap { _ in
                self.marks { $0.quality = moved ? Quality(flags: [flag]) : Quality(flags: []) }
            }
        }
        #expect(marks(moved: false).isEmpty)
        #expect(marks(moved: true) == ["moved -: - → -"])
        #expect(marks(moved: true).isEmpty)
        time += 10
        #expect(marks(moved: false).isEmpty)
        time += 10
        #expect(marks(moved: true) == ["moved -: - → -"])
    }

    @Test("a lamp that changes every half minute has an event for each change, all day")
    mutating func slow() {
        var events = 0
        for index in 0..<2880 { events += marks(state: index.isMultiple(of: 2) ? "Idle" : "Fault", after: 30).count }
        #expect(events == 2879)
    }

    @Test("a day of changes has few events, and the last state is reported when there is room again")
    mutating func flood() {
        var events = 0
        for index in 0..<43_200 { events += marks(state: index.isMultiple(of: 2) ? "Idle" : "Fault", after: 2).count }
        #expect(10 + 2878...10 + 2880 ~= events)
        _ = marks(state: "Idle", after: 0)
        let last = (0..<4).flatMap { _ in marks(state: "Other", after: 15) }
        #expect(last.count == 1 && last[0].hasSuffix("→ Other"))
    }

    @Test("the last event before some are left out says so")
    mutating func lastBeforeLimit() {
        var texts: [String] = []
        for index in 0..<14 {
            time += 2
            let now = MonotonicTime(nanoseconds: Int64(time * 1000) * 1_000_000)
            texts += marker.marks(
                for: .sample.with {
                    $0.regionState = AreaState(name: "\(index % 2)", since: Date(), entered: 1)
                    $0.hasHeldState = true
                }, hold: 1, at: now
            ).filter { $0.event != nil }.map(\.text)
        }
        let isLast = texts.map { $0.contains("the next event comes in half a minute") }
        #expect(isLast == Array(repeating: false, count: 9) + [true])
    }

    @Test("a camera that comes and goes all day has few events")
    mutating func flappingCamera() {
        var events = 0
        for _ in 0..<10_000 {
            events += marks(after: 4) { $0.state = .lost }.count
            events += marks(after: 4) { $0.state = .live }.count
        }
        #expect(events <= 2 * (10 + 80_000 / 30 + 1))
    }

    @Test("many probes that change together share the room for events")
    mutating func manyProbes() {
        func change(_ name: String) -> [String] {
            let colors = (0..<Probe.maxCount).map { index in
                var color = Reading.ProbeColor(Probe(name: Name("\(index)"), region: .full), nil)
                (color.state, color.hasHeldState) = (AreaState(name: name, since: Date(), entered: 1), true)
                return color
            }
            return marks { $0.probes = colors }
        }
        #expect(change("A").isEmpty)
        #expect(change("B").count == 60)
        #expect(change("C").isEmpty)
    }
}
