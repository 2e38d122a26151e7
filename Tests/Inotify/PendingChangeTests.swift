import Testing

@testable import Inotify

@Suite("A pending change")
struct PendingChangeTests {
    private let start = ContinuousClock.now
    private let file = PendingChange.File(folder: 1, name: "config.toml")
    private var pending = PendingChange(quiet: .milliseconds(100))

    private func after(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    @Test("is none before something changes")
    mutating func nothing() {
        #expect(pending.due == nil)
        let isDue = pending.take(at: after(1_000_000))
        #expect(!isDue)
    }

    @Test("is told once, when it has been quiet")
    mutating func quiet() {
        pending.changed(file, at: start)
        pending.changed(file, at: after(60))
        #expect(pending.due == after(160))
        let (early, due, again) = (
            pending.take(at: after(159)), pending.take(at: after(160)), pending.take(at: after(300))
        )
        #expect(!early && due && !again)
    }

    @Test("is told at times while changes do not end")
    mutating func endless() {
        for time in stride(from: 0, through: 5000, by: 50) { pending.changed(nil, at: after(time)) }
        #expect(pending.due == after(1000))
    }

    @Test("waits until a file that is written to is closed, however long that takes")
    mutating func writer() {
        pending.writing(file)
        pending.touched(at: after(10))
        #expect(pending.due == nil)
        pending.writing(file)
        pending.changed(file, at: after(60_000))
        #expect(pending.due == after(60_100))
    }

    @Test("waits for every writer")
    mutating func writers() {
        pending.writing(file)
        pending.writing(.init(folder: 1, name: "other"))
        pending.changed(file, at: start)
        #expect(pending.due == nil)
        pending.changed(.init(folder: 1, name: "other"), at: after(20))
        #expect(pending.due == after(120))
    }

    @Test("waits a while for the one who writes what was created")
    mutating func created() {
        pending.created(file, at: start)
        #expect(pending.due == after(1000))
        pending.writing(file)
        #expect(pending.due == nil)
        pending.changed(file, at: after(2000))
        #expect(pending.due == after(2100))
    }

    @Test("waits for nobody whose folder is not watched any more, or when events were lost")
    mutating func forgotten() {
        pending.writing(file)
        pending.changed(nil, at: start)
        pending.forget(1)
        #expect(pending.due == after(100))
        pending.writing(file)
        pending.startOver(at: after(50))
        #expect(pending.due == after(150))
    }

    @Test("remembers no more writers than anyone needs")
    mutating func bounded() {
        for number in 0..<1000 { pending.writing(.init(folder: 1, name: "\(number)")) }
        // Forgotten to make room.
        for number in 768..<1000 { pending.changed(.init(folder: 1, name: "\(number)"), at: start) }
        #expect(pending.due == after(100))
    }
}
