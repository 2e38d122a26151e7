import Foundation
import TestSupport
import Testing

@testable import Handoff

@Suite("Waker", .timeLimit(.minutes(20)))
struct WakerTests {
    @Test("a waker that is triggered twice ends only the next wait")
    func wakesOnce() throws {
        let waker = try Waker()
        waker.wake()
        waker.wake()
        #expect(waker.wait(until: .now() + 3600))
        #expect(!waker.wait(until: .now()))
    }

    /// Whether a thread sleeps, by its folder below `/proc`: proc_pid_stat(5) has the state after the name.
    private func isSleeping(_ thread: String) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(thread)/stat", encoding: .utf8)
        return status?.split(separator: ")").last?.hasPrefix(" S") == true
    }

    @Test("a waker ends a wait that is in progress on another thread")
    func wakesAnother() async throws {
        let waker = try Waker()
        let name = Latest("")
        let woken = Slot<Bool>()
        let thread = Thread {
            let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            name.publish(link ?? "")
            woken.put(waker.wait(until: .now() + 3600))
        }
        thread.start()
        await waitUntil("the thread sleeps in its wait") { isSleeping(name.value) }
        waker.wake()
        #expect(await woken.next() == true)
    }
}
