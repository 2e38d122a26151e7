import Foundation
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("Recording to the folder of the history", .timeLimit(.minutes(20)))
final class HistoryFolderTests: Sendable {
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
    let clock = ManualClock(date: HistoryFolderTests.midnight)

    init() throws {
        folder = try TemporaryFolder()
        let clocks = ManualClock(date: Self.midnight).clocks
        markRequests = MarkRequests(timeout: .seconds(600), clocks: clocks)
        history = History(clocks: clocks, record: rows.add)
    }

    /// Runs the recording until the block ends, and then lets it write the remaining rows.
    func recording(_ body: () async throws -> Void) async throws {
        var shared = try SharedState(config: config, log: recorder.log)
        shared.readings.publish(.sample)
        (shared.history, shared.markRequests) = (history, markRequests)
        (shared.demand, shared.notices) = (demand, notices)
        shared.clocks = clock.clocks
        shared.clocks.sleep = { [ticks, pauses] _ in
            let updates = ticks.updates()
            pauses.update { $0 += 1 }
            for await _ in updates { return }
        }
        let recording = HistoryFolder(shared, rows: rows, version: "1.2.3")
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

    /// Fills the table of readings of a day up to some bytes below the limit of 900 kB.
    func fill(_ day: String, upTo rest: Int) throws {
        let header = ReadingCSV().header
        let content = header + String(repeating: "#", count: 900_000 - rest - header.utf8.count - 2) + "\r\n"
        try folder.write(content, to: "swatchcam-2026-11-\(day).csv")
        config.update { $0.effective.history = .init(folder: folder.path, maxSize: 1) }
    }

    @Test("a day's readings that would exceed the limit are not written; a notice says so, and the next day's are")
    func fullDay() async throws {
        try fill("20", upTo: 100)
        let file = folder.path + "/swatchcam-2026-11-20.csv"
        let before = try String(contentsOfFile: file, encoding: .utf8)
        try await recording {
            await until { TableFolder(folder.path).isLocked }
            for seconds in [0.0, 10, 20] { note(seconds) }
            await untilWritten()
            #expect(
                notices.all.map(\.message) == [
                    "Today's readings are no longer recorded, because swatchcam-2026-11-20.csv has reached the limit "
                        + "that history.max_size sets. Recording continues at midnight (UTC), or when the limit is raised."
                ])
            let after = try String(contentsOfFile: file, encoding: .utf8)
            #expect(after == before)
            for seconds in [86_400.0, 86_410, 86_420] { note(seconds) }
            await until { times("21") == ["0.000", "10.000"] }
            await until { notices.all.isEmpty }
        }
    }

    @Test("when the limit is raised, the readings that waited are written")
    func raisedLimit() async throws {
        try fill("20", upTo: 100)
        try await recording {
            await until { TableFolder(folder.path).isLocked }
            for seconds in [0.0, 10, 20] { note(seconds) }
            await untilWritten()
            config.update { $0.effective.history.maxSize = 2 }
            await until { times("20").suffix(3) == ["0.000", "10.000", "20.000"] }
            await until { notices.all.isEmpty }
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

    @Test("a folder in use by another instance is refused, and a notice says so")
    func inUse() async throws {
        let other = TableFolder(folder.path)
        try other.open()
        choose(folder.path)
        try await recording { await until { !notices.all.isEmpty } }
        #expect(
            notices.all.first?.message.contains("is in use by another Swatchcam. Give each a folder of its own.")
                == true)
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
    func pause(interval: Int, seconds: Int) { #expect(HistoryFolder.pause(interval) == .seconds(seconds)) }
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
