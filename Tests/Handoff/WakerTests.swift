import Testing

@testable import Handoff

@Suite("Waker")
struct WakerTests {
    @Test("a waker that is triggered twice ends only the next wait")
    func wakesOnce() throws {
        let waker = try Waker()
        waker.wake()
        waker.wake()
        #expect(waker.wait(until: .now() + 3600))
        #expect(!waker.wait(until: .now()))
    }

    @Test("a waker ends a wait on another thread")
    func wakesAnother() async throws {
        let waker = try Waker()
        async let woken = Task.detached { waker.wait(until: .now() + 3600) }.value
        waker.wake()
        #expect(await woken)
    }
}
