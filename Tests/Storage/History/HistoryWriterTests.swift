import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Documents
@testable import Handoff
@testable import Readings
@testable import Storage

@Suite("Recording to the folder of the history", .timeLimit(.minutes(20)))
final class HistoryWriterTests: Sendable {
    static let midnight = Date(timeIntervalSince1970: 1_795_132_800)

    let folder: TemporaryFolder
    let config = Latest(Settings())
    let demand = Demand()
    let notices = Notices()
    let recorder = LogRecorder()
    let rows = PendingRows()
    let history: History
    let markRequests: MarkRequests
    /// Each update ends a pause between two writes.
    let ticks = Latest(0)
    /// The number of pauses that have begun, each after an attempt to write.
    let pauses = Latest(0)
    let clock = ManualClock(date: HistoryWriterTests.midnight)

    init() throws {
        folder = try TemporaryFolder()
        let clocks = ManualClock(date: Self.midnight).clocks
        markRequests = try MarkRequests(timeout: .seconds(600), clocks: clocks)
        history = History(clocks: clocks, record: rows.add)
    }

    /// Runs the recording until the block ends, and then lets it write the remaining rows.
    func recording(_ body: () async throws -> Void) async throws {
        var clocks = clock.clocks
        clocks.sleep = { [ticks, pauses] _ in
            let updates = ticks.updates()
            pauses.update { $0 += 1 }
            for await _ in updates { return }
        }
        let recording = HistoryWriter(
            config, history: history, requests: markRequests, rows: rows, demand: demand, notices: notices,
            clocks: clocks, log: recorder.log
        ) { ReadingCSV.comments(version: "1.2.3", reading: .sample, controls: [:]) }
        let task = Task { await recording.run() }
        do {
            try await body()
        } catch {
            task.cancel()
            throw error
        }
        task.cancel()
        await task.value
    }

    func choose(_ path: String?, interval: Int = 10) {
        config.update { $0.effective.history = .init(folder: path, interval: interval) }
    }

    /// Lets pauses pass until something is true.
    func until(line: Int = #line, _ isTrue: () throws -> Bool) async rethrows {
        try await waitUntil("the recording did what this line awaits", line: line) {
            if try isTrue() { return true }
            ticks.update { $0 += 1 }
            return false
        }
    }

    /// Moves the clock to a number of seconds since midnight, and notes a reading at that time.
    func note(_ seconds: Double) {
        let time = Self.midnight + seconds
        clock.set(time)
        history.add(.sample.with { $0.time = time })
    }

    /// The `time_s` of the rows of a table; none if there is no table.
    func times(_ day: String, in path: String? = nil) -> [String] {
        let file = "\(path ?? folder.path)/swatchcam-2026-11-\(day).csv"
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\r\n").dropFirst().map { line in String(line.prefix { $0 != "," }) }
    }

    @Test("rows are written while the program runs, each to the table of its day")
    func midnight() async throws {
        choose(folder.path)
        try await recording {
            await until { TableFolder(folder.path).isLocked }
            for seconds in [-10.0, 0, 10] { note(seconds) }
            await until { times("20") == ["0.000"] }
            #expect(times("19") == ["86390.000"])
        }
    }

    /// Lets pauses pass until what was noted before has been written, or was not.
    func untilWritten() async {
        let before = pauses.value
        await until { pauses.value >= before + 3 }
    }

