import Color
import Foundation
import Handoff
import Metrology
import Pixels
import TestSupport
import Testing

@testable import Readings

@Suite("The parts counted by their verdicts")
struct PartCountsTests {
    private let grey = ColorTarget(name: "Grey", color: CIELab(RGB(r: 120, g: 130, b: 140)))
    private let red = ColorTarget(name: "Red", color: CIELab(RGB(r: 200, g: 30, b: 40)))
    private let blue = CIELab(RGB(r: 10, g: 20, b: 200))

    private func judgement(of color: CIELab?, against targets: [ColorTarget]) -> Reading.Judgement {
        guard let color else { return Reading.Judgement(without: targets) }
        return Reading.Judgement(of: Array(repeating: color, count: 8), against: targets) { _ in nil }
    }

    /// Shows a part for 2 seconds, and then none for as long; a verdict has to hold for 1 second.
    private func show(_ color: CIELab?, _ targets: [ColorTarget], from start: Double, to parts: inout PartCounts) {
        for step in 0..<16 {
            let time = MonotonicTime(nanoseconds: 0) + (start + Double(step) / 4)
            parts.add(judgement(of: step < 8 ? color : nil, against: targets), hold: 1, at: time)
        }
    }

    @Test("each part counts once for every target, and one beyond all tolerances counts as none of them")
    func parts() {
        var parts = PartCounts()
        show(red.color, [grey, red], from: 0, to: &parts)
        show(red.color, [grey, red], from: 4, to: &parts)
        show(grey.color, [grey, red], from: 8, to: &parts)
        show(blue, [grey, red], from: 12, to: &parts)
        #expect(parts.tracker(of: red)?.counts.pass == 2)
        #expect(parts.tracker(of: red)?.counts.fail == 2)
        #expect(parts.tracker(of: grey)?.counts.pass == 1)
        #expect(parts.tracker(of: grey)?.counts.fail == 3)
        #expect(parts.none == 1)
    }

    @Test("a part that leaves before its verdict has held is not counted")
    func tooShort() {
        var parts = PartCounts()
        for step in 0..<4 {
            let time = MonotonicTime(nanoseconds: 0) + Double(step) / 4
            parts.add(judgement(of: red.color, against: [red]), hold: 1, at: time)
        }
        #expect(parts.tracker(of: red)?.current == nil)
        #expect(parts.tracker(of: red)?.counts.pass == 0)
    }

    @Test("a target that gets another tolerance is counted anew, and the others go on")
    func changed() {
        var parts = PartCounts()
        show(red.color, [grey, red], from: 0, to: &parts)
        var wider = grey
        wider.tolerance.deltaE = 3
        show(red.color, [red, wider], from: 4, to: &parts)
        #expect(parts.tracker(of: grey) == nil)
        #expect(parts.tracker(of: wider)?.counts.fail == 1)
        #expect(parts.tracker(of: red)?.counts.pass == 2)
    }

    @Test("a target that is renamed keeps its counters, but a second one of the same colour begins at 0")
    func renamed() {
        var parts = PartCounts()
        show(red.color, [red], from: 0, to: &parts)
        var other = red
        other.name = "Crimson"
        show(nil, [red, other], from: 4, to: &parts)
        #expect(parts.tracker(of: other)?.counts.pass == 0)
        other.name = "Scarlet"
        show(nil, [other], from: 8, to: &parts)
        #expect(parts.tracker(of: other)?.counts.pass == 1)
    }

    @Test("a reset sets all counters to 0, and says when it was")
    func reset() {
        var parts = PartCounts(since: Date(timeIntervalSince1970: 0))
        show(blue, [red], from: 0, to: &parts)
        let now = Date(timeIntervalSince1970: 60)
        parts.reset(at: now)
        #expect(parts.since == now)
        #expect(parts.none == 0)
        #expect(parts.tracker(of: red)?.counts.fail == 0)
    }

    @Test("a reading has the counters and the verdict that has held, which a repeated reading does not change")
    func published() throws {
        let clock = ManualClock()
        let readings = Latest(Reading.none)
        let publisher = ReadingPublisher(
            settings: .init(targets: [red], hold: 1), readings: readings, parts: Latest(PartCounts()),
            clocks: clock.clocks)
        for index in 0..<20 {
            publisher.publish(
                .init(mean: RGB(r: 200 + Double(index % 2) / 10, g: 30, b: 40)),
                of: .init(
                    sequence: 5, width: 1, height: 1, format: "GREY", ageMs: 0, time: clock.now),
                camera: Reading.Camera(id: "id", name: "name"), state: .live, captureRate: 15, dropped: 0,
                at: clock.now)
            clock.advance(by: 0.25)
        }
        let entry = try #require(readings.value.judgement.entries.first)
        #expect(entry.held == .pass)
        #expect(entry.counts?.pass == 1)
        #expect(readings.value.parts?.none == 0)
        clock.advance(by: 1)
        publisher.repeatIfOverdue(captureRate: 15, dropped: 0, at: clock.now)
        #expect(readings.value.judgement.entries.first?.counts?.pass == 1)
    }
}
