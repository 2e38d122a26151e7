import Testing

@testable import Capture

@Suite("The wait before the next attempt")
struct BackoffTests {
    @Test("the wait grows from 0.25 to 2 s with each consecutive failure, and starts over after a success")
    func growth() {
        var backoff = Backoff()
        #expect(backoff.isFresh)
        #expect((1...6).map { _ in backoff.next() } == [0.25, 0.5, 1, 2, 2, 2])
        #expect(!backoff.isFresh)
        backoff.reset()
        #expect(backoff.isFresh)
        #expect(backoff.next() == 0.25)
    }
}
