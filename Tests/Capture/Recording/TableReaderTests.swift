import Foundation
import TestSupport
import Testing

@testable import Capture
@testable import Readings

@Suite("Tables that are read back into the history")
struct TableReaderTests {
    private static let midnight = Date(timeIntervalSince1970: 1_795_132_800)
    /// Noon.
    private static let now = midnight + 43_200

    private let folder: TemporaryFolder
    private let history = History(date: { Self.now })

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Writes rows at these seconds since midnight.
    private func write(_ seconds: [Double], grey: Double = 100) throws {
        let tables = TableFolder(folder.path)
        try tables.open()
        for seconds in seconds {
            let row = try #require(ReadingSummary.grey(grey, at: Self.midnight + seconds))
            try tables.append([row], to: DailyTable(of: row.time), comments: ["camera: x"])
        }
    }

    private func read(isOver: @escaping @Sendable () -> Bool = { false }) -> TableReader.Report {
        TableReader(TableFolder(folder.path), into: history, isOver: isOver).read(until: Self.now)
    }

    /// The seconds since midnight of what the history has.
    private func times(_ span: String) throws -> [Double] {
        history.rows(try #require(HistorySpan(span))).summaries.map { $0.time.timeIntervalSince(Self.midnight) }
    }

    @Test("what the history keeps of several days comes back, each part in its place")
    func comesBack() throws {
        try write([-30 * 86_400 + 5, -86_400 - 10, -60, 43_180])
        #expect(read() == .init(tables: 4, rows: 4))
        #expect(try times("1h") == [43_180])
        #expect(try times("1d") == [-60, 43_180])
        #expect(try times("31d") == [-30 * 86_400, -86_400 - 300, -300, 43_200 - 300])
    }

    @Test("what is older than the history, or of this run or the future, stays where it is")
    func outside() throws {
        try write([-32 * 86_400, -30.5 * 86_400 - 10, 43_200, 43_210, 86_400])
        #expect(read() == .init(tables: 2, rows: 0))
        #expect(try times("31d").isEmpty)
    }

    @Test("readings of this run stay the newest")
    func newest() throws {
        history.note(.sample.with { $0.time = Self.now })
        try write([43_180])
        _ = read()
        history.note(.sample.with { $0.time = Self.now })
        #expect(try times("1d") == [43_180, 43_200])
    }

    @Test("damaged lines are skipped and counted")
    func damaged() throws {
        try write([10, 20, 30])
        let path = folder.path + "/swatchcam-2026-11-20.csv"
        var lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\r\n")
        lines[3] = lines[3].replacingOccurrences(of: ",live,", with: ",lively,")
        lines.insert(String(repeating: "\u{0}", count: 10_000), at: 4)
        lines.insert("10,20", at: 4)
        lines.insert("# a comment", at: 4)
        try folder.write(lines.joined(separator: "\r\n") + "40.000,2026", to: "swatchcam-2026-11-20.csv")
        #expect(read() == .init(tables: 1, rows: 2, damagedLines: 3))
        #expect(read().line == "Read back into the history: 2 rows of 1 day. Damaged lines that were skipped: 3.")
    }

    @Test("links and other files are not read")
    func foreign() throws {
        try write([10])
        folder.rename("swatchcam-2026-11-20.csv", to: "real.csv")
        try folder.link("swatchcam-2026-11-20.csv", to: "real.csv")
        try folder.makePipe("swatchcam-2026-11-19.csv")
        #expect(read() == .init())
        #expect(read().line == nil)
    }

    @Test("when the time is up, the rest is left out, and the report says so")
    func tooLong() throws {
        try write([10])
        let report = read(isOver: { true })
        #expect(report == .init(isComplete: false))
    }

    @Test("all rows of a day before come back")
    func wholeDay() throws {
        // The rows of a day are the same but for their times.
        let csv = ReadingCSV()
        let row = try #require(ReadingSummary.grey(100, at: Self.midnight))
        let cells = csv.line(row, since: Self.midnight).split(separator: ",", maxSplits: 2)[2]
        let start = Self.midnight - 86_400
        var text = csv.header
        for hour in 0..<24 {
            for minute in 0..<60 {
                for ten in 0..<6 {
                    let time =
                        start.timestamp.prefix(11)
                        + [hour, minute, ten * 10].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
                    text += "0.000,\(time).000Z,\(cells)"
                }
            }
        }
        try folder.write(text, to: DailyTable(of: start).name)
        let report = read()
        #expect(report == .init(tables: 1, rows: 8640))
        // It is noon.
        #expect(try times("1d").count == 4320)
        #expect(try times("31d").count == 288)
    }
}
