import Testing

@testable import Handoff

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
