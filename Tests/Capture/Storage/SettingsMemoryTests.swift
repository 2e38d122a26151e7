import Dispatch
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("The memory of settings", .timeLimit(.minutes(20)))
struct SettingsMemoryTests {
    private let folder: TemporaryFolder
    private let settings = Latest(Settings())
    private let revisions = Latest(Revisions())
    private let recorder = LogRecorder()
    private static let startTime = "1970-01-01T00:00:00.000Z"
    private let file: StateFile

    init() throws {
        folder = try TemporaryFolder()
        file = StateFile(StateFolder(folder.path))
    }

    private func start(
        at time: Date = Date(timeIntervalSince1970: 0),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
    ) -> SettingsMemory {
        SettingsMemory(
            settings, stateFile: file, revisions: revisions, clocks: ManualClock(date: time).clocks.sleeping(sleep),
            log: recorder.log)
    }

    /// Runs a memory until a change is stored.
    private func store(_ memory: SettingsMemory) async {
        let running = Task { await memory.run() }
        // A cancelled memory stores what it has not stored yet.
        running.cancel()
        await running.value
    }

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
        memory.change { $0.picture.effect = "edges" }
        await store(memory)
        #expect(settings.value.effective.picture.effect == "edges")
        #expect(settings.value.clientChanges?.lines == "[picture]\neffect = \"edges\"\n")
        #expect(settings.value.clientChanges?.since == Self.startTime)
        #expect(revisions.value.settings == 1)
    }

    @Test("a setting that is not changed, or is changed back to the value of the file, is not remembered")
    func noChange() async {
        let memory = start()
        memory.change { $0.picture.effect = "none" }
        #expect(revisions.value.settings == 0)
        memory.change { $0.picture.effect = "edges" }
        memory.change { $0.picture.effect = "none" }
        #expect(settings.value.clientChanges == nil)
    }

    @Test("changed settings survive a restart, with the time of the change")
    func survives() async {
        let memory = start()
        memory.change { $0.readings.region = .init(x: 0.1, y: 0.2, width: 0.3, height: 0.4) }
        await store(memory)
        _ = restart()
        #expect(settings.value.effective.readings.region.coordinates == [0.1, 0.2, 0.3, 0.4])
        #expect(settings.value.clientChanges?.since == "1970-01-01T00:00:00.000Z")
        #expect(recorder.lines.last?.hasPrefix("readings.region as changed by a client on 1970-01-01") == true)
    }

    @Test("a key that was edited while the program did not run has the value of the file")
    func editedMeanwhile() async throws {
        let memory = start()
        memory.change { $0.picture.effect = "edges" }
        await store(memory)
        let next = restart(with: "invert")
        #expect(settings.value.effective.picture.effect == "invert")
        #expect(settings.value.clientChanges == nil)
        await store(next)
        #expect(try file.read().settings == nil)
    }

    @Test("a setting whose key is edited while the program runs is no longer stored")
    func edited() async throws {
        let memory = start()
        memory.change { $0.picture.effect = "edges" }
        await store(memory)
        try #require(try file.read().settings != nil)
        var config = Config()
        config.picture.effect = "invert"
        settings.update { $0.edit(to: config, path: "", text: "") }
        await store(memory)
        #expect(try file.read().settings == nil)
    }

    @Test("forgetting the changed settings restores the values of the file, also for the next start")
    func forget() async {
        let memory = start()
        memory.change { $0.picture.effect = "edges" }
        await store(memory)
        memory.forget()
        #expect(settings.value.effective.picture.effect == "none")
        #expect(settings.value.clientChanges == nil)
        await store(memory)
        #expect(recalledChanges(restart()) == nil)
    }

    @Test("camera and settings in the state file do not overwrite each other")
    func both() async throws {
        let memory = start()
        try file.store("usb-A")
        memory.change { $0.picture.effect = "edges" }
        await store(memory)
        #expect(try file.read().camera == "usb-A")
        try file.store("usb-B")
        #expect(try file.read().settings?.lines == "[picture]\neffect = \"edges\"\n")
    }

    @Test(
        "whatever is stored in place of settings, the program starts with those of the file",
        arguments: [
            #"{"camera":"x","settings":7}"#, #"{"settings":{"since":7,"settings":{}}}"#,
            #"{"settings":{"since":"now","settings":{"picture.effect":"edges"}}}"#,
            #"{"settings":{"since":"now","settings":{"picture.effect":{"value":"egdes","configured":"none"}}}}"#,
            #"{"settings":{"since":"now","settings":[[[[[[[[[[]]]]]]]]]]}}"#, "{}", "[]", "", "\0",
        ])
    func hostile(content: String) throws {
        try folder.write(content, to: "state.json")
        #expect(recalledChanges(start()) == nil)
        #expect(settings.value.effective == Config())
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
            #"{"settings":{"since":"\#(since)","settings":{"picture.effect":{"value":"edges","configured":"none"}}}}"#,
            to: "state.json")
        #expect(recalledChanges(start())?.since == recalled)
    }

    @Test("settings that cannot be stored are reported once, and hold until the program ends")
    func unwritable() async throws {
        try folder.makeFolder("state.json")
        let memory = start()
        for effect in ["edges", "invert"] {
            memory.change { $0.picture.effect = effect }
            await store(memory)
        }
        #expect(settings.value.effective.picture.effect == "invert")
        #expect(memory.problem == recorder.lines.first)
        #expect(recorder.lines.count == 1)
        #expect(recorder.lines.first?.hasPrefix("Changed settings will not be remembered for the next start: ") == true)
    }

    @Test("settings that could not be stored are stored when the program ends")
    func storedAtLast() async throws {
        try folder.makeFolder("state.json")
        let memory = start()
        memory.change { $0.picture.effect = "edges" }
        await store(memory)
        try FileManager.default.removeItem(atPath: folder.path + "/state.json")
        await store(memory)
        #expect(try file.read().settings?.lines == "[picture]\neffect = \"edges\"\n")
        #expect(memory.problem == nil)
    }

    @Test("a change is stored one second later, while the program runs")
    func storedWhileRunning() async throws {
        let delays = Latest([Duration]())
        let memory = start { delay in delays.update { $0.append(delay) } }
        let running = Task { await memory.run() }
        // The first changes may come before the memory follows them. Once it waits a second time, it has stored a
        // change.
        var effects = ["edges", "invert"]
        await waitUntil("the memory waits a second time") {
            effects.reverse()
            memory.change { $0.picture.effect = effects[0] }
            return delays.value.count >= 2
        }
        #expect(delays.value.first == .seconds(1))
        #expect(try file.read().settings != nil)
        running.cancel()
        await running.value
    }

    @Test("settings that have not changed are not stored again")
    func unchanged() async throws {
        let memory = start()
        memory.change { $0.readings.region = .init(x: 0, y: 0, width: 0.5, height: 0.5) }
        await store(memory)
        let next = restart()
        let path = folder.path + "/state.json"
        try FileManager.default.removeItem(atPath: path)
        await store(next)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a second program says once that it does not store changed settings, and leaves those of the first")
    func secondProgram() async throws {
        try file.store("usb-A")
        let second = SettingsMemory(settings, stateFile: StateFile(StateFolder(folder.path)), log: recorder.log)
        #expect(second.problem == nil)
        let warning =
            "Changed settings will not be remembered for the next start: \(folder.path) is in use by another "
            + "Swatchcam. Give this one a folder of its own with XDG_STATE_HOME."
        for effect in ["edges", "invert"] {
            second.change { $0.picture.effect = effect }
            #expect(second.problem == warning)
            await store(second)
        }
        #expect(recorder.lines == [warning])
        #expect(try file.read().settings == nil)
    }

    @Test("a second program reports no problem with the settings that the first has stored")
    func storedByFirst() async throws {
        let memory = start()
        memory.change { $0.picture.effect = "edges" }
        await store(memory)
        settings.publish(Settings())
        let second = SettingsMemory(settings, stateFile: StateFile(StateFolder(folder.path)), log: recorder.log)
        #expect(settings.value.clientChanges?.names == "picture.effect")
        #expect(second.problem == nil)
        second.forget()
        #expect(second.problem != nil)
    }
}