    @Test(
        "a day's readings that would exceed the limit wait until it is raised, as a notice says; the next day's do not",
        arguments: [false, true])
    func fullDay(isRaised: Bool) async throws {
        let header = ReadingCSV().header
        let content = header + String(repeating: "#", count: 899_900 - header.utf8.count - 2) + "\r\n"
        try folder.write(content, to: "swatchcam-2026-11-20.csv")
        config.update { $0.effective.history = .init(folder: folder.path, maxSize: 1) }
        try await recording {
            await until { TableFolder(folder.path).isLocked }
            for seconds in [0.0, 10, 20] { note(seconds) }
            await untilWritten()
            #expect(
                notices.all.map(\.message) == [
                    "Today's readings are no longer recorded, because swatchcam-2026-11-20.csv has reached the limit "
                        + "that history.max_size sets. Recording continues at midnight (UTC), or when the limit is raised."
                ])
            let after = try String(contentsOfFile: folder.path + "/swatchcam-2026-11-20.csv", encoding: .utf8)
            #expect(after == content)
            if isRaised {
                config.update { $0.effective.history.maxSize = 2 }
                await until { times("20").suffix(3) == ["0.000", "10.000", "20.000"] }
            } else {
                for seconds in [86_400.0, 86_410, 86_420] { note(seconds) }
                await until { times("21") == ["0.000", "10.000"] }
            }
            await until { notices.all.isEmpty }
        }
    }

    @Test("a file that is not a table is put aside, as a notice says that stays")
    func putAside() async throws {
        try folder.write("precious", to: "swatchcam-2026-11-20.csv")
        choose(folder.path)
        try await recording {
            await until { TableFolder(folder.path).isLocked }
            for seconds in [0.0, 10, 20] { note(seconds) }
            await until { times("20").last == "10.000" }
            let sentence =
                "\(folder.path)/swatchcam-2026-11-20.csv is not a table of this version of Swatchcam. It was renamed to "
                + "swatchcam-2026-11-20.other-1.csv."
            #expect(notices.all == [Notice(topic: .storage, message: sentence)])
            await untilWritten()
            #expect(notices.all.count == 1)
        }
    }

    @Test("an incomplete row is written when the recording ends, and not before")
    func end() async throws {
        choose(folder.path)
        try await recording {
            await until { TableFolder(folder.path).isLocked }
            note(3)
            note(25)
            await until { times("20") == ["0.000"] }
        }
        #expect(times("20") == ["0.000", "20.000"])
    }

    @Test("a row is written once its time has passed, even if no reading follows")
    func completeWithoutReading() async throws {
        choose(folder.path)
        try await recording {
            await until { TableFolder(folder.path).isLocked }
            note(3)
            clock.set(Self.midnight + 25)
            await until { times("20") == ["0.000"] }
        }
    }

    @Test("readings are demanded for as long as a folder is chosen")
    func demanded() async throws {
        try await recording {
            await until { ticks.isObserved || config.isObserved }
            #expect(!demand.isWatching)
            choose(folder.path)
            await until { demand.isWatching }
            choose(nil)
            await until { !demand.isWatching }
        }
        #expect(!demand.isWatching)
    }

    @Test("while the folder cannot be written to, a notice says why, and the rows wait")
    func unwritable() async throws {
        let path = folder.path + "/later"
        choose(path)
        let sentence =
            "The history is not written. The folder \(path) cannot be written to: No such file or directory. "
            + "The newest 8640 rows are kept until it is."
        try await recording {
            await until { !notices.all.isEmpty }
            #expect(notices.all == [Notice(topic: .history, message: sentence)])
            note(0)
            note(10)
            let before = pauses.value
            await until { pauses.value >= before + 3 }
            try folder.makeFolder("later")
            await until { times("20", in: path) == ["0.000"] }
            await until { notices.all.isEmpty }
        }
        #expect(recorder.lines == [sentence, "The history is written again."])
        #expect(times("20", in: path) == ["0.000", "10.000"])
    }

    @Test("an edit to the folder takes effect while the program runs")
    func otherFolder() async throws {
        let paths = try ["one", "two"].map { try folder.makeFolder($0) }
        choose(paths[0])
        try await recording {
            await until { TableFolder(paths[0]).isLocked }
            note(0)
            note(10)
            choose(paths[1])
            await until { TableFolder(paths[1]).isLocked }
            note(20)
            note(30)
        }
        #expect(times("20", in: paths[0]) == ["0.000", "10.000"])
        #expect(times("20", in: paths[1]) == ["20.000", "30.000"])
    }

    @Test("an edit to the interval begins with a new row")
    func otherInterval() async throws {
        try folder.write("", to: "swatchcam-2026-11-01.csv")
        choose(folder.path)
        try await recording {
            await until { TableFolder(folder.path).isLocked }
            note(0)
            config.update { $0.effective.history = .init(folder: folder.path, retentionDays: 1, interval: 2) }
            // The deletion of the old table shows that the new settings are in effect.
            await until { recorder.lines.contains { $0.hasPrefix("Deleted") } }
            #expect(times("20") == ["0.000"])
            note(4)
            note(6)
            await until { times("20") == ["0.000", "4.000"] }
        }
        #expect(times("20") == ["0.000", "4.000", "6.000"])
    }

    @Test("tables of earlier runs are read back once")
    func readBack() async throws {
        let row = try #require(ReadingSummary.grey(100, at: Self.midnight - 20))
        do {
            let tables = TableFolder(folder.path)
            try tables.open()
            let table = DailyTable(of: row.time)
            try tables.append([ReadingCSV().line(row, since: table.start)], to: table)
        }
        choose(folder.path)
        try await recording {
            await until { recorder.lines.contains("Read back into the history: 1 row of 1 day.") }
            choose(nil)
            await until { !demand.isWatching }
            choose(folder.path)
            await until { TableFolder(folder.path).isLocked }
        }
        #expect(recorder.lines.count { $0.hasPrefix("Read back") } == 1)
        #expect(history.rows(.standard).summaries.map(\.time) == [Self.midnight - 20])
    }

    @Test("tables beyond the limits are deleted")
    func limits() async throws {
        for day in 10...19 { try folder.write("x\n", to: "swatchcam-2026-11-\(day).csv") }
        config.update { $0.effective.history = .init(folder: folder.path, retentionDays: 3) }
        try await recording { await until { !recorder.lines.filter { $0.hasPrefix("Deleted") }.isEmpty } }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".csv") }
        #expect(
            left.sorted() == [
                "swatchcam-2026-11-18.csv", "swatchcam-2026-11-19.csv", "swatchcam-2026-11-20.marks.csv",
            ])
    }

    @Test(
        "a pause and a row that is not complete take no more than a minute, if two rows fit into it",
        arguments: [(1, 59), (10, 50), (30, 30), (31, 60), (3600, 60)])
    func pause(interval: Int, seconds: Int) { #expect(HistoryWriter.pause(interval) == .seconds(seconds)) }
}

