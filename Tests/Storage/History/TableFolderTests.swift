import Foundation
import TestSupport
import Testing

@testable import Readings
@testable import Storage

@Suite("A folder with tables for each day")
struct TableFolderTests {
    private static let midnight = Date(timeIntervalSince1970: 1_795_132_800)
    private static let name = "swatchcam-2026-11-20.csv"

    private let folder: TemporaryFolder
    private let table = DailyTable(of: midnight)

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Opens the folder and writes a row for each of these seconds.
    private func write(_ seconds: Double...) throws {
        let tables = TableFolder(folder.path)
        try tables.open()
        try tables.append(seconds.map { "\(Int($0)).000,\r\n" }, to: table)
    }

    private func text(_ name: String = name) throws -> String {
        try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }

    /// The first cell of the header and of each row.
    private func lines() throws -> [String] {
        let text = try text()
        #expect(text.hasSuffix("\r\n"))
        return text.split(separator: "\r\n").map { String($0.prefix { $0 != "," }) }
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test("a table begins with the header of its kind, and with nothing else")
    func begins() throws {
        let tables = TableFolder(folder.path)
        try tables.open()
        for content in DailyTable.Content.allCases {
            try tables.append(["1\r\n", "2\r\n"], to: DailyTable(of: Self.midnight, content))
            try tables.append(["3\r\n"], to: DailyTable(of: Self.midnight, content))
        }
        #expect(try text() == ReadingCSV().header + "1\r\n2\r\n3\r\n")
        #expect(
            try text("swatchcam-2026-11-20.marks.csv") == "time_iso,kind,text,name,from,to,picture\r\n1\r\n2\r\n3\r\n")
    }

    @Test(
        "a partial last line, which a power cut has left, is cut off",
        arguments: ["1", "40.000,2026-11-20T00:00:40.000Z,1", "\u{0}\u{0}\u{0}", "\r"])
    func partialLine(rest: String) throws {
        try write(10, 20)
        try folder.write(try text() + rest, to: Self.name)
        try write(30)
        #expect(try lines() == ["time_s", "10.000", "20.000", "30.000"])
    }

    @Test("a closed folder can be opened again although a process that is being started has a copy of its descriptors")
    func copiedDescriptors() throws {
        let tables = TableFolder(folder.path)
        try tables.open()
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
        let copies = open.filter { descriptor in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            return target?.hasPrefix(folder.path) == true
        }.map { dup($0) }
        defer { for copy in copies { close(copy) } }
        try #require(!copies.isEmpty)
        tables.close()
        try tables.open()
        #expect(tables.isOpen)
    }

    @Test(
        "a table without a complete header begins again",
        arguments: ["", "\u{0}\u{0}", "time_s"])
    func partialHeader(content: String) throws {
        try folder.write(content, to: Self.name)
        try write(10)
        #expect(try lines() == ["time_s", "10.000"])
        #expect(try names() == [Self.name])
    }

    @Test(
        "a file with other content is put aside, unchanged",
        arguments: [
            "a,b\r\n1,2\r\n", "precious", "# note\nprecious", "time_s\n1\n", "\n",
            String(repeating: "\0", count: 1 << 17) + "\nx\n", "#" + String(repeating: "x", count: 1 << 17) + "\nx\n",
        ])
    func otherContent(content: String) throws {
        for number in 1...2 {
            try folder.write(content, to: Self.name)
            try write(10)
            #expect(try lines() == ["time_s", "10.000"])
            #expect(try text("swatchcam-2026-11-20.other-\(number).csv") == content)
        }
    }

    /// An object with the name of a table that is not a regular file.
    enum InvalidFile: CaseIterable {
        case link, brokenLink, pipe, folder
    }

    @Test("no link is followed, and nothing but a regular file is written to", arguments: InvalidFile.allCases)
    func invalid(file: InvalidFile) throws {
        try folder.write("precious", to: "other/file")
        switch file {
        case .link: try folder.link(Self.name, to: "other/file")
        case .brokenLink: try folder.link(Self.name, to: "other/new")
        case .pipe: try folder.makePipe(Self.name)
        case .folder: try folder.makeFolder(Self.name)
        }
        let problem = #expect(throws: TableFolder.Problem.self) { try write(10) }
        #expect(problem?.sentence == "\(folder.path)/\(Self.name) is not a file of Swatchcam. Move it away.")
        #expect(try text("other/file") == "precious")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/other/new"))
    }

