import Foundation
import Glibc
import TestSupport
import Testing

@testable import Inotify

/// The number of events that the kernel keeps for one watch; nil if it does not say.
private let queueCapacity = (try? String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8))
    .flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }

@Suite("Directory watch", .timeLimit(.minutes(20)))
struct DirectoryWatchTests {
    private let folder: TemporaryFolder
    private let watch: DirectoryWatch
    init() throws {
        folder = try TemporaryFolder()
        watch = try DirectoryWatch(quiet: .milliseconds(10))
    }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    private func nextChange() async -> Bool {
        var changes = watch.changes.makeAsyncIterator()
        return await changes.next() != nil
    }

    /// A change in a folder that has a file.
    enum Change: CaseIterable {
        case write, rename, permissions, link, symbolicLink, removal
    }

    @Test("a file that is written, renamed, removed, linked or made readable is reported", arguments: Change.allCases)
    func everyChange(change: Change) async throws {
        try folder.write("one", to: "file")
        // Nothing is reported but the change, which happens later.
        watch.replace(with: [WatchedFolder(folder.path, [.entries, .contents, .attributes])])
        switch change {
        case .write: try folder.write("two", to: "file")
        case .rename: try folder.rename("file", to: "other")
        case .permissions:
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path("file"))
        case .link: try FileManager.default.linkItem(atPath: path("file"), toPath: path("other"))
        case .symbolicLink: try folder.link("other", to: "file")
        case .removal: try folder.remove("file")
        }
        #expect(await nextChange())
    }

    @Test("changes of files that are not of interest are not reported")
    func names() async throws {
        let everything = try DirectoryWatch(quiet: .milliseconds(10))
        everything.replace(with: [WatchedFolder(folder.path, .entries)])
        watch.replace(with: [WatchedFolder(folder.path, [.entries, .contents]) { $0.hasPrefix("video") }])
        let device = path("video0")
        // Returns whether the first report is about the device.
        let reader = Task { [watch] in
            for await _ in watch.changes { return FileManager.default.fileExists(atPath: device) }
            return false
        }
        var changes = everything.changes.makeAsyncIterator()
        for _ in 1...3 {
            // The reports of a watch of all files show how much time has passed.
            try folder.write("", to: "null")
            #expect(await changes.next() != nil)
            try folder.remove("null")
            #expect(await changes.next() != nil)
        }
        try folder.write("", to: "video0")
        #expect(await reader.value)
    }

    @Test("a file that is being written is not reported before it is closed")
    func openFile() async throws {
        let slow = URL(filePath: path("slow"))
        try Data().write(to: slow)
        let everything = try DirectoryWatch(quiet: .milliseconds(10))
        everything.replace(with: [WatchedFolder(folder.path, .entries)])
        watch.replace(with: [WatchedFolder(folder.path, [.entries, .contents])])
        let reader = Task { [watch] in
            for await _ in watch.changes { return try String(contentsOf: slow, encoding: .utf8) }
            return ""
        }
        let file = try FileHandle(forWritingTo: slow)
        var changes = everything.changes.makeAsyncIterator()
        for (number, part) in ["half", " and ", "half"].enumerated() {
            try file.write(contentsOf: Data(part.utf8))
            // A watch without contents does not wait for the writer, so its reports show how much time has passed.
            try folder.write("", to: "other \(number)")
            #expect(await changes.next() != nil)
        }
        try file.close()
        #expect(try await reader.value == "half and half")
    }

    @Test("the watched folders can be replaced, and one folder can be watched by two names")
    func replace() async throws {
        for name in ["a", "b"] { try folder.makeFolder(name) }
        try folder.link("c", to: "b")
        watch.replace(with: [WatchedFolder(path("a"), .contents)])
        let problems = watch.replace(with: [
            WatchedFolder(path("missing"), .contents),
            WatchedFolder(path("b"), .entries) { $0 == "one" },
            WatchedFolder(path("c"), .contents) { $0 == "two" },
        ])
        #expect(problems.mapValues(\.description) == [0: "there is no folder \(path("missing"))"])
        try folder.write("", to: "a/one")
        try folder.write("", to: "b/two")
        #expect(await nextChange())
        try folder.remove("a")
        try folder.write("", to: "b/one")
        #expect(await nextChange())
    }

    @Test("a file that is being written in a folder that is no longer watched delays nothing")
    func forgottenWriter() async throws {
        for name in ["a", "b"] { try folder.makeFolder(name) }
        watch.replace(with: ["a", "b"].map { WatchedFolder(path($0), .contents) })
        try folder.write("", to: "a/file")
        #expect(await nextChange())
        let file = try FileHandle(forWritingTo: URL(filePath: path("a/file")))
        try file.write(contentsOf: Data([1]))
        watch.replace(with: [WatchedFolder(path("b"), .contents)])
        try folder.write("", to: "b/file")
        #expect(await nextChange())
        try file.close()
    }

    @Test("the removal or renaming of a watched folder is reported")
    func folderGoes() async throws {
        for name in ["a", "b"] { try folder.makeFolder(name) }
        watch.replace(with: ["a", "b"].map { WatchedFolder(path($0), .contents) })
        try folder.remove("a")
        #expect(await nextChange())
        try folder.rename("b", to: "a")
        #expect(await nextChange())
        // This is another folder at the same path.
        try folder.makeFolder("b")
        watch.replace(with: [WatchedFolder(path("b"), .contents)])
        try folder.write("", to: "b/file")
        #expect(await nextChange())
    }

    @Test(
        "a change is reported when the kernel's event queue overflows",
        .disabled(if: (queueCapacity ?? 0) > 100_000, "fs.inotify.max_queued_events is above 100,000"))
    func overflow() async throws {
        let count = try #require(queueCapacity)
        watch.replace(with: [WatchedFolder(folder.path, .entries)])
        for number in 0...count {
            // The names alternate because the kernel merges equal consecutive events.
            _ = unsafe symlink("x", path("\(number % 2)"))
            _ = unsafe unlink(path("\(number % 2)"))
        }
        #expect(await nextChange())
        try folder.write("", to: "last")
        #expect(await nextChange())
    }

    @Test("the stream of changes ends when the watch is destroyed")
    func end() async throws {
        var watch: DirectoryWatch? = try DirectoryWatch()
        let changes = try #require(watch?.changes)
        watch = nil
        for await _ in changes { Issue.record("nothing changed") }
    }

    @Test("watching a file instead of a folder is an error")
    func problems() throws {
        try folder.write("", to: "file")
        let problems = watch.replace(with: [WatchedFolder(path("file"), .entries)])
        #expect(problems == [0: WatchError(errno: ENOTDIR, path: path("file"))])

    }
}

