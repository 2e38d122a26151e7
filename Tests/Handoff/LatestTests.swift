import Dispatch
import TestSupport
import Testing

@testable import Handoff

@Suite("Latest")
struct LatestTests {
    @Test("a slow listener gets only the newest value")
    func newestWins() async {
        let latest = Latest(0)
        var updates = latest.updates().makeAsyncIterator()
        for value in 1...1000 { latest.publish(value) }
        #expect(await updates.next() == 1000)
    }

    @Test("an update reaches listeners and counts as a revision")
    func update() async {
        let latest = Latest([1])
        var updates = latest.updates().makeAsyncIterator()
        #expect(latest.revision == 0)
        #expect(latest.update { $0.append(2) } == [1, 2])
        #expect(latest.value == [1, 2])
        #expect(latest.revision == 1)
        #expect(await updates.next() == [1, 2])
        latest.publish([3])
        #expect(latest.value == [3])
        #expect(latest.revision == 2)
    }

    @Test("a listener to a part gets its first value, and then only changes")
    func changes() async {
        let latest = Latest((part: 1, rest: 1))
        var changes = latest.changes(of: { $0.part }).makeAsyncIterator()
        latest.publish((1, 2))
        #expect(await changes.next() == 1)
        latest.publish((1, 3))
        latest.publish((2, 3))
        #expect(await changes.next() == 2)
        latest.publish((3, 3))
        latest.publish((4, 3))
        latest.publish((4, 4))
        #expect(await changes.next() == 4)
    }

    @Test("the last value that a listener gets is the newest, even after changes by several threads")
    func order() async {
        for _ in 0..<100 {
            let latest = Latest(0)
            var updates = latest.updates().makeAsyncIterator()
            DispatchQueue.concurrentPerform(iterations: 4) { _ in latest.update { $0 += 1 } }
            #expect(await updates.next() == 4)
        }
    }

    @Test("a published value reaches every listener, and those that remain when one leaves")
    func leaving() async {
        let latest = Latest(0)
        #expect(!latest.isObserved)
        do {
            var updates = latest.updates().makeAsyncIterator()
            do {
                var other = latest.updates().makeAsyncIterator()
                latest.publish(1)
                #expect(await updates.next() == 1)
                #expect(await other.next() == 1)
            }
            var third = latest.updates().makeAsyncIterator()
            latest.publish(2)
            #expect(await updates.next() == 2)
            #expect(await third.next() == 2)
            #expect(latest.isObserved)
        }
        #expect(!latest.isObserved)
    }

    @Test("a listener may leave while the value changes")
    func leavingDuringChange() {
        let latest = Latest(0)
        var updates: AsyncStream<Int>? = latest.updates()
        latest.update { value in
            withExtendedLifetime(updates) {}
            updates = nil
            value = 1
        }
        #expect(latest.value == 1)
        #expect(!latest.isObserved)
    }

    @Test("a listener may be cancelled at the moment at which it is sent a value")
    func cancellingDuringChange() async {
        let latest = Latest(0)
        let isOver = Latest(false)
        await withTaskGroup { group in
            group.addTask {
                while !isOver.value {
                    latest.update { $0 += 1 }
                    await Task.yield()
                }
            }
            for _ in 0..<1000 {
                let updates = latest.updates()
                let listener = Task { for await _ in updates {} }
                await Task.yield()
                listener.cancel()
                await listener.value
            }
            isOver.publish(true)
        }
        #expect(!latest.isObserved)
    }
}

@Suite("A follower of a part of a value")
struct FollowerTests {
    private let pair = Latest((first: 1, second: 1))

    @Test("a follower returns each change of its part once, and no change of another part")
    func changes() {
        var follower = Follower(pair) { $0.first }
        #expect(follower.current == 1)
        #expect(follower.takeChange() == nil)
        pair.update { $0.second = 2 }
        let hasChangedByAnother = follower.hasChanged()
        #expect(!hasChangedByAnother)
        #expect(follower.takeChange() == nil)
        pair.update { $0.first = 2 }
        let hasChanged = [follower.hasChanged(), follower.hasChanged()]
        #expect(hasChanged == [true, true])
        #expect(follower.current == 1)
        #expect(follower.takeChange() == 2)
        #expect(follower.current == 2)
        #expect(follower.takeChange() == nil)
    }

    @Test("a follower returns nothing for a part that changed and changed back between two calls")
    func backAgain() {
        var follower = Follower(pair) { $0.first }
        pair.update { $0.first = 2 }
        pair.update { $0.first = 1 }
        #expect(follower.takeChange() == nil)
    }

    @Test("a follower reads its part once after a change of another part, however often it is called")
    func unrelatedChange() {
        let reads = Latest(0)
        var follower = Follower(pair) { pair in
            reads.update { $0 += 1 }
            return pair.first
        }
        pair.update { $0.second = 2 }
        for _ in 1...3 { #expect(follower.takeChange() == nil) }
        #expect(reads.value == 2)
    }
}
