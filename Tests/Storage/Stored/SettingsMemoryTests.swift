import Dispatch
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Configuration
@testable import Handoff
@testable import Readings
@testable import Storage

@Suite("The memory of settings", .timeLimit(.minutes(20)))
struct SettingsMemoryTests {
    private let folder: TemporaryFolder
    private let settings = Latest(Settings())
    private let revisions = Latest(Revisions())
    private let recorder = LogRecorder()
    private static let startTime = "1970-01-01T00:00:00.000Z"
    private let state: StateFolder

    init() throws {
        folder = try TemporaryFolder()
        state = StateFolder(folder.path)
    }

    private func start(at time: Date = Date(timeIntervalSince1970: 0)) -> SettingsMemory {
        SettingsMemory(
            settings, in: state, revisions: revisions, clocks: ManualClock(date: time).clocks.sleeping { _ in },
            log: recorder.log)
    }

    /// Runs a memory as long as it takes to look at the settings once.
    private func run(_ memory: SettingsMemory) async {
        let running = Task { await memory.run() }
        running.cancel()
        await running.value
    }

    /// What the file holds; nil if there is none.
    private var stored: ClientChanges? { StoredFile.value(of: "settings.json", in: state) }

    /// Returns the changes that a memory has recalled at its start.
    private func recalledChanges(_ memory: SettingsMemory) -> ClientChanges? { settings.value.clientChanges }

    /// Starts the program again with the same configuration file.
    private func restart(with effect: String = "none") -> SettingsMemory {
        var config = Config()
        config.picture.effect = effect
        settings.publish(Settings(config))
        return start(at: Date(timeIntervalSince1970: 1_000))
    }

    @Test("a change takes effect and is remembered with its time")
    func change() async {
        let memory = start()
        await memory.change { $0.picture.effect = "edges" }
        #expect(settings.value.effective.picture.effect == "edges")
        #expect(settings.value.clientChanges?.lines == "[picture]\neffect = \"edges\"\n")
        #expect(settings.value.clientChanges?.since == Self.startTime)
        #expect(stored == settings.value.clientChanges)
    }

    @Test("changes are counted, and so is a change of the probes in the file")
    func revisionOfChanges() async {
        let memory = start()
        await memory.change { $0.picture.effect = "edges" }
        await run(memory)
        #expect(revisions.value.settings == 1)
    }

    @Test("a setting that is not changed, or is changed back to the value of the file, is not remembered")
    func noChange() async {
        let memory = start()
        await memory.change { $0.picture.effect = "none" }
        await memory.change { $0.picture.effect = "edges" }
        await memory.change { $0.picture.effect = "none" }
        #expect(settings.value.clientChanges == nil)
    }

    @Test("changed settings survive a restart, with the time of the change")
    func survives() async {
        let memory = start()
        await memory.change { $0.readings.region = .init(x: 0.1, y: 0.2, width: 0.3, height: 0.4) }
        _ = restart()
        #expect(settings.value.effective.readings.region.coordinates == [0.1, 0.2, 0.3, 0.4])
        #expect(settings.value.clientChanges?.since == "1970-01-01T00:00:00.000Z")
        #expect(recorder.lines.last?.hasPrefix("readings.region as changed by a client on 1970-01-01") == true)
    }

    @Test("a key that was edited while the program did not run has the value of the file")
    func editedMeanwhile() async throws {
        let memory = start()
        await memory.change { $0.picture.effect = "edges" }
        let next = restart(with: "invert")
        #expect(settings.value.effective.picture.effect == "invert")
        #expect(settings.value.clientChanges == nil)
        await run(next)
        #expect(stored == nil)
    }

    @Test("a setting whose key is edited while the program runs is no longer stored")
    func edited() async throws {
        let memory = start()
        await memory.change { $0.picture.effect = "edges" }
        try #require(stored != nil)
        var config = Config()
        config.picture.effect = "invert"
        settings.update { $0.edit(to: config, path: "", text: "") }
        await run(memory)
        #expect(stored == nil)
    }

    @Test("forgetting the changed settings restores the values of the file, also for the next start")
    func forget() async {
        let memory = start()
        await memory.change { $0.picture.effect = "edges" }
        await memory.forget()
        #expect(settings.value.effective.picture.effect == "none")
        #expect(settings.value.clientChanges == nil)
        #expect(recalledChanges(restart()) == nil)
    }

    @Test(
        "whatever is stored in place of settings, the program starts with those of the file",
        arguments: [
            #"{"since":7,"settings":{}}"#, #"{"since":"now","settings":{"picture.effect":"edges"}}"#,
            #"{"since":"now","settings":{"picture.effect":{"value":"egdes","configured":"none"}}}"#,
            #"{"since":"now","settings":{"picture.effect":{"value":"edges","configured":"none"},"no.key":{"value":1,"configured":2}}}"#,
            #"{"since":"now","settings":{"picture.effect":{"value":"edges","configured":"none"},"readings.rate":{"value":-1,"configured":4}}}"#,
            #"{"since":"now","settings":[[[[[[[[[[]]]]]]]]]]}"#, "{}", "[]", "7", "\"\"",
        ])
    func hostile(content: String) throws {
        try folder.write(#"{"value":\#(content),"version":1}"#, to: "settings.json")
        #expect(recalledChanges(start()) == nil)
        #expect(settings.value.effective == Config())
        #expect(FileManager.default.fileExists(atPath: folder.path + "/settings.damaged-1.json"))
    }

    @Test(
        "the time of a change stays exactly the same over a restart, and an invalid one is replaced by that of the start",
        arguments: [
            ("2026-11-22T17:12:43.102Z", "2026-11-22T17:12:43.102Z"), ("", startTime), ("now", startTime),
            ("<b>", startTime),
            ("1e99", startTime), ("2026-13-40T00:00:00.000Z", startTime), ("2026-11-22T12:00:00.000Z ", startTime),
        ])
    func storedTime(since: String, recalled: String) throws {
        try folder.write(
            #"{"value":{"since":"\#(since)","settings":{"picture.effect":{"value":"edges","configured":"none"}}},"version":1}"#,
            to: "settings.json")
        #expect(recalledChanges(start())?.since == recalled)
    }

    @Test("settings that cannot be stored hold until the program ends, and those who changed them learn it")
    func unwritable() async throws {
        try folder.write("", to: "file")
        let memory = SettingsMemory(
            settings, in: StateFolder(folder.path + "/file/x"), revisions: revisions, log: recorder.log)
        for effect in ["edges", "invert"] { await memory.change { $0.picture.effect = effect } }
        #expect(settings.value.effective.picture.effect == "invert")
        #expect(memory.problem?.hasPrefix("Changed settings will not be remembered for the next start: ") == true)
        #expect(recorder.lines == [memory.problem])
        // Pages load the settings again, and with them the problem.
        #expect(revisions.value.settings == 1)
        try folder.remove("file")
        await memory.change { $0.picture.effect = "none" }
        #expect(memory.problem == nil)
    }
}
