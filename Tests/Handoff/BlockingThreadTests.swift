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

    private static func work(holding held: Held) -> @Sendable () -> Void { { withExtendedLifetime(held) {} } }

    @Test("what the work held is released when its end is known")
    func releases() async {
        for _ in 0..<300 {
            let isReleased = Latest(false)
            await BlockingThread.run(named: "test", Self.work(holding: Held { isReleased.update { $0 = true } })) {}
            #expect(isReleased.value)
        }
    }
}
