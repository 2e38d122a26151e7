import Color
import Documents
import Foundation
import Metrology
import Pixels
import TestSupport
import Testing

@testable import Readings
@testable import Untrusted

@Suite("The table of probes")
struct ProbeCSVTests {
    private static let midnight = Date(timeIntervalSince1970: 1_795_132_800)
    private let rows = PendingRows()

    init() { rows.begin(every: 10) }

    /// Adds a reading in which probes have a colour.
    /// - Parameter shares: The share of the pixels of each probe within each target.
    private func add(_ names: [String], at seconds: Double, shares: KeyValuePairs<String, Double> = [:]) throws {
        let targets = shares.map { ColorTarget(name: $0.key, color: CIELab(RGB(all: 0))) }
        let coverage = shares.map { Coverage(share: $0.value, standardError: 0) }
        let mean = RGB(all: 188)
        let probes = names.map { name in
            Reading.ProbeColor(
                Probe(name: Name(name), region: .full), .init(mean: mean, linear: mean.linear, coverage: coverage),
                against: targets)
        }
        var summary = try #require(ReadingSummary.grey(100, at: Self.midnight + seconds))
        summary.probes = ProbeSums(
            names.map { .init(name: Name($0), mean: mean, linear: mean.linear, concentration: nil) })
        rows.add(summary, of: Reading(time: Self.midnight + seconds, state: .live, probes: probes))
    }

    /// The lines of the complete rows.
    private var lines: [String] { rows.probeBatch.rows.map { ProbeCSV().line($0, since: Self.midnight) } }

    @Test("docs/history.md lists the columns; SWATCHCAM_WRITE_DOCS=1 writes the list")
    func document() throws {
        try expectTable(
            "probe-columns", in: "history.md",
            ProbeCSV.columns.map { [$0.names.map { "`\($0)`" }.joined(separator: ", "), $0.meaning] })
    }

    @Test("a row has the mean colour of a probe in an interval and its newest coverage, and empty cells")
    func row() throws {
        try add(["A1"], at: 10, shares: ["Green": 0.5, "Rust": 0.25])
        try add(["A1"], at: 11, shares: ["Green": 0.7, "Rust": 0.25])
        rows.finish()
        #expect(
            lines == [
                #"10.000,2026-11-20T00:00:10.000Z,"A1",2,"#
                    + ##""#BCBCBC",0.502886,0.502886,0.502886,,,,,,"Green=0.7000;Rust=0.2500",,,,,"## + "\r\n"
            ])
    }

    @Test("probes that change within an interval have a row each, and those that are gone have none in the next")
    func changes() throws {
        try add(["A1", "B1"], at: 0)
        try add(["B1", "C1"], at: 5)
        try add(["C1"], at: 12)
        rows.finish()
        #expect(rows.probeBatch.rows.map { $0.color.name.text } == ["A1", "B1", "C1", "C1"])
        #expect(rows.probeBatch.rows.map(\.count) == [1, 2, 1, 1])
    }

    @Test("what would divide a list of coverages, or begin a formula, is percent-encoded in the names of targets")
    func encoding() throws {
        try add(["A1"], at: 0, shares: ["=a;b=c%": 0.5, "-x-y": 0, #"q",+1"#: 1, "Grün é": 0.25])
        rows.finish()
        #expect(
            lines.first?.contains(
                #","%3Da%3Bb%3Dc%25=0.5000;%2Dx-y=0.0000;q%22%2C+1=1.0000;Grün é=0.2500","#) == true)
    }

    @Test("the region has a row without a name if there is a target, before those of the probes")
    func region() throws {
        let mean = RGB(all: 188)
        var reading = Reading(
            time: Self.midnight, state: .live, mean: mean,
            judgement: Reading.Judgement(without: [ColorTarget(name: "Green", color: CIELab(mean))])
                .with([Coverage(share: 0.25, standardError: 0)]))
        reading.probes = [Reading.ProbeColor(Probe(name: "A1", region: .full), .init(mean: mean))]
        rows.add(try #require(ReadingSummary(reading)), of: reading)
        rows.finish()
        #expect(
            lines == [
                #"0.000,2026-11-20T00:00:00.000Z,,1,"#
                    + ##""#BCBCBC",,,,,,,,,"Green=0.2500",,,,,"## + "\r\n",
                #"0.000,2026-11-20T00:00:00.000Z,"A1",1,"# + ##""#BCBCBC",,,,,,,,,,,,,,"## + "\r\n",
            ])
    }

    @Test("without a probe, there is no row")
    func none() throws {
        try add([], at: 0)
        rows.finish()
        #expect(rows.probeBatch.rows.isEmpty)
        #expect(rows.batch.rows.count == 1)
    }

    @Test("rows that were written are removed, and those that came meanwhile stay")
    func removed() throws {
        for second in [0.0, 10, 20] { try add(["A1", "B1"], at: second) }
        let batch = rows.probeBatch
        rows.finish()
        rows.removeProbes(before: batch.first + batch.rows.count)
        #expect(rows.probeBatch.rows.map { $0.time.timeIntervalSince(Self.midnight) } == [20, 20])
        #expect(rows.probeBatch.first == batch.first + 4)
    }

    @Test("if too many rows wait, the oldest are dropped, and the batch says so until rows are written")
    func bounded() throws {
        var pending = ProbeRows(maxBytes: 4000)
        let colors = ProbeSums([.init(name: Name("A1"), mean: RGB(all: 1), linear: nil, concentration: nil)])
        let probe = Reading.ProbeColor(Probe(name: Name("A1"), region: .full), .init(mean: RGB(all: 1)))
        for second in 0..<100 {
            pending.add(
                colors, of: Reading(time: Self.midnight + Double(second), state: .live, probes: [probe]))
            pending.complete(at: Self.midnight + Double(second))
        }
        let batch = pending.batch
        #expect(batch.isIncomplete && batch.rows.count < 50 && batch.first + batch.rows.count == 100)
        #expect(batch.rows.last?.time == Self.midnight + 99)
        pending.remove(before: 100)
        #expect(pending.batch == .init(first: 100, rows: []))
    }
}
