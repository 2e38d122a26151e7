import Dispatch
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import V4L2

@testable import Handoff
@testable import Readings
@testable import State

@Suite("The list of cameras", .timeLimit(.minutes(20)))
struct CameraDirectoryTests {
    private let revisions = Latest(Revisions())

    @Test("the revision of the cameras rises when the list has changed, and only then")
    func revision() {
        let listed = Latest([DeviceNode.c920])
        let directory = CameraDirectory(
            revisions: revisions, log: .silent, list: { listed.value }, patience: .seconds(3600))
        directory.refresh()
        #expect(directory.nodes.value == [DeviceNode.c920])
        #expect(revisions.value.cameras == 1)
        directory.refresh()
        #expect(revisions.value.cameras == 1)
        listed.publish([])
        directory.refresh()
        #expect(directory.nodes.value == [])
        #expect(revisions.value.cameras == 2)
    }

    @Test("two threads that refresh the list do not list the cameras at the same time")
    func serial() {
        let listing = Atomic(0)
        let most = Atomic(0)
        let directory = CameraDirectory(
            log: .silent,
            list: {
                let count = listing.add(1, ordering: .relaxed).newValue
                _ = most.max(count, ordering: .relaxed)
                // The other threads have time to begin a list of their own.
                for _ in 1...20 { _ = sched_yield() }
                listing.subtract(1, ordering: .relaxed)
                return []
            }, patience: .seconds(3600))
        DispatchQueue.concurrentPerform(iterations: 1000) { _ in directory.refresh() }
        #expect(most.load(ordering: .relaxed) == 1)
    }

    @Test("a device that hangs does not hold up those that have the cameras listed, and one more list serves them all")
    func hanging() async {
        let (hang, begun) = (DispatchSemaphore(value: 0), Latest(0))
        let directory = CameraDirectory(
            log: .silent,
            list: {
                begun.update { $0 += 1 }
                hang.wait()
                return [DeviceNode.c920]
            }, patience: .milliseconds(1))
        directory.refresh()
        await waitUntil("the list is begun") { begun.value == 1 }
        for _ in 1...100 { directory.refresh() }
        #expect(begun.value == 1)
        #expect(!directory.isListed)
        hang.signal()
        await waitUntil("another list is begun") { begun.value == 2 }
        #expect(directory.nodes.value == [DeviceNode.c920])
        directory.refresh()
        for _ in 1...2 { hang.signal() }
        await waitUntil("the cameras are listed a third time") { begun.value == 3 }
    }

    @Test("a camera that came before the watch began is listed without a further change")
    func beforeWatch() async throws {
        let folder = try TemporaryFolder()
        let directory = CameraDirectory(log: .silent, folder: folder.path, list: { [DeviceNode.c920] })
        let (reports, report) = AsyncStream.makeStream(of: Void.self)
        let task = Task { await directory.follow { report.yield() } }
        for await _ in reports { break }
        #expect(directory.nodes.value == [DeviceNode.c920])
        task.cancel()
        await task.value
    }

    @Test(
        "the cameras are listed again when a node or one of udev's links is added, and when it is removed",
        arguments: ["video0", "v4l-subdev0", "media0", "v4l/other", "v4l/by-id/camera", "v4l/by-path/camera"])
    func follow(name: String) async throws {
        let folder = try TemporaryFolder()
        for name in ["by-id", "by-path"] { try folder.makeFolder("v4l/" + name) }
        let path = folder.path + "/" + name
        let directory = CameraDirectory(
            log: .silent, folder: folder.path,
            list: {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
                return target == nil ? [] : [DeviceNode.c920]
            })
        let reports = Latest(0)
        let task = Task { await directory.follow { reports.update { $0 += 1 } } }
        await waitUntil("the folder is watched, and was listed") { reports.value > 0 }
        try folder.link(name, to: "nothing")
        await waitUntil("the new camera is listed") { directory.nodes.value == [DeviceNode.c920] }
        try folder.remove(name)
        await waitUntil("the camera is no longer listed") { directory.nodes.value.isEmpty }
        task.cancel()
        await task.value
    }

    @Test("udev's folders are watched even if they are created only when the first camera is plugged in")
    func laterFolders() async throws {
        let folder = try TemporaryFolder()
        let directory = CameraDirectory(log: .silent, folder: folder.path, list: { [] })
        let reports = Latest(0)
        let task = Task { await directory.follow { reports.update { $0 += 1 } } }
        await waitUntil("the folder is watched, and was listed") { reports.value > 0 }
        try folder.makeFolder("v4l/by-id")
        let before = reports.value
        // The changes so far cause two reports at most.
        try await waitUntil("changes in the new folder are reported") {
            try folder.link("v4l/by-id/camera", to: "nothing")
            try folder.remove("v4l/by-id/camera")
            return reports.value >= before + 4
        }
        task.cancel()
        await task.value
    }
}
