import Foundation
import Glibc
import TestSupport
import Testing

@testable import Inotify

@Suite("Change debouncer")
struct ChangeDebouncerTests {
    private let start = ContinuousClock.now
    private let file = ChangeDebouncer.File(watchDescriptor: 1, name: "config.toml")
    private var debouncer = ChangeDebouncer(quiet: .milliseconds(100))

    private func after(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    @Test("nothing is due before a change")
    mutating func nothing() {
        #expect(debouncer.due == nil)
        let isDue = debouncer.takeIfDue(at: after(1_000_000))
        #expect(!isDue)
    }

    @Test("a burst of changes is reported once, after a quiet time")
    mutating func quiet() {
        debouncer.closed(file, at: start)
        debouncer.closed(file, at: after(60))
        #expect(debouncer.due == after(160))
        let (early, due, again) = (
            debouncer.takeIfDue(at: after(159)), debouncer.takeIfDue(at: after(160)),
            debouncer.takeIfDue(at: after(300))
        )
        #expect(!early && due && !again)
    }

    @Test("continuous changes are reported from time to time")
    mutating func endless() {
        for time in stride(from: 0, through: 5000, by: 50) { debouncer.recordChange(at: after(time)) }
        #expect(debouncer.due == after(1000))
    }

    @Test("a file being written is reported only after it is closed, however long that takes")
    mutating func writer() {
        debouncer.writing(file)
        debouncer.recordChange(at: after(10))
        #expect(debouncer.due == nil)
        debouncer.writing(file)
        debouncer.closed(file, at: after(60_000))
        #expect(debouncer.due == after(60_100))
    }

    @Test("nothing is reported until every file being written is closed")
    mutating func writers() {
        debouncer.writing(file)
        debouncer.writing(.init(watchDescriptor: 1, name: "other"))
        debouncer.closed(file, at: start)
        #expect(debouncer.due == nil)
        debouncer.closed(.init(watchDescriptor: 1, name: "other"), at: after(20))
        #expect(debouncer.due == after(120))
    }

    @Test("a created file that is never written is reported after a while")
    mutating func created() {
        debouncer.created(file, at: start)
        #expect(debouncer.due == after(1000))
        debouncer.writing(file)
        #expect(debouncer.due == nil)
        debouncer.closed(file, at: after(2000))
        #expect(debouncer.due == after(2100))
    }

    @Test("files of a folder that is no longer watched, or whose events were lost, are not waited for")
    mutating func forgotten() {
        debouncer.writing(file)
        debouncer.recordChange(at: start)
        debouncer.forget(1)
        #expect(debouncer.due == after(100))
        debouncer.writing(file)
        debouncer.eventsWereLost(at: after(50))
        #expect(debouncer.due == after(150))
    }

    @Test("the number of remembered files being written is bounded")
    mutating func bounded() {
        for number in 0..<1000 { debouncer.writing(.init(watchDescriptor: 1, name: "\(number)")) }
        // The files before these were forgotten to make room.
        for number in 768..<1000 { debouncer.closed(.init(watchDescriptor: 1, name: "\(number)"), at: start) }
        #expect(debouncer.due == after(100))
    }

    @Test("the 256th file being written is still waited for")
    mutating func most() {
        for number in 0..<256 { debouncer.writing(.init(watchDescriptor: 1, name: "\(number)")) }
        debouncer.recordChange(at: start)
        for number in 1..<256 { debouncer.closed(.init(watchDescriptor: 1, name: "\(number)"), at: start) }
        #expect(debouncer.due == nil)
    }

    @Test("a file of another folder is still waited for when a folder is no longer watched")
    mutating func otherFolder() {
        debouncer.writing(file)
        debouncer.recordChange(at: start)
        debouncer.forget(2)
        #expect(debouncer.due == nil)
    }

    @Test("a file that was waited for before a report does not prolong the changes after it")
    mutating func reported() {
        debouncer.created(file, at: start)
        let isDue = debouncer.takeIfDue(at: after(1000))
        #expect(isDue)
        for time in stride(from: 2000, through: 5000, by: 50) {
            if time == 2500 { debouncer.closed(file, at: after(time)) } else { debouncer.recordChange(at: after(time)) }
        }
        #expect(debouncer.due == after(3000))
    }
}

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

    @Test(
        "a file that is written is waited for until it is closed, removed or replaced",
        arguments: [IN_CLOSE_WRITE, IN_DELETE, IN_MOVED_TO])
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
