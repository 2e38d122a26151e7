import Color
import Foundation
import Handoff
import TestSupport
import Testing

@testable import Readings

@Suite("The history of readings")
final class HistoryTests: Sendable {
    /// A multiple of a day since 1970.
    private static let midnight = 1_795_132_800.0

    private let revisions = Latest(Revisions())
    private let clock = ManualClock(date: Date(timeIntervalSince1970: HistoryTests.midnight))
    private let history: History

    init() {
        history = History(revisions: revisions, clocks: clock.clocks)
    }

    /// Moves the clock to a time since midnight, and adds a reading at that time.
    private func note(_ grey: Double, at seconds: Double, isRepeated: Bool = false) {
        clock.set(Date(timeIntervalSince1970: Self.midnight + seconds))
        history.add(
            .sample.with {
                $0.mean = .init(r: grey, g: grey, b: grey)
                $0.time = clock.date
            }, isRepeated: isRepeated)
    }

    private func span(_ text: String) throws -> HistorySpan { try #require(HistorySpan(text)) }

    /// Returns the times since midnight, the counts and the means of the rows of a span.
    private func rows(_ text: String) throws -> [[Double]] {
        history.rows(try span(text)).summaries.map {
            [$0.time.timeIntervalSince1970 - Self.midnight, Double($0.count), $0.color.mean.r]
        }
    }

    /// Returns the times since midnight, the counts and the means of the intervals that are not empty.
    private func points(_ text: String, _ count: Int) throws -> [[Double]] {
        let window = history.window(try span(text), intervals: count)
        return window.summaries.enumerated().compactMap { index, summary in
            summary.map {
                [
                    window.time(of: index).timeIntervalSince1970 - Self.midnight, Double($0.count),
                    $0.color.mean.r,
                ]
            }
        }
    }

    @Test("four readings a second are kept one by one, although none is punctual")
    func fourASecond() throws {
        for index in 0..<40 { note(1, at: Double(index) * 0.25 + (index.isMultiple(of: 2) ? 0.1 : -0.01)) }
        #expect(try rows("1m").count == 40)
    }

    @Test("faster readings are averaged, so that an hour of them fits")
    func faster() throws {
        for index in 0..<80 { note(index < 5 ? 10 : 20, at: Double(index) * 0.05) }
        let rows = try rows("1m")
        #expect(rows.count == 17)
        #expect(rows[0] == [0, 3, 10] && rows.map { $0[1] }.reduce(0, +) == 80)
    }

    @Test("slower readings are kept one by one")
    func slower() throws {
        for index in 0..<10 { note(Double(index), at: Double(index) * 0.3) }
        #expect(try rows("1m").map { $0[1] } == Array(repeating: 1, count: 10))
    }

    @Test("a repeated reading does not count, and one without a colour leaves a gap")
    func notCounted() throws {
        note(10, at: 0)
        note(10, at: 0.25, isRepeated: true)
        history.add(.noCamera)
        note(20, at: 1)
        #expect(try rows("1m") == [[0, 1, 10], [1, 1, 20]])
    }

    @Test(
        "the rows of a span come from the finest store that covers it",
        arguments: [
            ("1h", 0.25), ("3601s", 10), ("24h", 10), ("86401s", 300), ("31d", 300),
        ])
    func stores(span: String, period: Double) throws {
        #expect(history.rows(try self.span(span)).period == period)
    }

    @Test("summaries of 10 s and 5 min begin at multiples of that, with the readings in them")
    func summaries() throws {
        for (grey, seconds) in [(10.0, 3.0), (20, 9.9), (30, 10), (40, 299), (50, 300)] { note(grey, at: seconds) }
        #expect(try rows("2h") == [[0, 2, 15], [10, 1, 30], [290, 1, 40], [300, 1, 50]])
        #expect(try rows("2d") == [[0, 4, 25], [300, 1, 50]])
    }

    @Test("a window has the requested intervals, of which the last contains the present")
    func window() throws {
        note(10, at: 0)
        note(30, at: 1)
        note(50, at: 3)
        #expect(try points("10s", 5) == [[0, 2, 20], [2, 1, 50]])
        let window = history.window(try span("10s"), intervals: 5)
        #expect(window.step == 2 && window.summaries.count == 5)
        #expect(window.start.timeIntervalSince1970 == Self.midnight - 6)
        #expect(window.end.timeIntervalSince1970 == Self.midnight + 3)
    }

    @Test("a later window has the same intervals")
    func sameIntervals() throws {
        for index in 0..<60 { note(Double(index), at: Double(index)) }
        let before = try points("30s", 10)
        note(60, at: 60)
        #expect(try points("30s", 10).dropLast() == before.dropFirst())
    }

    @Test(
        "the length of an interval is a multiple of the period of its store",
        arguments: [
            ("10s", 2000, 0.25, 40), ("10m", 300, 2, 300), ("10m", 7, 85.75, 7), ("31d", 2000, 1500, 1786),
            ("1d", 1, 86_400, 1), ("90m", 2000, 10, 540),
        ])
    func steps(span: String, count: Int, step: Double, intervals: Int) throws {
        let window = history.window(try self.span(span), intervals: count)
        #expect(window.step == step && window.summaries.count == intervals)
    }

    @Test("readings older than the span are not shown")
    func old() throws {
        note(10, at: 0)
        note(20, at: 20)
        #expect(try rows("15s") == [[20, 1, 20]])
        #expect(try points("15s", 3).map { $0[2] } == [20])
    }

    @Test("readings of a time that the clock repeats join the earlier ones, and each counts")
    func clockTurnedBack() throws {
        for index in 0..<8 { note(10, at: Double(index)) }
        for index in 0..<12 { note(20, at: Double(index)) }
        #expect(try points("20s", 1) == [[0, 20, 16]])
        #expect(try points("2h", 1000) == [[0, 18, 280.0 / 18], [10, 2, 20]])
        let times = try rows("20s").map { $0[0] }
        #expect(times == times.sorted() && times.count == 20)
    }

    @Test("after the clock was turned back, readings in the future are not shown")
    func future() throws {
        note(10, at: 100_000)
        note(20, at: 0)
        note(30, at: 0.25)
        #expect(try rows("31d") == [[0, 2, 25]])
        #expect(try points("10m", 300) == [[0, 2, 25]])
    }

    @Test("a clock that is turned forward leaves a gap")
    func clockTurnedForward() throws {
        note(10, at: 0)
        note(20, at: 900)
        note(30, at: 900.25)
        #expect(try rows("1h") == [[0, 1, 10], [900, 1, 20], [900.25, 1, 30]])
    }

    @Test("31 days of readings take less than 8 MiB, and an hour of them is kept one by one")
    func capacity() throws {
        for index in 0..<9000 { note(1, at: Double(index - 9000) * 300) }
        for index in 0..<9000 { note(2, at: Double(index) * 10) }
        for index in 0..<15_000 { note(3, at: 90_000 + Double(index) * 0.25) }
        for index in 0..<1200 { history.mark(.user, String(repeating: "\(index % 10)", count: 200)) }
        #expect(history.byteCount < 8 << 20)
        #expect(try rows("1h").count == 14_400)
        #expect(try rows("24h").count == 8640)
        #expect(try rows("31d").count == 8928)
        // The 1,000th, of the camera, is older than 31 days.
        #expect(history.window(try span("31d"), intervals: 1).marks.count == 999)
    }

    @Test("summaries of an earlier run are shown with later readings")
    func restored() throws {
        var summary = try #require(ReadingSummary(Reading.sample.with { $0.mean = .init(r: 10, g: 10, b: 10) }))
        summary.add(summary)
        summary.time = Date(timeIntervalSince1970: Self.midnight)
        history.restore([summary])
        note(40, at: 9)
        #expect(try rows("1m") == [[0, 2, 10], [9, 1, 40]])
        #expect(try rows("2h") == [[0, 3, 20]])
        #expect(try rows("2d") == [[0, 3, 20]])
    }

    @Test("each mark has its own number and raises the revision; a window has the marks of its time")
    func marks() throws {
        note(1, at: 0)
        #expect(history.mark(.user, "one").id == 2)
        clock.advance(by: 3600)
        let mark = history.mark(.user, "two")
        #expect((mark.id, mark.kind, mark.text, mark.time) == (3, .user, "two", clock.date))
        #expect(history.window(try span("1m"), intervals: 1).marks == [mark])
        #expect(history.rows(try span("2h")).marks.map(\.text) == ["Camera: HD Pro Webcam C920", "one", "two"])
        #expect(revisions.value.history == 3)
    }

    @Test("a mark that is removed is gone, and raises the revision")
    func removedMark() throws {
        let mark = history.mark(.user, "one")
        history.mark(.user, "two")
        history.removeMark(mark.id)
        #expect(history.mark(ofClient: mark.id) == nil)
        #expect(history.window(try span("1m"), intervals: 1).marks.map(\.text) == ["two"])
        #expect(revisions.value.history == 3)
    }

    @Test("rapid changes of one thing move its mark; those of another thing, and later ones, have their own")
    func movedMarks() throws {
        history.mark(.region, "1", about: "region")
        clock.advance(by: 2)
        history.mark(.region, "2", about: "region")
        history.mark(.controls, "gain", about: "gain")
        history.mark(.controls, "hue", about: "hue")
        clock.advance(by: 2.5)
        history.mark(.controls, "hue again", about: "hue")
        history.mark(.user, "x")
        history.mark(.user, "x")
        let marks = history.window(try span("1m"), intervals: 1).marks
        #expect(marks.map(\.text) == ["2", "gain", "hue", "hue again", "x", "x"])
        #expect(marks[0].time.timeIntervalSince1970 == Self.midnight + 2 && marks[0].id == 1)
        #expect(revisions.value.history == 7)
    }
}
