import Testing

@testable import Handoff

@Suite("A token bucket")
struct TokenBucketTests {
    private let start = ContinuousClock.now

    @Test("a token bucket gives as many tokens at once as it holds")
    func capacity() {
        var bucket = TokenBucket(capacity: 3, period: .seconds(10), at: start)
        #expect((0..<5).map { _ in bucket.take(at: start) } == [true, true, true, false, false])
    }

    @Test("a token bucket gains one token per period")
    func period() {
        var bucket = TokenBucket(capacity: 1, period: .seconds(10), at: start)
        let moments = [0, 5, 9, 10, 15, 19, 20]
        #expect(
            moments.map { bucket.take(at: start + .seconds($0)) } == [true, false, false, true, false, false, true])
    }

    @Test("an empty token bucket says when the next token comes")
    func wait() {
        var bucket = TokenBucket(capacity: 2, period: .seconds(10), at: start)
        for _ in 0..<2 { _ = bucket.take(at: start) }
        let waits = [0, 5, 10, 15].map { bucket.wait(at: start + .seconds($0)) }
        #expect(waits == [.seconds(10), .seconds(5), .zero, .zero])
    }

    @Test("an idle hour fills a token bucket no further than to its capacity")
    func idle() {
        var bucket = TokenBucket(capacity: 3, period: .seconds(6), at: start)
        for _ in 0..<3 { _ = bucket.take(at: start) }
        let later = start + .seconds(3600)
        #expect(bucket.level(at: later) == 3)
        let taken = (0..<10).count { _ in bucket.take(at: later) }
        #expect(taken == 3)
        #expect(bucket.time == later)
    }
}
