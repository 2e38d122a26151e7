import Foundation
import TestSupport
import Testing

@testable import Readings
@testable import Storage

@Suite("The tables of marks")
struct MarkTablesTests {
    private static let midnight = Date(timeIntervalSince1970: 1_795_132_800)
    private static let description = ["camera: x", "controls: gain=1"]
    /// The room of a client that sets marks alone: an eighth of the limit.
    private static let limit = 8000

    private let folder: TemporaryFolder
    private let tables: TableFolder
    private var marks = MarkTables()

    init() throws {
        folder = try TemporaryFolder()
        tables = TableFolder(folder.path)
        try tables.open()
    }

    private static func mark(_ id: Int, _ kind: Mark.Kind = .user, at seconds: Double = 0) -> Mark {
        Mark(id: id, time: midnight + seconds, kind: kind, text: "mark \(id)")
    }

    /// Writes marks of the program, and returns the numbers of those that need not be written again.
    @discardableResult
    private mutating func write(
        _ list: Mark..., description: [String] = description, at seconds: Double = 10
    ) throws(TableFolder.Problem) -> [Int] {
        var written: [Int] = []
        try marks.write(
            list, description: description, at: Self.midnight + seconds, to: tables, maxSize: Self.limit
        ) { written.append($0) }
        return written
    }

    /// Writes marks of a client, each with a row of 100 bytes, and returns how many were written.
    private mutating func set(_ count: Int = 1, by client: String, at seconds: Double = 0) throws -> Int {
        let list = (0..<count).map { _ in
            let text = String(repeating: "x", count: 62)
            return Mark(time: Self.midnight + seconds, kind: .user, text: text, client: client)
        }
        try #require(list.allSatisfy { MarkCSV.line($0).utf8.count == 100 })
        return marks.write(list.map(MarkChange.set), at: Self.midnight + seconds, to: tables, maxSize: Self.limit)
            .count { $0 == nil }
    }

