import TestSupport
import Testing

@testable import Handoff

@Suite("Timeout", .timeLimit(.minutes(20)))
struct WithTimeoutTests {
    /// Sleeps until the task is cancelled.
    private static func forever(_: Duration) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
    }

    @Test("an operation that ends in time gives its result, and the rest of the time is not waited for")
    func result() async {
        #expect(await withTimeout(.seconds(1), clocks: Clocks().sleeping(Self.forever)) { 7 } == 7)
    }

    @Test("when the time is up, the operation is cancelled and there is no result")
    func timeout() async {
        let isCancelled = Latest(false)
        let result = await withTimeout(.seconds(1), clocks: Clocks().sleeping { _ in }) {
            await Self.forever(.zero)
            isCancelled.publish(Task.isCancelled)
            return 7
        }
        #expect(result == nil)
        #expect(isCancelled.value)
    }

    @Test("an operation that returns nil ends the wait")
    func noResult() async {
        let nothing: Int? = nil
        #expect(await withTimeout(.seconds(1), clocks: Clocks().sleeping(Self.forever)) { nothing } == nil)
    }

    @Test("the timeout lasts for the given time")
    func duration() async {
        let slept = Latest(Duration.zero)
        _ = await withTimeout(.seconds(3), clocks: Clocks().sleeping { slept.publish($0) }) { () -> Int? in
            await Self.forever(.zero)
            return nil
        }
        #expect(slept.value == .seconds(3))
    }
}

@Suite("Abandonment", .timeLimit(.minutes(20)))
struct WithAbandonmentTests {
    @Test("an operation that ends in time gives its result, and the rest of the time is not waited for")
    func result() async {
        #expect(await withAbandonment(after: .seconds(36_000)) { 7 } == 7)
    }

    @Test("when the time is up, there is no result, and the operation continues without being cancelled")
    func abandoned() async {
        let (gate, opening) = AsyncStream.makeStream(of: Never.self)
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let result = await withAbandonment(after: .zero) {
            for await _ in gate {}
            end.yield(Task.isCancelled)
            return 7
        }
        #expect(result == nil)
        opening.finish()
        let isCancelled = await ends.first { _ in true }
        #expect(isCancelled == false)
    }
}
