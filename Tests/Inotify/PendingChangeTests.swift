import Testing

@testable import Inotify

@Suite("Pending change")
struct PendingChangeTests {
    private let start = ContinuousClock.now
    private let file = PendingChange.File(folder: 1, name: "config.toml")
    private var pending = PendingChange(quiet: .milliseconds(100))

    private func after(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    @Test("nothing is due before a change")
    mutating func nothing() {
        #expect(pending.due == nil)
        let isDue = pending.take(at: after(1_000_000))
        #expect(!isDue)
    }

    @Test("a burst of changes is reported once, after a quiet time")
    mutating func quiet() {
        pending.changed(file, at: start)
        pending.changed(file, at: after(60))
        #expect(pending.due == after(160))
        let (early, due, again) = (
            pending.take(at: after(159)), pending.take(at: after(160)), pending.take(at: after(300))
        )
        #expect(!early && due && !again)
    }

    @Test("continuous changes are reported from time to time")
    mutating func endless() {
        for time in stride(from: 0, through: 5000, by: 50) { pending.changed(nil, at: after(time)) }
        #expect(pending.due == after(1000))
    }

    @Test("a file being written is reported only after it is closed, however long that takes")
    mutating func writer() {
        pending.writing(file)
        pending.touched(at: after(10))
        #expect(pending.due == nil)
        pending.writing(file)
        pending.changed(file, at: after(60_000))
        #expect(pending.due == after(60_100))
    }

    @Test("nothing is reported until every file being written is closed")
    mutating func writers() {
        pending.writing(file)
        pending.writing(.init(folder: 1, name: "other"))
        pending.changed(file, at: start)
        #expect(pending.due == nil)
        pending.changed(.init(folder: 1, name: "other"), at: after(20))
        #expect(pending.due == after(120))
    }

    @Test("a created file that is never written is reported after a while")
    mutating func created() {
        pending.created(file, at: start)
        #expect(pending.due == after(1000))
        pending.writing(file)
        #expect(pending.due == nil)
        pending.changed(file, at: after(2000))
        #expect(pending.due == after(2100))
    }

    @Test("files of a folder that is no longer watched, or whose events were lost, are not waited for")
    mutating func forgotten() {
        pending.writing(file)
        pending.changed(nil, at: start)
        pending.forget(1)
        #expect(pending.due == after(100))
        pending.writing(file)
        pending.startOver(at: after(50))
        #expect(pending.due == after(150))
    }

    @Test("the number of remembered files being written is bounded")
    mutating func bounded() {
        for number in 0..<1000 { pending.writing(.init(folder: 1, name: "\(number)")) }
        // These were forgotten to make room.
        for number in 768..<1000 { pending.changed(.init(folder: 1, name: "\(number)"), at: start) }
        #expect(pending.due == after(100))
    }
}