    @Test("a second program cannot open the folder until the first one closes it")
    func lock() throws {
        let (first, second) = (TableFolder(folder.path), TableFolder(folder.path))
        try first.open()
        let problem = #expect(throws: TableFolder.Problem.self) { try second.open() }
        #expect(
            problem?.sentence == "\(folder.path) is in use by another Swatchcam. Give each a folder of its own.")
        #expect(!second.isOpen)
        first.close()
        try second.open()
        #expect(second.isOpen)
    }

    @Test("a folder that does not exist is a problem, and is opened once it exists")
    func missing() throws {
        let tables = TableFolder(folder.path + "/later")
        let problem = #expect(throws: TableFolder.Problem.self) { try tables.open() }
        #expect(
            problem?.sentence == "The folder \(folder.path)/later cannot be written to: No such file or directory.")
        try folder.makeFolder("later")
        try tables.open()
        try tables.append(["10.000\r\n"], to: table)
        #expect(try text("later/" + Self.name).split(separator: "\r\n").count == 2)
    }

    @Test("a write to a folder that was deleted is a problem, and closes the folder")
    func deleted() throws {
        let tables = TableFolder(try folder.makeFolder("later"))
        try tables.open()
        try folder.remove("later")
        #expect(throws: TableFolder.Problem.self) { try tables.append(["10.000\r\n"], to: table) }
        #expect(!tables.isOpen)
    }

    /// Makes a table of readings of 60 bytes and one of marks of 40 bytes for each of three days, and other files, and
    /// deletes the oldest.
    /// - Returns: The days whose readings, and those whose marks were deleted.
    private func prune(to count: Int = 9, readings: Int, marks: Int, besides day: Int = 20) throws -> [[String]] {
        for day in 18...20 {
            try folder.write(String(repeating: "x", count: 60), to: "swatchcam-2026-11-\(day).csv")
            try folder.write(String(repeating: "x", count: 40), to: "swatchcam-2026-11-\(day).marks.csv")
        }
        try folder.write("", to: "swatchcam-2026-11-17.marks.csv")
        for name in ["swatchcam-2026-11-01.csv.bak", "swatchcam-2026-11-02.other-1.csv", "real.txt"] {
            try folder.write("precious", to: name)
        }
        try? folder.link("swatchcam-2026-11-03.csv", to: "real.txt")
        let tables = TableFolder(folder.path)
        try tables.open()
        let deleted = tables.prune(
            to: count, maxSizes: [.readings: readings, .marks: marks], besides: "2026-11-\(day)")
        let left = try names()
        #expect(Set(deleted).isDisjoint(with: left) && left.count == 11 - deleted.count)
        return [DailyTable.Content.readings, .marks].map { content in
            deleted.compactMap(DailyTable.init).filter { $0.content == content }.map { String($0.day.suffix(2)) }
                .sorted()
        }
    }

    @Test("the tables of a day are deleted together if its readings do not fit, or there are too many days")
    func wholeDays() throws {
        #expect(try prune(readings: 180, marks: 120) == [[], []])
        #expect(try prune(readings: 179, marks: 120) == [["18"], ["17", "18"]])
        #expect(try prune(readings: 0, marks: 120) == [["18", "19"], ["17", "18", "19"]])
        #expect(try prune(to: 1, readings: 180, marks: 120) == [["18", "19"], ["17", "18", "19"]])
    }

    @Test("marks never cost the readings of a day, however many there are")
    func marks() throws {
        #expect(try prune(readings: 180, marks: 119) == [[], ["17", "18"]])
        #expect(try prune(readings: 180, marks: 0) == [[], ["17", "18", "19"]])
    }

    @Test("probes have half of the room for readings at most, and what they take of it is no longer for readings")
    func probes() throws {
        for day in 17...20 {
            try folder.write(String(repeating: "x", count: 60), to: "swatchcam-2026-11-\(day).csv")
            try folder.write(String(repeating: "x", count: 50), to: "swatchcam-probes-2026-11-\(day).csv")
        }
        let tables = TableFolder(folder.path)
        try tables.open()
        func prune(readings: Int, probes: Int) -> [String] {
            tables.prune(to: 9, maxSizes: [.readings: readings, .marks: 0, .probes: probes], besides: "2026-11-20")
                .sorted()
        }
        #expect(prune(readings: 440, probes: 200).isEmpty)
        #expect(
            prune(readings: 440, probes: 149) == ["swatchcam-probes-2026-11-17.csv", "swatchcam-probes-2026-11-18.csv"])
        // Of the probes, those of two days are left.
        #expect(prune(readings: 340, probes: 100).isEmpty)
        #expect(prune(readings: 339, probes: 100) == ["swatchcam-2026-11-17.csv"])
    }

    @Test("the table that is being written stays, even if the clock was wrong and it seems to be the oldest")
    func wrongClock() throws {
        #expect(try prune(to: 3, readings: 180, marks: 120, besides: 17) == [["18"], ["18"]])
    }
}

@Suite("Lines of a file that is read in pieces")
struct LineSplitterTests {
    private func lines(_ pieces: String..., maxLength: Int = 5) -> [String?] {
        var splitter = LineSplitter(maxLength: maxLength)
        var lines: [String?] = []
        for piece in pieces {
            splitter.add(Array(piece.utf8)) { lines.append($0.map { String(decoding: $0, as: UTF8.self) }) }
        }
        return lines
    }

    @Test("lines have no line breaks, and may be in several pieces")
    func lineBreaks() { #expect(lines("a\r\nb", "c\nd", "e", "\n\nx") == ["a", "bc", "de", ""]) }

    @Test("a line that is too long is reported once, in however many pieces it comes, and the next line is read")
    func tooLong() {
        #expect(lines("12345\n123456\n12") == ["12345", nil])
        #expect(lines("1234", "5678", "9012", "3\nab\n") == [nil, "ab"])
    }
}
