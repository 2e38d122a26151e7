import Dispatch
import Synchronization
import Testing

@testable import Dashboard

@Suite("A shared refresh", .timeLimit(.minutes(1)))
struct SharedRefreshTests {
    private let clock = TestClock()

    /// Counts how often the work was done.
    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func increment() { count.withLock { $0 += 1 } }
    }

    /// Work that begins, says so, and goes on when it is let.
    private struct Work: Sendable {
        let begun: AsyncStream<Void>
        private let begin: AsyncStream<Void>.Continuation
        private let gate = DispatchSemaphore(value: 0)

        init() {
            (begun, begin) = AsyncStream.makeStream()
        }

        func run() {
            begin.yield()
            gate.wait()
        }

        func release() { gate.signal() }
    }

    @Test("is done again half a second after the last one, and not before")
    func interval() async {
        let refresh = SharedRefresh(label: "test") { clock.now }
        let counter = Counter()
        await refresh.run(counter.increment)
        #expect(counter.value == 0)
        clock.advance(by: .milliseconds(499))
        await refresh.run(counter.increment)
        #expect(counter.value == 0)
        clock.advance(by: .milliseconds(1))
        await refresh.run(counter.increment)
        await refresh.run(counter.increment)
        #expect(counter.value == 1)
        clock.advance(by: .seconds(3600))
        await refresh.run(counter.increment)
        await refresh.run(counter.increment)
        #expect(counter.value == 2)
    }

    @Test("counts half a second from its end, however long it takes")
    func intervalAfterSlowWork() async {
        let refresh = SharedRefresh(label: "test") { clock.now }
        let counter = Counter()
        clock.advance(by: .seconds(1))
        await refresh.run { clock.advance(by: .seconds(10)) }
        await refresh.run(counter.increment)
        #expect(counter.value == 0)
        clock.advance(by: .milliseconds(500))
        await refresh.run(counter.increment)
        #expect(counter.value == 1)
    }

    @Test("is done once for those who ask while it is done, and they wait for its end")
    func shared() async {
        let work = Work()
        let (times, counter) = (Counter(), Counter())
        // The clock is read by the first, by the second, and at the end: the second lets the work end.
        let refresh = SharedRefresh(label: "test") {
            times.increment()
            if times.value == 3 { work.release() }
            return clock.now
        }
        clock.advance(by: .seconds(1))
        async let first: Void = refresh.run {
            work.run()
            counter.increment()
        }
        for await _ in work.begun { break }
        await refresh.run(counter.increment)
        #expect(counter.value == 1)
        await first
        #expect(counter.value == 1)
    }

    @Test("that has not ended after a second is not waited for, and not begun twice")
    func patience() async {
        let work = Work()
        let counter = Counter()
        let refresh = SharedRefresh(label: "test") { clock.now }
        clock.advance(by: .seconds(1))
        async let first: Void = refresh.run(work.run)
        for await _ in work.begun { break }
        clock.advance(by: SharedRefresh.patience)
        await refresh.run(counter.increment)
        #expect(counter.value == 0)
        work.release()
        await first
    }
}
