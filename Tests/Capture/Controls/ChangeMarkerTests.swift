import Foundation
import Pixels
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Documents
@testable import Handoff
@testable import Readings
@testable import State

@Suite("Marks of the program", .timeLimit(.minutes(20)))
struct ChangeMarkerTests {
    private let settings: Latest<Settings>
    private let history = History()
    private let notices = Notices()
    private let folder: TemporaryFolder
    private let watcher: ConfigWatcher

    init() throws {
        folder = try TemporaryFolder(["config.toml": "camera.fps = 10"])
        let path = folder.path + "/config.toml"
        settings = Latest(try Settings(explicit: path, options: ConfigOverrides()))
        watcher = ConfigWatcher(settings, candidates: [path], notices: notices, log: .silent)
    }

    private var texts: [String] { history.window(.standard, intervals: 1).marks.map(\.text) }

    private func edit(_ text: String) throws {
        try folder.write(text, to: "config.toml")
        watcher.reload()
    }

    /// Returns the texts of the marks after changes, once there are so many.
    private func marks(_ count: Int, after change: () throws -> Void) async throws -> [String] {
        var shared = try SharedState(config: settings, log: .silent)
        shared.history = history
        let marker = ChangeMarker(shared)
        let running = Task { await marker.run() }
        await waitUntil("the marker follows the settings") { settings.isObserved }
        try change()
        await waitUntil("\(count) marks are set") { texts.count >= count }
        running.cancel()
        await running.value
        return texts
    }

    @Test(
        "an edit has a mark with its summary, even if a refused edit follows; one that changes nothing has none",
        arguments: [
            ["camera.fps = 20", "camera.fps = oops"],
            [
                "camera.fps = oops", "camera.fps = 10 # a remark", "camera.fps = 10\nweb.port = 9000",
                "camera.fps = 30\nweb.port = 9000",
            ],
        ])
    func edits(texts: [String]) async throws {
        let marks = try await marks(1) { for text in texts { try edit(text) } }
        #expect(marks == ["Applied camera.fps."])
    }

    @Test("a region that a client has changed has a mark, and an effect has none")
    func region() async throws {
        let marks = try await marks(1) {
            settings.update { $0.change(at: "") { $0.picture.effect = "edges" } }
            settings.update { $0.change(at: "") { $0.readings.region = Region(x: 0, y: 0, width: 0.5, height: 1) } }
        }
        #expect(marks == ["Area: 50.0 % × 100.0 % of the picture, 0.0 % from the left, 0.0 % from the top"])
    }

    @Test("targets that are set, changed and removed have marks with their names")
    func targets() async throws {
        func set(_ tables: String) throws {
            let value = try JSONDecoder().decode(ConfigValue.self, from: Data(tables.utf8))
            let change = try SettingsChange(["targets": value])
            settings.update { $0.change(at: "") { change.apply(to: &$0) } }
        }
        _ = try await marks(1) { try set(#"[{"name": "Red", "color": "red"}]"#) }
        _ = try await marks(2) { try set(#"[{"name": "Red", "color": "red", "tolerance": 3}]"#) }
        let marks = try await marks(3) { try set("[]") }
        #expect(marks == ["Target Red set", "Target Red changed", "Target Red removed"])
    }
}
