import Color
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Documents
@testable import Readings

@Suite("Readings as comma-separated values")
struct ReadingCSVTests {
    private let csv = ReadingCSV()
    private let start = Date(timeIntervalSince1970: 1_795_203_000)

    private func summary(_ change: (inout Reading) -> Void = { _ in }) throws -> ReadingSummary {
        try #require(ReadingSummary(Reading.sample.with(change)))
    }

    @Test("docs/history.md lists the columns; SWATCHCAM_WRITE_DOCS=1 writes the list")
    func document() throws {
        try expectTable(
            "columns", in: "history.md",
            ReadingCSV.columns.map { [$0.names.map { "`\($0)`" }.joined(separator: ", "), $0.meaning] })
    }

    @Test("a reading is a row with its figures, below a header that names every column")
    func row() throws {
        let summary = try summary { reading in
            reading.stability.noise = .init(channels: .init(r: 1, g: 1, b: 1), deltaE: 0.12345)
            reading.statistics?.clippedLow.b = 0.25
            reading.statistics?.clippedHigh.g = 0.5
            reading.statistics?.outOfGamut = 0.125
            reading.quality = Quality(flags: [
                .init(.noisy, value: 1, message: ""), .init(.clippedLow, value: 0.25, grade: .poor, message: ""),
            ])
        }
        try expectGolden("history.csv", csv.header + csv.line(summary, since: start))
    }

    @Test("a value that a reading lacks is an empty cell")
    func empty() throws {
        let line = csv.line(
            try summary {
                $0.linear = nil
                $0.statistics = nil
            }, since: start)
        #expect(line.hasPrefix("0.250,2026-11-20T19:30:00.250Z,1,,,,62.8100,"))
        #expect(line.contains(",,,,,,,live,"))
    }

    @Test("a written row is read back with everything but the statistics of single readings")
    func readAgain() throws {
        var summary = try summary { reading in
            reading.quality = Quality(flags: [.init(.dark, value: 0, grade: .poor, message: "")])
            reading.stability.noise = .init(channels: .init(r: 1, g: 1, b: 1), deltaE: 0.25)
        }
        summary.add(
            try self.summary { reading in
                reading.mean = .init(r: 70, g: 100, b: 255)
                reading.state = .testPattern
                reading.statistics?.outOfGamut = 0.5
            })
        let line = csv.line(summary, since: start)
        let reader = try #require(ReadingCSV.Reader(header: csv.header))
        let read = try #require(reader.summary(line))
        #expect(csv.line(read, since: start) == line)
        #expect(read.flags == FlagCodes([.dark]) && read.grade == .poor)
        #expect(read.count == 2 && read.state == .testPattern)
    }

    @Test("columns are found by their names")
    func otherOrder() throws {
        let reader = try #require(ReadingCSV.Reader(header: "b,note,state,n,time_iso,g,r\r\n"))
        let row = try #require(reader.summary("3,\"x,y\",live,5,2026-11-20T19:30:00.250Z,2,1"))
        #expect(row.color.mean == RGB(r: 1, g: 2, b: 3) && row.count == 5)
        #expect(row.color.minimum == RGB(r: 1, g: 2, b: 3) && row.color.maximum == RGB(r: 1, g: 2, b: 3))
        #expect(row.time == Date(timeIntervalSince1970: 1_795_203_000.25))
        #expect(row.linear.mean == nil && row.noise == nil && row.shares.mean == nil && row.grade == nil)
    }

    @Test(
        "a table without a column that every row must have is not read",
        arguments: ["", "time_iso,n,r,g,b", "time_iso,n,r,g,state", "\"time_iso,n,r,g,b,state", "# a comment"])
    func otherTable(header: String) {
        #expect(ReadingCSV.Reader(header: header) == nil)
    }

    @Test(
        "a damaged row is not read",
        arguments: [
            "", "2026-11-20T19:30:00.250Z,1,1,2,3", "2026-11-20T19:30:00.250Z,1,1,2,3,live,", "x,1,1,2,3,live",
            "2026-11-20T19:30:00.250Z,0,1,2,3,live", "2026-11-20T19:30:00.250Z,1000000001,1,2,3,live",
            "2026-11-20T19:30:00.250Z,1.5,1,2,3,live", "2026-11-20T19:30:00.250Z,1,-1,2,3,live",
            "2026-11-20T19:30:00.250Z,1,1,255.1,3,live", "2026-11-20T19:30:00.250Z,1,1,2,nan,live",
            "2026-11-20T19:30:00.250Z,1,1,2,3,lost", "2026-11-20T19:30:00.250Z,1,1,2,3,\"live",
            "2026-11-20T19:30:00.250Z,1,1,2,3,live\0",
        ])
    func damaged(line: String) throws {
        let reader = try #require(ReadingCSV.Reader(header: "time_iso,n,r,g,b,state"))
        #expect(reader.summary(line) == nil)
    }

    @Test("a value out of range is omitted, and a minimum above the mean or a maximum below it becomes the mean")
    func outOfRange() throws {
        let reader = try #require(
            ReadingCSV.Reader(header: "time_iso,n,r,g,b,state,r_min,g_min,b_min,noise_dE00,L_D50_max"))
        let row = try #require(reader.summary("2026-11-20T19:30:00.250Z,1,1,2,3,live,0,2,9,-1,101"))
        #expect(row.color.minimum == RGB(r: 0, g: 2, b: 3))
        #expect(row.noise == nil && abs(row.lightness.maximum - row.lightness.mean) < 1e-6)
    }
}