extension TableFolder {
    /// Whether another instance has opened the folder.
    var isLocked: Bool {
        do throws(Problem) {
            try open()
            close()
            return false
        } catch {
            return error.sentence.contains("is in use")
        }
    }
}

/// The marks in the folder of the history.
extension HistoryWriterTests {
    /// The rows of the table of marks of a day.
    private func marks(_ day: String) throws -> [String] {
        let file = "\(folder.path)/swatchcam-2026-11-\(day).marks.csv"
        return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\r\n").dropFirst().map(String.init)
    }

    @Test("marks are written to their own table, after the settings that readings depend on")
    func marks() async throws {
        choose(folder.path)
        try await recording {
            await until { TableFolder(folder.path).isLocked }
            history.mark(.lost, "Camera \"A\" is lost")
        }
        let lines = try marks("20")
        let prefix = "2026-11-20T00:00:00.000Z"
        #expect(lines.first == "\(prefix),settings,\"Swatchcam 1.2.3\",,,,")
        #expect(lines[1].hasPrefix("\(prefix),settings,\"camera: HD Pro Webcam C920 (usb-"))
        #expect(lines.count == 6)
        #expect(lines.last == "\(prefix),lost,\"Camera \"\"A\"\" is lost\",,,,")
    }

    /// The texts of the marks in the history.
    private var texts: [String] { history.rows(.standard).marks.map(\.text) }

    /// Sets a mark for a client, and returns it; nil if it is refused.
    private func set(_ text: String, by client: String = "192.0.2.1") async -> Mark? {
        try? await markRequests.submit(text, by: client).get()
    }

    @Test("a client's mark is in the history and in the table when the client is told so, until it is deleted")
    func clientMark() async throws {
        choose(folder.path)
        try await recording {
            let mark = try #require(await set("Wrong beaker"))
            #expect(mark.text == "Wrong beaker" && mark.time == Self.midnight)
            #expect(try marks("20").last == "2026-11-20T00:00:00.000Z,user,\"Wrong beaker\",,,,")
            _ = await set("Reagent added")
            #expect(texts == ["Wrong beaker", "Reagent added"])
            #expect(await markRequests.delete(mark, by: "192.0.2.2").map(\.text) == .success("Wrong beaker"))
            #expect(texts == ["Reagent added"])
            #expect(try marks("20").last == "2026-11-20T00:00:00.000Z,deleted,\"Wrong beaker\",,,,")
        }
    }

