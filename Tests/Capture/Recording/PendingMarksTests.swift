import Foundation
import Testing

@testable import Capture
@testable import Readings

@Suite("The lines that are due for the tables of marks")
struct PendingMarksTests {
    private static let midnight = Date(timeIntervalSince1970: 1_795_132_800)
    private static let settings = ["camera: x", "controls: gain=1"]

    /// What was written: the day of the month of each table, and the texts of the lines.
    private var written: [String] = []
    private var pending = PendingMarks()

    private static func mark(_ id: Int, _ kind: Mark.Kind = .user, at seconds: Double = 0) -> Mark {
        Mark(id: id, time: midnight + seconds, kind: kind, text: "mark \(id)")
    }

    private mutating func write(
        _ marks: Mark..., settings: [String] = settings, at seconds: Double = 10, isLast: Bool = false,
        failing: Bool = false
    ) throws(TableFolder.Problem) {
        var written: [String] = []
        defer { self.written = written }
        try pending.write(
            marks.filter { $0.id > pending.lastID }, settings: settings, at: Self.midnight + seconds, isLast: isLast
        ) { lines, table throws(TableFolder.Problem) in
            if failing, written.count == 1 { throw TableFolder.Problem(sentence: "The disk is full.") }
            let texts = lines.map { $0.split(separator: ",").dropFirst(2).joined().filter { !"\"\r\n".contains($0) } }
            written.append("\(table.day.suffix(2)): \(texts.joined(separator: ", "))")
        }
    }

    @Test("the settings that readings depend on are written once")
    mutating func once() throws {
        try write()
        #expect(written == ["20: camera: x, controls: gain=1"])
        try write()
        #expect(written.isEmpty)
    }

    @Test("the settings that readings depend on are written again for another day, camera or folder")
    mutating func again() throws {
        try write()
        try write(at: 86_400)
        #expect(written == ["21: camera: x, controls: gain=1"])
        try write(settings: ["camera: y", "controls: gain=1"], at: 86_400)
        #expect(written == ["21: camera: y, controls: gain=1"])
        pending.begin()
        try write(settings: ["camera: y", "controls: gain=1"], at: 86_400)
        #expect(written == ["21: camera: y, controls: gain=1"])
    }

    @Test("the settings are written again when somebody sets a control, but not when a control moves by itself")
    mutating func controls() throws {
        try write()
        try write(settings: ["camera: x", "controls: gain=2"])
        #expect(written.isEmpty)
        for kind in [Mark.Kind.controls, .lock] {
            try write(Self.mark(pending.lastID + 1, kind), settings: ["camera: x", "controls: gain=2"])
            #expect(written == ["20: camera: x, controls: gain=2", "20: mark \(pending.lastID)"])
        }
    }

    @Test("each mark is written once, to the table of its day")
    mutating func days() throws {
        try write()
        try write(Self.mark(1, at: -5), Self.mark(2, at: -1), Self.mark(3))
        #expect(written == ["19: mark 1, mark 2", "20: mark 3"])
        try write(Self.mark(1, at: -5), Self.mark(2, at: -1), Self.mark(3), Self.mark(4))
        #expect(written == ["20: mark 4"])
    }

    @Test(
        "a mark that may still be moved is written the next time, unless this is the last time",
        arguments: [false, true])
    mutating func moving(isLast: Bool) throws {
        try write()
        try write(Self.mark(1, at: 7.9), Self.mark(2, at: 8), isLast: isLast)
        #expect(written == [isLast ? "20: mark 1, mark 2" : "20: mark 1"])
    }

    @Test("a mark in the future, after the clock was set back, does not delay other marks")
    mutating func clock() throws {
        try write()
        try write(Self.mark(1, at: 3600), Self.mark(2, at: 1))
        #expect(written == ["20: mark 1, mark 2"])
    }

    @Test("lines that could not be written are written the next time, and none twice")
    mutating func failure() throws {
        let marks = [Self.mark(1, at: -5), Self.mark(2)]
        #expect(throws: TableFolder.Problem.self) { try write(marks[0], marks[1], failing: true) }
        #expect(written == ["20: camera: x, controls: gain=1"])
        #expect(throws: TableFolder.Problem.self) { try write(marks[0], marks[1], failing: true) }
        #expect(written == ["19: mark 1"])
        try write(marks[0], marks[1])
        #expect(written == ["20: mark 2"])
    }
}
