import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Configuration
@testable import Documents
@testable import Handoff

/// Tests that edits to the file are detected without a request to reload it.
@Suite("Configuration watcher", .timeLimit(.minutes(20)))
struct ConfigWatcherTests {
    /// The ways in which editors and tools write files.
    enum SaveMethod: CaseIterable {
        case truncate, renameOver, backup, removeFirst, copyOver, twice, slowly, hardLink
        case swapLink, editLinkTarget, swapFolderLink, replaceFolder
    }

    /// A configuration file behind all links and folders that the methods need.
    private final class Fixture: Sendable {
        let folder: TemporaryFolder
        let settings: Latest<Settings>
        let notices = Notices()
        let recorder = LogRecorder()
        private let running: Task<Void, Never>

        init() async throws {
            folder = try TemporaryFolder(["data/one/real.toml": "camera.fps = 10"])
            try folder.link("data/current", to: "one")
            try folder.link("config.toml", to: "data/current/real.toml")
            let path = folder.path + "/config.toml"
            settings = Latest(try Settings(explicit: path, options: ConfigOverrides()))
            let watch = ConfigWatcher(
                settings, candidates: [path], notices: notices, noticeTime: 3600, log: recorder.log)
            // An edit before the watch begins must be detected as well.
            try folder.write("camera.fps = 11", to: "data/one/real.toml")
            var updates = settings.updates().makeAsyncIterator()
            running = Task { await watch.run(AsyncStream { _ in }) }
            while settings.value.effective.camera.fps != 11 { _ = await updates.next() }
        }

        deinit { running.cancel() }

        func write(_ text: String, by method: SaveMethod) throws {
            let target = folder.path + "/data/one/real.toml"
            switch method {
            case .truncate: try Data(text.utf8).write(to: URL(filePath: target))
            case .renameOver:
                try folder.write(text, to: "data/one/.real.toml.tmp")
                try folder.rename("data/one/.real.toml.tmp", to: "data/one/real.toml")
            case .backup:
                try folder.rename("data/one/real.toml", to: "data/one/real.toml~")
                try folder.write(text, to: "data/one/real.toml")
                try folder.remove("data/one/real.toml~")
            case .removeFirst:
                try folder.remove("data/one/real.toml")
                try folder.write(text, to: "data/one/real.toml")
            case .copyOver:
                try folder.write(text, to: "other.toml")
                let file = try FileHandle(forWritingTo: URL(filePath: target))
                try file.truncate(atOffset: 0)
                try file.write(contentsOf: Data(contentsOf: URL(filePath: folder.path + "/other.toml")))
                try file.close()
            case .twice:
                try folder.write(text + "\nreadings.rate = ", to: "data/one/real.toml")
                try folder.write(text, to: "data/one/real.toml")
            case .slowly:
                let file = try FileHandle(forWritingTo: URL(filePath: target))
                try file.truncate(atOffset: 0)
                for byte in text.utf8 { try file.write(contentsOf: Data([byte])) }
                try file.close()
            case .hardLink:
                try folder.write(text, to: "data/one/complete")
                try folder.remove("data/one/real.toml")
                try FileManager.default.linkItem(atPath: folder.path + "/data/one/complete", toPath: target)
            case .swapLink:
                try folder.write(text, to: "elsewhere/new.toml")
                try folder.link("config.toml.new", to: "elsewhere/new.toml")
                try folder.rename("config.toml.new", to: "config.toml")
            case .editLinkTarget:
                try folder.write(text, to: "data/one/real.toml")
            case .swapFolderLink:
                try folder.write(text, to: "data/two/real.toml")
                try folder.link("data/next", to: "two")
                try folder.rename("data/next", to: "data/current")
            case .replaceFolder:
                try folder.write(text, to: "new/real.toml")
                try folder.rename("data/one", to: "old")
                try folder.rename("new", to: "data/one")
            }
        }

        /// Waits until an edit has taken effect.
        func wait(until condition: (Config) -> Bool) async {
            var updates = settings.updates().makeAsyncIterator()
            while !condition(settings.value.effective) { _ = await updates.next() }
        }
    }

    @Test("an edit is applied however it is written, and so is the next one", arguments: SaveMethod.allCases)
    func saveMethods(_ method: SaveMethod) async throws {
        let fixture = try await Fixture()
        try fixture.write("camera.fps = 20", by: method)
        await fixture.wait { $0.camera.fps == 20 }
        #expect(fixture.notices.all.map(\.message) == ["Applied camera.fps."])
        // This edit goes through the links that exist now.
        try Data("camera.fps = 30".utf8).write(to: URL(filePath: fixture.folder.path + "/config.toml"))
        await fixture.wait { $0.camera.fps == 30 }
    }

    @Test("a file that is removed and created again, even with its folder, is still watched")
    func comesBack() async throws {
        let fixture = try await Fixture()
        try fixture.folder.remove("data/one")
        try fixture.folder.write("camera.fps = 20", to: "data/one/real.toml")
        await fixture.wait { $0.camera.fps == 20 }
        try fixture.folder.remove("data")
        try fixture.folder.remove("config.toml")
        try fixture.folder.write("camera.fps = 30", to: "config.toml")
        await fixture.wait { $0.camera.fps == 30 }
        // A folder that does not exist is not one that cannot be watched.
        #expect(!fixture.recorder.lines.contains { $0.contains("are not detected") })
    }

    @Test("the log reports at most twenty requested reloads a minute")
    func flood() async throws {
        let folder = try TemporaryFolder(["config.toml": ""])
        let path = folder.path + "/config.toml"
        let settings = Latest(try Settings(explicit: path, options: ConfigOverrides()))
        let recorder = LogRecorder()
        let watch = ConfigWatcher(settings, candidates: [path], notices: Notices(), log: recorder.log)
        let left = Atomic(1000)
        let (end, ended) = AsyncStream.makeStream(of: Void.self)
        let requests = AsyncStream<Void> {
            if left.subtract(1, ordering: .relaxed).newValue >= 0 { return () }
            ended.finish()
            return nil
        }
        let running = Task { await watch.run(requests) }
        for await _ in end {}
        running.cancel()
        await running.value
        #expect(recorder.lines == Array(repeating: "SIGHUP: re-reading the configuration.", count: 20))
    }

    @Test("a request reloads the file")
    func request() async throws {
        let folder = try TemporaryFolder(["config.toml": "camera.fps = 10"])
        let path = folder.path + "/config.toml"
        let settings = Latest(try Settings(explicit: path, options: ConfigOverrides()))
        let notices = Notices()
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let watch = ConfigWatcher(settings, candidates: [path], notices: notices, log: .silent)
        // The request comes before anybody listens, like a signal at the start.
        request.yield()
        try folder.write("camera.fps = 20", to: "config.toml")
        var updates = settings.updates().makeAsyncIterator()
        let running = Task { await watch.run(requests) }
        while settings.value.effective.camera.fps != 20 { _ = await updates.next() }
        running.cancel()
        // The watcher ends at once.
        await running.value
    }
}
