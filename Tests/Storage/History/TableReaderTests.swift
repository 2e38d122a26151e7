import Foundation
import TestSupport
import Testing

@testable import Documents
@testable import Readings
@testable import Storage

@Suite("Tables that are read back into the history")
struct TableReaderTests {
    private static let midnight = Date(timeIntervalSince1970: 1_795_132_800)
    /// Noon.
    private static let now = midnight + 43_200

    private let folder: TemporaryFolder
    private let history = History(clocks: ManualClock(date: Self.now).clocks)

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Writes rows at these seconds since midnight.
    private func write(_ seconds: [Double], grey: Double = 100) throws {
        let tables = TableFolder(folder.path)
        try tables.open()
        for seconds in seconds {
            let row = try #require(ReadingSummary.grey(grey, at: Self.midnight + seconds))
            let table = DailyTable(of: row.time)
            try tables.append([ReadingCSV().line(row, since: table.start)], to: table)
        }
    }

    private func read(isOver: @escaping @Sendable () -> Bool = { false }) -> TableReader.Report {
        TableReader(TableFolder(folder.path), into: history, isOver: isOver).read(until: Self.now)
    }

    /// Returns the times in the history, in seconds since midnight.
    private func times(_ span: String) throws -> [Double] {
        history.rows(try #require(HistorySpan(span))).summaries.map { $0.time.timeIntervalSince(Self.midnight) }
    }

    @Test("rows of several days are read back, each into the span of its age")
    func comesBack() throws {
        try write([-30 * 86_400 + 5, -86_400 - 10, -60, 43_180])
        #expect(read() == .init(days: 4, rows: 4))
        #expect(try times("1h") == [43_180])
        #expect(try times("1d") == [-60, 43_180])
        #expect(try times("31d") == [-2_592_000, -86_700, -300, 42_900])
    }

    @Test("rows that are older than the history, of this run or in the future are not read back")
    func outside() throws {
        try write([-32 * 86_400, -30.5 * 86_400 - 10, 43_200, 43_210, 86_400])
        #expect(read() == .init(days: 2, rows: 0))
        #expect(try times("31d").isEmpty)
    }

    /// Writes marks, whose texts have the seconds since midnight.
    private func mark(_ seconds: [Int]) throws {
        let tables = TableFolder(folder.path)
        try tables.open()
        for seconds in seconds {
            let time = Self.midnight + Double(seconds)
            let mark = Mark(id: 7, time: time, kind: .user, text: "at \(seconds)")
            try tables.append([MarkCSV.line(mark)], to: DailyTable(of: time, .marks))
        }
    }

    private func marks() throws -> [Mark] { history.rows(try #require(HistorySpan("31d"))).marks }

    @Test("marks of several days are read back in order, each with a number of its own, before those of this run")
    func marksComeBack() throws {
        try mark([-30 * 86_400, -10, 10, 20])
        try write([15])
        history.mark(.user, "new")
        #expect(read() == .init(days: 1, rows: 1))
        #expect(try marks().map(\.text) == ["at -2592000", "at -10", "at 10", "at 20", "new"])
        #expect(Set(try marks().map(\.id)).count == 5)
    }

    @Test("a mark that was deleted does not come back, and one with another time or text does")
    func deletedMarks() throws {
        func mark(_ text: String, at seconds: Double = 5, _ kind: Mark.Kind = .user) -> Mark {
            Mark(time: Self.midnight + seconds, kind: kind, text: text)
        }
        let marks = [mark("a"), mark("b"), mark("b", at: 6), mark("b", .lost), mark("=1+1")]
        let lines = marks.map { MarkCSV.line($0) } + [mark("b"), mark("=1+1")].map { MarkCSV.deletion(of: $0) }
        try folder.write(lines.joined(), to: "swatchcam-2026-11-20.marks.csv")
        _ = read()
        #expect(try self.marks().map(\.text) == ["a", "b", "b"])
        #expect(try self.marks().map(\.kind) == [.user, .lost, .user])
    }

    @Test("the many marks of clients do not keep those of the program from being read back")
    func manyMarksOfClients() throws {
        let time = Self.midnight
        let lines =
            [MarkCSV.line(Mark(time: time, kind: .lost, text: "lost"))]
            + (0..<4500).map { MarkCSV.line(Mark(time: time, kind: .user, text: "\($0)")) }
        try folder.write(lines.joined(), to: "swatchcam-2026-11-20.marks.csv")
        _ = read()
        #expect(try marks().map(\.text) == ["lost"] + (3501..<4500).map { "\($0)" })
    }

    @Test("settings, damaged lines, and marks of this run or the future are not taken for marks")
    func otherMarks() throws {
        let path = "swatchcam-2026-11-20.marks.csv"
        let time = "2026-11-20T00:00:10.000Z"
        let lines = [
            "time_iso,kind,text,name,from,to,picture", "\(time),settings,\"camera: x\",,,,", "\(time),invented,x,,,,",
            "\(time),user", "",
            "\(time),user,,,,,", "\(time),user,\"x\" y,,,,", "yesterday,user,x,,,,",
            "\(time),user,\"\(String(repeating: "x", count: 201))\",,,,",
            String(repeating: "x", count: 10_000), "2026-11-20T12:00:00.000Z,user,x,,,,",
            "\(time),lost,\"\u{1B}[31m\"\"so\"\"\",,,,",
        ]
        try folder.write(lines.joined(separator: "\r\n") + "\r\n\(time),user,cut off", to: path)
        #expect(read() == .init())
        #expect(try marks().map(\.text) == ["\u{FFFD}[31m\"so\""])
        #expect(try marks().map(\.kind) == [.lost])
    }

    @Test("readings of this run stay the newest")
    func newest() throws {
        history.add(.sample.with { $0.time = Self.now })
        try write([43_180])
        _ = read()
        history.add(.sample.with { $0.time = Self.now })
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
        #expect(read() == .init(days: 1, rows: 2, damagedLines: 3))
        #expect(read().line == "Read back into the history: 2 rows of 1 day. Damaged lines that were skipped: 3.")
    }

    @Test("links and other files are not read")
    func foreign() throws {
        try write([10])
        try folder.rename("swatchcam-2026-11-20.csv", to: "real.csv")
        try folder.link("swatchcam-2026-11-20.csv", to: "real.csv")
        try folder.makePipe("swatchcam-2026-11-19.csv")
        #expect(read() == .init())
        #expect(read().line == nil)
    }

    @Test("when the time is up, the remaining tables are skipped, and the report says so")
    func tooLong() throws {
        try write([10])
        let report = read(isOver: { true })
        #expect(report == .init(isComplete: false))
    }

    @Test("all rows of the day before are read back")
    func wholeDay() throws {
        // The rows of a day are the same but for their times.
        let csv = ReadingCSV()
        let row = try #require(ReadingSummary.grey(100, at: Self.midnight))
        let cells = csv.line(row, since: Self.midnight).split(separator: ",", maxSplits: 2)[2]
        let start = Self.midnight - 86_400
        let rows = (0..<1440).map { "0.000,\((start + Double(60 * $0)).timestamp),\(cells)" }
        try folder.write(csv.header + rows.joined(), to: DailyTable(of: start).name)
        #expect(read() == .init(days: 1, rows: 1440))
        // It is noon.
        #expect(try times("1d").count == 720)
        #expect(try times("31d").count == 288)
    }
}
