import Dispatch
import Synchronization
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Handoff
@testable import Readings

@Suite("The list of cameras")
struct CameraDirectoryTests {
    private let revisions = Latest(Revisions())

    @Test("the revision of the cameras rises when the list has changed, and only then")
    func revision() {
        let listed = Latest([SourceSelectionTests.c920])
        let directory = CameraDirectory(revisions: revisions, log: .silent, list: { listed.value })
        #expect(directory.refresh() == [SourceSelectionTests.c920])
        #expect(directory.nodes.value == [SourceSelectionTests.c920])
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
                listing.subtract(1, ordering: .relaxed)
                return []
            })
        DispatchQueue.concurrentPerform(iterations: 1000) { _ in directory.refresh() }
        #expect(most.load(ordering: .relaxed) == 1)
    }
}
