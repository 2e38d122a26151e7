import Color
import Foundation
import Handoff
import Metrology
import Pixels
import TestSupport
import Testing
import Untrusted

@testable import Readings

@Suite("The history of probes")
final class ProbeHistoryTests: Sendable {
    private static let midnight = 1_795_132_800.0
    private let clock = ManualClock(date: Date(timeIntervalSince1970: ProbeHistoryTests.midnight))
    private let history: History

    init() { history = History(clocks: clock.clocks) }

    /// Adds a reading with grey probes at a time since midnight.
    private func add(_ probes: [(String, Double)], at seconds: Double) {
        clock.set(Date(timeIntervalSince1970: Self.midnight + seconds))
        history.add(
            .sample.with { reading in
                reading.time = clock.date
                reading.probes = probes.map { name, grey in
                    let mean = RGB(all: grey)
                    return Reading.ProbeColor(
                        Probe(name: Name(name), region: .full), .init(mean: mean, linear: mean.linear))
                }
            })
    }

    private func rows(_ text: String) throws -> HistoryRows { history.rows(try #require(HistorySpan(text))) }

    @Test("a table of single readings has the means of 10 s in the first row of each")
    func hour() throws {
        for (index, grey) in [10.0, 20, 30, 40].enumerated() {
            add([("A1", grey), ("A2", 200)], at: Double(index) * 5)
        }
        let rows = try rows("1h")
        #expect(rows.probeNames == ["A1", "A2"])
        #expect(
            rows.summaries.map { $0.probes.colors.map { $0.mean.r.rounded() } } == [[15, 200], [], [35, 200], []])
        let lines = rows.summaries.map { ReadingCSV(probes: ["A1", "A2"]).line($0, since: $0.time) }
        // Linear light of 15 and of 200, by IEC 61966-2-1.
        #expect(lines[0].contains(##","#0F0F0F",0.0047"##))
        #expect(lines[0].contains(##","#C8C8C8",0.5775"##))
        #expect(lines[1].hasSuffix(",,,,,,,,\r\n"))
        #expect(
            ReadingCSV(probes: ["A1"]).header.hasSuffix(
                #","A1 hex","A1 red_linear","A1 green_linear","A1 blue_linear","A1 concentration","A1 concentration_flags""#
                    + "\r\n"))
    }

    @Test("names that change all the time count as memory, and no more of them are kept than probes can be set")
    func renaming() {
        var history = ProbeHistory(period: 10, maxBytes: 20_000)
        for second in 0..<3000 {
            let colors = (0..<10).map { number in
                ProbeSums.Color(name: "A very long name \(second) \(number)", mean: RGB(all: 50), linear: nil)
            }
            history.add(ProbeSums(colors), at: Date(timeIntervalSince1970: Self.midnight + Double(second)))
        }
        let names = history.all.map(\.names)
        #expect(names.map(\.count).max() == Probe.maxCount)
        #expect(names.joined().reduce(0) { $0 + $1.text.utf8.count } <= 20_000 + 96 * 24)
    }

    @Test("intervals of a day and of a month have the means of their readings")
    func month() throws {
        for index in 0..<400 { add([("A1", index < 200 ? 50 : 100)], at: Double(index) * 30) }
        #expect(try rows("24h").summaries.first?.probes.colors.map { $0.mean.g.rounded() } == [50])
        #expect(try rows("31d").summaries.allSatisfy { $0.probes.names == ["A1"] })
        #expect(try rows("31d").summaries.last?.probes.colors.map { $0.mean.g.rounded() } == [100])
    }

    @Test("a probe that comes or goes has empty cells for the rest of the time")
    func changes() throws {
        add([("A1", 10)], at: 0)
        add([("B1", 30), ("A1", 20)], at: 10)
        add([("B1", 40)], at: 20)
        let rows = try rows("1h")
        #expect(rows.probeNames == ["B1", "A1"])
        let window = history.window(try #require(HistorySpan("30s")), intervals: 3, withProbes: true)
        #expect(window.probeColors.map(\.name) == ["B1", "A1"])
        #expect(window.probeColors.map { $0.colors.map { $0?.r.rounded() } } == [[nil, 30, 40], [10, 20, nil]])
        #expect(history.window(.standard, intervals: 3).probeColors.isEmpty)
    }

    @Test("96 probes take no more than the memory that is set aside, and the newest of their colours are kept")
    func memory() throws {
        let probes = (0..<96).map { ("\($0)", Double($0)) }
        for index in 0..<2500 { add(probes, at: Double(index) * 10) }
        #expect(history.byteCount < 10 << 20)
        let kept = try rows("24h").summaries.filter { !$0.probes.isEmpty }
        // More than four hours, as docs/history.md says.
        #expect((1550..<1650).contains(kept.count))
        #expect(kept.last?.time == clock.date)
    }

    @Test("the verdict of an interval is the worst, with its target")
    func verdict() throws {
        var summary = try #require(ReadingSummary(.sample))
        func add(_ target: String, _ outcome: Verdict.Outcome?) throws {
            var other = try #require(ReadingSummary(.sample))
            other.verdict = TargetVerdict(target: target, outcome: outcome)
            summary.add(other)
        }
        try add("Red", .pass)
        try add("Blue", .fail)
        try add("Green", .close)
        try add("White", nil)
        #expect(summary.verdict == TargetVerdict(target: "Blue", outcome: .fail))
        let line = ReadingCSV().line(summary, since: summary.time)
        #expect(line.contains(",\"Blue\",fail,,,,,"))
        let reader = try #require(ReadingCSV.Reader(header: ReadingCSV().header))
        #expect(reader.summary(line)?.verdict == summary.verdict)
    }
}
