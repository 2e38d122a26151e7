import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Dashboard
@testable import Handoff

@Suite("Shared refresh", .timeLimit(.minutes(20)))
struct SharedRefreshTests {
    private let clock = ManualClock()

    /// A counter of how often the work was done.
    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func increment() { count.withLock { $0 += 1 } }
    }

    /// Work that reports its start and waits until it is released.
    private struct Work: Sendable {
        let begun: AsyncStream<Void>
        private let begin: AsyncStream<Void>.Continuation
        private let gate = DispatchSemaphore(value: 0)

        init() {
            (begun, begin) = AsyncStream.makeStream()
        }

        func run() {
            begin.yield()
            if gate.wait(timeout: .now() + 600) == .timedOut { Issue.record("the work was never released") }
        }

        func release() { gate.signal() }
    }

    @Test("a refresh is repeated half a second after the last one, and not before")
    func interval() async {
        let refresh = SharedRefresh(label: "test", clocks: clock.clocks)
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
        // It counts from the end of the last one.
        clock.advance(by: .seconds(3600))
        await refresh.run { clock.advance(by: .seconds(10)) }
        await refresh.run(counter.increment)
        #expect(counter.value == 1)
        clock.advance(by: .milliseconds(500))
        await refresh.run(counter.increment)
        #expect(counter.value == 2)
    }

    @Test("callers that arrive during a refresh wait for its end and do not start another")
    func shared() async {
        let work = Work()
        let (starts, counter) = (Counter(), Counter())
        // The second caller reads the clock, which lets the work end.
        var clocks = clock.clocks
        clocks.now = { [clock] in
            if starts.value > 0 { work.release() }
            return clock.now
        }
        let refresh = SharedRefresh(label: "test", clocks: clocks)
        clock.advance(by: .seconds(1))
        async let first: Void = refresh.run {
            work.run()
            counter.increment()
        }
        for await _ in work.begun { break }
        starts.increment()
        await refresh.run(counter.increment)
        #expect(counter.value == 1)
        await first
        #expect(counter.value == 1)
    }

    @Test("a refresh that takes longer than a second is neither waited for nor started twice")
    func timeout() async {
        let work = Work()
        let counter = Counter()
        let refresh = SharedRefresh(label: "test", clocks: clock.clocks)
        clock.advance(by: .seconds(1))
        async let first: Void = refresh.run(work.run)
        for await _ in work.begun { break }
        clock.advance(by: SharedRefresh.timeout)
        await refresh.run(counter.increment)
        #expect(counter.value == 0)
        work.release()
        await first
    }
}
