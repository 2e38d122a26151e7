import Foundation
import Glibc
import TestSupport
import Testing

@testable import Inotify

@Suite("Events of watched folders")
struct ChangeDebouncerEventTests {
    private let folder: TemporaryFolder
    private let start = ContinuousClock.now

    init() throws {
        folder = try TemporaryFolder(["one": "", "two": ""])
    }

    /// Returns the time until a report after some events of a folder; nil if a file has to be closed first.
    private func wait(after events: [(name: String?, change: Int32)], in folders: [WatchedFolder]) -> Duration? {
        var debouncer = ChangeDebouncer(quiet: .milliseconds(10))
        for (name, change) in events {
            debouncer.record(InotifyEvent(watchDescriptor: 1, mask: UInt32(change), name: name), in: folders, at: start)
        }
        return debouncer.due.map { start.duration(to: $0) }
    }

    private func watched(
        _ events: FolderEvents, isOfInterest: @escaping @Sendable (String) -> Bool = { _ in true }
    ) -> WatchedFolder {
        WatchedFolder(folder.path, events, isOfInterest: isOfInterest)
    }

    @Test("a created file has a second until it is written, if its contents are of interest")
    func created() {
        #expect(wait(after: [("one", IN_CREATE)], in: [watched([.entries, .contents])]) == .seconds(1))
        #expect(wait(after: [("one", IN_CREATE)], in: [watched(.entries)]) == .milliseconds(10))
    }

    @Test("a created file is not waited for if only the contents of other files in the folder are of interest")
    func otherContents() {
        let folders = [watched(.entries) { $0 == "one" }, watched(.contents) { $0 == "two" }]
        #expect(wait(after: [("one", IN_CREATE)], in: folders) == .milliseconds(10))
        #expect(wait(after: [("two", IN_CREATE)], in: folders) == .seconds(1))
    }

    @Test(
        "links, folders and second names that are created are not waited for",
        arguments: ["link", "folder", "missing", "second"])
    func complete(name: String) throws {
        try FileManager.default.linkItem(atPath: folder.path + "/one", toPath: folder.path + "/second")
        try folder.link("link", to: "one")
        try folder.makeFolder("folder")
        #expect(wait(after: [(name, IN_CREATE)], in: [watched([.entries, .contents])]) == .milliseconds(10))
    }

    @Test("a file that is written is waited for until it is closed or removed", arguments: [IN_CLOSE_WRITE, IN_DELETE])
    func written(end: Int32) {
        let folders = [watched([.entries, .contents])]
        #expect(wait(after: [("two", IN_CREATE), ("one", IN_MODIFY)], in: folders) == nil)
        #expect(wait(after: [("one", IN_MODIFY), ("one", end)], in: folders) == .milliseconds(10))
    }

    @Test("a change of permissions does not end the wait for a file that is written")
    func attributes() {
        let folders = [watched([.entries, .contents, .attributes])]
        #expect(wait(after: [("one", IN_MODIFY), ("one", IN_ATTRIB)], in: folders) == nil)
        #expect(wait(after: [("one", IN_ATTRIB)], in: folders) == .milliseconds(10))
    }

    @Test("a change of the folder itself is of interest, and a change of a file that is not of interest is ignored")
    func interest() {
        let folders = [watched(.entries) { $0 == "one" }]
        #expect(wait(after: [(nil, IN_DELETE_SELF)], in: folders) == .milliseconds(10))
        #expect(wait(after: [("two", IN_DELETE)], in: folders) == nil)
    }
}
