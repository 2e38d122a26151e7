import Foundation
import Testing

@testable import Handoff

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
