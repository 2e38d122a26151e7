import Testing

@testable import Handoff

@Suite("A waker")
struct WakerTests {
    @Test("ends the next wait, once")
    func wakesOnce() throws {
        let waker = try Waker()
        waker.wake()
        waker.wake()
        #expect(waker.wait(until: .now() + 3600))
        #expect(!waker.wait(until: .now()))
    }

    @Test("ends a wait that is under way on another thread")
    func wakesAnother() async throws {
        let waker = try Waker()
        async let woken = Task.detached { waker.wait(until: .now() + 3600) }.value
        waker.wake()
        #expect(await woken)
    }
}