@Suite("Watch errors")
struct WatchErrorTests {
    @Test(
        "an error says what keeps the folder from being watched",
        arguments: [
            (
                WatchError(errno: EMFILE),
                "this user has as many inotify instances, or this process as many open files, as allowed; "
                    + "raise fs.inotify.max_user_instances or the limit of open files (ulimit -n)"
            ),
            (
                WatchError(errno: ENOSPC, path: "/a"),
                "this user watches as many files as the system allows; raise fs.inotify.max_user_watches"
            ),
            (WatchError(errno: ENOENT, path: "/a"), "there is no folder /a"),
            (WatchError(errno: ENOTDIR, path: "/a"), "there is no folder /a"),
            (WatchError(errno: EACCES, path: "/a"), "this user may not list the folder /a"),
            (WatchError(errno: EIO, path: "/a"), "inotify_add_watch of /a: Input/output error"),
            (WatchError(errno: ENOMEM), "inotify_init1: Cannot allocate memory"),
        ])
    func sentences(error: WatchError, sentence: String) {
        #expect(error.description == sentence)
    }

    @Test(
        "only a missing folder counts as absent",
        arguments: [(ENOENT, true), (ENOTDIR, true), (EACCES, false), (ENOSPC, false)])
    func absence(errno: Int32, isAbsence: Bool) {
        #expect(WatchError(errno: errno, path: "/a").isNotFound == isAbsence)
    }
}
