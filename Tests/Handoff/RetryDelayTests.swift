import Testing

@testable import Handoff

@Suite("The wait before the next attempt to connect")
struct RetryDelayTests {
    private func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + seconds }

    @Test(
        "is a second at first, then a fifteenth of the time without a broker and by chance half longer, a minute at most"
    )
    func growth() {
        var delay = RetryDelay()
        #expect(delay.next(at: time(0), chance: 1) == 1.5)
        #expect(delay.next(at: time(15), chance: 0) == 1)
        #expect(delay.next(at: time(45), chance: 0) == 3)
        #expect(delay.next(at: time(60), chance: 0.5) == 5)
        #expect(delay.next(at: time(600), chance: 0) == 40)
        #expect(delay.next(at: time(86_400), chance: 1) == 60)
        delay.reset()
        #expect(delay.next(at: time(90_000), chance: 0) == 1)
    }
}
