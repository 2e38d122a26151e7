import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Documents
@testable import Handoff
@testable import Readings
@testable import Storage

@Suite("The recorder", .timeLimit(.minutes(20)))
struct RecorderTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock()
    private let recorder = LogRecorder()
    private let demand = Demand()
    private let history: History
    private let state: StateFolder
    private let settings = Latest(Settings())

    init() throws {
        folder = try TemporaryFolder()
        state = StateFolder(folder.path)
        history = History(clocks: clock.clocks)
        name(folder: "/history")
    }

    /// Names the folder of the history in the configuration; nil for none.
    private func name(folder: String?) {
        var config = Config()
        config.history.folder = folder
        settings.update { $0.edit(to: config, path: "", text: "") }
    }

    /// Starts the program.
    private func start(
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in try await Task.sleep(for: .seconds(3600)) }
    ) -> Recorder {
        Recorder(
            settings, demand: demand, history: history, in: state, log: recorder.log,
            clocks: clock.clocks.sleeping(sleep))
    }

    /// Runs the program until something is true.
    private func run(_ recorder: Recorder, until state: String, _ isReached: () -> Bool) async {
        let running = Task { await recorder.run() }
        await waitUntil(state, isReached)
        running.cancel()
        await running.value
    }

    /// What the file holds; nil if there is none.
    private var stored: Recording? { StoredFile.value(of: "recording.json", in: state) }

    private var marks: [String] { history.window(.standard, intervals: 1).marks.map { "\($0.kind) \($0.text)" } }

    @Test("a recording has a mark at both ends, and both are among its rows")
    func marksOfBothEnds() async throws {
        let recorder = start()
        _ = try await recorder.start("Titration 3")
        clock.advance(by: 60)
        await recorder.end()
        clock.advance(by: 60)
        #expect(marks == ["recording Titration 3: start", "recording Titration 3: end"])
        let recording = try #require(recorder.recording.value)
        #expect(history.rows(of: recording).marks.map(\.text) == ["Titration 3: start", "Titration 3: end"])
    }

    @Test("while one recording is running, no other one starts")
    func oneAtATime() async throws {
        let recorder = start()
        let first = try await recorder.start("A")
        await #expect(throws: Recorder.AlreadyRunning(recording: first)) { try await recorder.start("B") }
        #expect(recorder.running == first)
        await recorder.end()
        #expect(try await recorder.start("B").name == "B")
    }

    @Test("a recording is a watcher until it ends, and is ended once")
    func nothingToEnd() async throws {
        let recorder = start()
        #expect(await recorder.end() == nil && !demand.isWatching)
        _ = try await recorder.start("A")
        #expect(demand.isWatching)
        #expect(await recorder.end() != nil && !demand.isWatching)
        #expect(await recorder.end() == nil)
        #expect(marks.count == 2)
    }

    @Test("a recording ends after its duration, with its mark", arguments: [90.5, 2_678_400])
    func limit(duration: Double) async throws {
        let recorder = start(sleep: { [clock] in clock.advance(by: $0) })
        let began = try await recorder.start("A", duration: duration)
        await run(recorder, until: "the recording ends") { recorder.running == nil }
        #expect(recorder.recording.value?.until == began.since + duration)
        #expect(clock.date == began.since + duration)
        #expect(marks.last == "recording A: end")
        #expect(!demand.isWatching)
    }

    @Test("with a folder, a recording continues after a restart, and has no further mark")
    func restart() async throws {
        let first = start()
        let began = try await first.start("A")
        clock.advance(by: 60)
        let second = start()
        #expect(second.running == began)
        #expect(demand.isWatching)
        #expect(marks == ["recording A: start"])
        #expect(recorder.lines == ["The recording \"A\" continues, which began on \(began.since.timestamp)."])
    }

    @Test("a recording that should have ended meanwhile ends at the restart, at the time at which it should have")
    func overdue() async throws {
        let first = start()
        let began = try await first.start("A")
        clock.advance(by: 40 * 86_400)
        let second = start()
        await run(second, until: "the recording ends") { second.running == nil }
        #expect(second.recording.value?.until == began.since + 31 * 86_400)
    }

    @Test("the recording that ended last is known after a restart")
    func last() async throws {
        let first = start()
        _ = try await first.start("A")
        clock.advance(by: 60)
        let ended = await first.end()
        let second = start()
        #expect(second.running == nil && second.recording.value == ended)
        #expect(!demand.isWatching)
    }

    @Test("without a folder, a recording ends with the program, and says so")
    func noFolder() async throws {
        name(folder: nil)
        let first = start()
        #expect(first.problem == nil)
        _ = try await first.start("A")
        #expect(first.problem?.contains("history.folder") == true)
        #expect(stored == nil)
        let second = start()
        #expect(second.recording.value == nil)
    }

    @Test("if the folder is removed before a restart, the recording is over, also if the folder comes back later")
    func removedFolder() async throws {
        let first = start()
        _ = try await first.start("A")
        name(folder: nil)
        let second = start()
        #expect(second.recording.value == nil)
        await run(second, until: "the recording is forgotten") { stored == nil }
        name(folder: "/history")
        #expect(start().recording.value == nil)
    }

    @Test("a folder that is named while a recording is running keeps it")
    func laterFolder() async throws {
        name(folder: nil)
        let recorder = start()
        let began = try await recorder.start("A")
        var isNamed = false
        await run(recorder, until: "the recording is stored") {
            if !isNamed { name(folder: "/history") }
            isNamed = true
            return stored == began
        }
        #expect(recorder.problem == nil)
    }

    @Test("a recording that cannot be stored runs, and says that it ends with the program")
    func unwritable() async throws {
        let lock = StateFolder(folder.path)
        try #require(try lock.claim())
        let recorder = Recorder(
            settings, demand: demand, history: history, in: StateFolder(folder.path),
            log: self.recorder.log)
        _ = try await recorder.start("A")
        #expect(recorder.problem?.hasPrefix("This recording is kept in memory until Swatchcam is restarted: ") == true)
        #expect(recorder.running != nil)
        withExtendedLifetime(lock) {}
    }
}
