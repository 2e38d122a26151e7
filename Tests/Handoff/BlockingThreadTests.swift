import Foundation
import Testing

@testable import Handoff

@Suite("A thread for work that blocks", .timeLimit(.minutes(20)))
struct BlockingThreadTests {
    /// Something that must be released, such as the lock of a file.
    private final class Held: Sendable {
        private let onRelease: @Sendable () -> Void

        init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

        deinit { onRelease() }
    }

    /// Work that holds something and waits.
    private static func work(holding held: Held, until gate: Slot<Bool>) -> @Sendable () -> Void {
        { withExtendedLifetime(held) { _ = gate.wait() } }
    }

    @Test("everything that the work holds is released before its end is reported")
    func releases() async {
        let (gate, isReleased) = (Slot<Bool>(), Latest(false))
        let wasReleased = await withCheckedContinuation { continuation in
            do throws(HandoffError) {
                let work = Self.work(holding: Held { isReleased.update { $0 = true } }, until: gate)
                try BlockingThread.start(named: "test", work) { continuation.resume(returning: isReleased.value) }
            } catch {
                continuation.resume(returning: false)
            }
            // From here on, only the thread holds it.
            gate.put(true)
        }
        #expect(wasReleased)
    }
}

@Suite("A thread for blocking work")
struct ThreadTests {
    @Test("cancelling the task ends the blocking work")
    func cancelling() async throws {
        let waker = try Waker()
        let isWoken = Latest(false)
        let task = Task {
            await BlockingThread.run(named: "worker") {
                isWoken.publish(waker.wait(until: .now() + 3600))
            } onCancel: {
                waker.wake()
            }
        }
        task.cancel()
        await task.value
        #expect(isWoken.value)
    }

    @Test("the thread for blocking work has the given name")
    func name() async {
        let name = Latest("")
        await BlockingThread.run(named: "worker") {
            name.publish((try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "unreadable")
        } onCancel: {
        }
        #expect(name.value == "worker\n")
    }
}
