import Foundation
import Testing

@testable import Handoff

@Suite("A thread for blocking work")
struct ThreadTests {
    @Test("cancelling the task ends the work")
    func cancelling() async throws {
        let waker = try Waker()
        let isWoken = Latest(false)
        let task = Task {
            await Thread.run(named: "worker") {
                isWoken.publish(waker.wait(until: .now() + 3600))
            } onCancel: {
                waker.wake()
            }
        }
        task.cancel()
        await task.value
        #expect(isWoken.value)
    }
}