    /// The texts in the table of a day of the month.
    private func texts(_ day: Int = 20) -> [String] {
        let file = "\(folder.path)/swatchcam-2026-11-\(day).marks.csv"
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\r\n").dropFirst().map { line in
            line.split(separator: ",").dropFirst(2).joined().filter { $0 != "\"" }
        }
    }

    // MARK: The description

    @Test(
        "the settings that readings depend on are written once, again if they change, and all for a new day or folder")
    mutating func once() throws {
        try write()
        try write()
        #expect(texts() == Self.description)
        try write(description: ["camera: y", "controls: gain=1"])
        #expect(texts() == Self.description + ["camera: y"])
        try write(at: 86_400)
        #expect(texts(21) == Self.description)
        marks.begin()
        try write(at: 86_400)
        #expect(texts(21) == Self.description + Self.description)
    }

    @Test(
        "the values of controls are written again when somebody sets a control, but not when one moves by itself",
        arguments: [Mark.Kind.controls, .lock])
    mutating func controls(kind: Mark.Kind) throws {
        try write()
        try write(description: ["camera: x", "controls: gain=2"])
        #expect(texts() == Self.description)
        try write(Self.mark(1, kind), description: ["camera: x", "controls: gain=2"])
        #expect(texts() == Self.description + ["controls: gain=2", "mark 1"])
    }

    // MARK: Days

    @Test("each mark is written to the table of its day")
    mutating func days() throws {
        #expect(try write(Self.mark(1, at: -5), Self.mark(2, at: -1), Self.mark(3)) == [2, 3])
        #expect(texts(19) == ["mark 1", "mark 2"])
        #expect(texts(20) == Self.description + ["mark 3"])
    }

    @Test("if a table cannot be written, the marks of the days before are not written again")
    mutating func failure() throws {
        try write(at: 86_400)
        try folder.makeFolder("swatchcam-2026-11-20.marks.csv")
        var written: [Int] = []
        #expect(throws: TableFolder.Problem.self) {
            try marks.write(
                [Self.mark(1, at: -5), Self.mark(2)], description: Self.description, at: Self.midnight + 86_400,
                to: tables, maxSize: Self.limit
            ) { written.append($0) }
        }
        #expect(written == [1])
    }

    @Test("a mark is deleted by a row in the table of its day")
    mutating func deletion() throws {
        let mark = Self.mark(1, at: -5)
        #expect(
            marks.write([.set(mark), .delete(mark)], at: Self.midnight + 10, to: tables, maxSize: Self.limit)
                == [nil, nil])
        #expect(texts(19) == ["mark 1", "mark 1"])
        #expect(texts(20).isEmpty)
    }

    // MARK: Room

    @Test("a client that sets many marks leaves as much room as it uses to other clients")
    mutating func share() throws {
        #expect(try set(50, by: "192.0.2.1") == 10)
        #expect(try set(50, by: "192.0.2.2") == 5)
        #expect(try set(by: "192.0.2.3") == 1)
    }

    @Test("a row that deletes a mark takes room of the client")
    mutating func roomOfDeletions() throws {
        let mark = Mark(
            time: Self.midnight, kind: .user, text: String(repeating: "x", count: 58), client: "192.0.2.1")
        try #require(MarkCSV.deletion(of: mark).utf8.count == 99)
        let deletions = Array(repeating: MarkChange.delete(mark), count: 50)
        func written() -> Int {
            marks.write(deletions, at: Self.midnight, to: tables, maxSize: Self.limit).count { $0 == nil }
        }
        #expect(written() == 10)
        // What was written in an earlier run counts as that of another client, whose network is not known.
        marks.begin()
        #expect(written() == 5)
    }

    @Test("many clients leave three quarters of the room to the program")
    mutating func part() throws {
        let written = try (0..<50).map { try set(by: "192.0.2.\($0)") }.reduce(0, +)
        #expect(written == 19)
        try write(Self.mark(1, .lost))
        #expect(texts().last == "mark 1" && marks.limitedTable == nil)
    }

    @Test("a refusal tells a client that has used its share from one that others leave no room")
    mutating func refusals() throws {
        _ = try set(10, by: "192.0.2.1", at: 86_000)
        let mark = { client in
            Mark(time: Self.midnight + 86_000, kind: .user, text: String(repeating: "x", count: 62), client: client)
        }
        var refusal = marks.write(
            [.set(mark("192.0.2.1"))], at: Self.midnight + 86_000, to: tables, maxSize: Self.limit)
        #expect(refusal == [.share(untilMidnight: 400)])
        for client in 2...20 { _ = try set(by: "192.0.2.\(client)", at: 86_000) }
        refusal = marks.write([.set(mark("192.0.2.99"))], at: Self.midnight + 86_001, to: tables, maxSize: Self.limit)
        #expect(refusal == [.part(untilMidnight: 399)])
    }

    @Test("what was written before the program was started again counts, and the next day has room again")
    mutating func restart() throws {
        _ = try set(50, by: "192.0.2.1")
        marks = MarkTables()
        #expect(try set(50, by: "192.0.2.1") == 5)
        #expect(try set(50, by: "192.0.2.1", at: 86_400) == 10)
    }

    @Test("a mark that could not be written takes no room")
    mutating func notWritten() throws {
        try folder.makeFolder("swatchcam-2026-11-20.marks.csv")
        for _ in 1...5 { #expect(try set(5, by: "192.0.2.1") == 0) }
        try folder.remove("swatchcam-2026-11-20.marks.csv")
        try tables.open()
        #expect(try set(50, by: "192.0.2.1") == 10)
    }

    @Test("many changes of one kind leave room for those of other kinds, and the table does not exceed its limit")
    mutating func kinds() throws {
        for id in 1...500 { #expect(try write(Self.mark(id, .controls)) == [id]) }
        #expect(marks.limitedTable == DailyTable(of: Self.midnight, .marks))
        try write(Self.mark(501, .lost))
        #expect(texts().last == "mark 501")
        _ = try set(50, by: "192.0.2.1")
        for kind in Mark.Kind.allCases { for id in 1...200 { try write(Self.mark(id, kind)) } }
        #expect(tables.size(of: DailyTable(of: Self.midnight, .marks)) <= Self.limit)
    }
}