    @Test("every mark that a client is told about is written, however many are set at once and whatever it does next")
    func manyClientMarks() async throws {
        choose(folder.path)
        try await recording {
            let kept = await withTaskGroup(of: Mark?.self) { group in
                for number in 0..<600 {
                    group.addTask { await self.set("\(number)", by: "192.0.2.\(number % 200)") }
                }
                return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
            }
            let written = try marks("20").filter { $0.contains(",user,") }
            #expect(!kept.isEmpty && written.count == kept.count)
            #expect(Set(written) == Set(kept.map { String(MarkCSV.line($0).dropLast()) }))
        }
    }

    @Test("a mark that cannot be written is not set, and the client is told why; later ones are set")
    func unwritableMark() async throws {
        let path = folder.path + "/later"
        choose(path)
        try await recording {
            let reason = "The folder \(path) cannot be written to: No such file or directory."
            #expect(await markRequests.submit("one", by: "") == .failure(.notWritten(reason)))
            #expect(texts.isEmpty)
            try folder.makeFolder("later")
            #expect(await set("two") != nil)
            #expect(texts == ["two"])
        }
    }

    @Test("marks that wait when the folder is changed are written to the next one")
    func markDuringChange() async throws {
        let paths = try ["one", "two"].map { try folder.makeFolder($0) }
        choose(paths[0])
        try await recording {
            await until { TableFolder(paths[0]).isLocked }
            choose(paths[1])
            #expect(await set("x") != nil)
        }
        // If the mark came before the change, the recording may end without a table in the second folder.
        let tables = paths.compactMap { path in
            try? String(contentsOfFile: path + "/swatchcam-2026-11-20.marks.csv", encoding: .utf8)
        }
        #expect(tables.count { $0.contains(",user,\"x\"") } == 1)
    }

    @Test("without a folder, a client's mark is set at once, and refused when recording has ended")
    func noFolder() async throws {
        try await recording {
            #expect(await set("one")?.client == "192.0.2.1")
            #expect(texts == ["one"])
        }
        #expect(await markRequests.submit("x", by: "") == .failure(.stopping))
    }

    @Test("a flood of marks by clients costs no day, and the day's tables stay within the limit")
    func flood() async throws {
        for day in 10...19 {
            try folder.write(String(repeating: "x", count: 85_000), to: "swatchcam-2026-11-\(day).csv")
            try folder.write(String(repeating: "x", count: 8000), to: "swatchcam-2026-11-\(day).marks.csv")
        }
        config.update { $0.effective.history = .init(folder: folder.path, maxSize: 1) }
        try await recording {
            for number in 0..<1000 {
                _ = await markRequests.submit(String(repeating: "x", count: 200), by: "192.0.2.\(number % 200)")
            }
            await until { pauses.value >= 3 }
        }
        #expect(recorder.lines.filter { $0.hasPrefix("Deleted") }.isEmpty)
        let size =
            try FileManager.default.attributesOfItem(
                atPath: folder.path + "/swatchcam-2026-11-20.marks.csv")[.size] as? Int
        #expect(try #require(size) <= 10_000)
    }

    @Test("if there are too many changes to record, a notice says so until the next day")
    func tooManyChanges() async throws {
        config.update { $0.effective.history = .init(folder: folder.path, maxSize: 1) }
        try await recording {
            await until { TableFolder(folder.path).isLocked }
            for _ in 0..<200 { history.mark(.controls, String(repeating: "x", count: 100)) }
            for _ in 1...2 {
                await untilWritten()
                #expect(notices.all.first?.message.hasPrefix("Not all of today's changes are recorded") == true)
            }
            clock.set(Self.midnight + 86_400)
            await until { notices.all.isEmpty }
        }
    }
}
