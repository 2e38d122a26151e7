import Foundation
import TestSupport
import Testing

@testable import Handoff

@Suite("Slot")
struct SlotTests {
    @Test("a slot holds the newest value, and returns the one that it replaces")
    func newestWins() async {
        let slot = Slot<Int>()
        #expect(slot.put(1) == nil)
        #expect(slot.put(2) == 1)
        #expect(await slot.next() == 2)
        #expect(slot.put(3) == nil)
    }

    @Test("a value reaches the task that waits for it, and does not stay in the slot")
    func waitingTask() async {
        let slot = Slot<Int>()
        let task = Task { await slot.next() }
        await waitUntil("somebody waits for a value") { slot.isAwaited }
        #expect(slot.put(1) == nil)
        #expect(await task.value == 1)
        #expect(!slot.isAwaited)
        #expect(slot.put(2) == nil)
    }

    @Test("a thread takes the values that are put in while it waits, and ends when the slot is closed")
    func waitingThread() async {
        let slot = Slot<Int>()
        let taken = Slot<Int>()
        let thread = Thread {
            while let value = slot.wait() { taken.put(value) }
            taken.put(-1)
        }
        thread.start()
        for value in 1...3 {
            await waitUntil("somebody waits for a value") { slot.isAwaited }
            slot.put(value)
            #expect(await taken.next() == value)
        }
        await waitUntil("somebody waits for a value") { slot.isAwaited }
        slot.close()
        #expect(await taken.next() == -1)
    }

    @Test("a thread takes a value that was put in before it waits")
    func earlierValue() {
        let slot = Slot<Int>()
        slot.put(1)
        #expect(slot.wait() == 1)
        #expect(!slot.isAwaited)
    }

    @Test("closing a slot drops its value, ends later waits and returns new values")
    func closing() async {
        let slot = Slot<Int>()
        slot.put(1)
        slot.close()
        #expect(await slot.next() == nil)
        #expect(slot.wait() == nil)
        #expect(slot.put(2) == 2)
        #expect(await slot.next() == nil)
    }

    @Test(
        "closing a slot ends the wait of a task, and cancelling the task that waits closes the slot",
        arguments: [true, false])
    func ending(isCancelled: Bool) async {
        let slot = Slot<Int>()
        let task = Task { await slot.next() }
        await waitUntil("somebody waits for a value") { slot.isAwaited }
        if isCancelled { task.cancel() } else { slot.close() }
        #expect(await task.value == nil)
        #expect(slot.put(1) == 1)
    }
}
