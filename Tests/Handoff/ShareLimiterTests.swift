import TestSupport
import Testing

@testable import Handoff

@Suite("Share limiter", .timeLimit(.minutes(20)))
struct ShareLimiterTests {
    /// Ten places, of which each client may have four, and all but the owner leave two.
    private let limiter = ShareLimiter<String>(total: 10) { .init(max: 4, leaving: $0 == "owner" ? 0 : 2) }

    private func take(_ count: Int, for client: String) -> [Places] {
        (0..<count).compactMap { _ in limiter.begin(for: client) }
    }

    @Test("a client gets no more places than its share, and another client still gets its own")
    func perClient() {
        let places = take(5, for: "greedy")
        #expect(places.count == 4)
        #expect(take(4, for: "other").count == 4)
        withExtendedLifetime(places) {}
    }

    @Test("a place that is released can be taken again, and no second one")
    func released() {
        var places = take(4, for: "greedy")
        places.removeLast()
        places += take(2, for: "greedy")
        #expect(places.count == 4)
    }

    @Test("all other clients together leave the reserved places to the owner")
    func reserved() {
        let others = ["one", "two", "three"].flatMap { take(4, for: $0) }
        #expect(others.count == 8)
        #expect(take(4, for: "owner").count == 2)
        withExtendedLifetime(others) {}
    }

    @Test("several places are taken together or not at all")
    func several() {
        let places = take(2, for: "greedy")
        #expect(limiter.begin(3, for: "greedy") == nil)
        #expect(limiter.begin(2, for: "greedy") != nil)
        withExtendedLifetime(places) {}
    }

    @Test("a request for more places than the share gets the whole share")
    func clamped() {
        let all = limiter.begin(100, for: "greedy")
        #expect(all != nil)
        #expect(limiter.begin(for: "greedy") == nil)
        withExtendedLifetime(all) {}
    }

    @Test("places that are not needed any more become free, and the rest at the end, each exactly once")
    func keep() {
        var all = limiter.begin(4, for: "greedy")
        all?.keep(3)
        all?.keep(3)
        let one = take(2, for: "greedy")
        #expect(one.count == 1)
        all = nil
        #expect(take(4, for: "greedy").count == 3)
        withExtendedLifetime(one) {}
    }

    @Test("a request that waits gets the place that is released")
    func waiting() async {
        var places = take(4, for: "greedy")
        let request = Task { [limiter] in await limiter.begin(for: "greedy", within: nil) != nil }
        await waitUntil("the request waits") { limiter.waiterCount == 1 }
        places.removeLast()
        #expect(await request.value)
    }

    @Test("more requests than eight for each place of the client do not wait, and those of the owner still do")
    func tooManyWaiters() async {
        let places = ["one", "two", "three"].flatMap { take(4, for: $0) }
        let requests = ["one", "two", "three"].flatMap { client in
            (0..<33).map { _ in Task { [limiter] in await limiter.begin(for: client, within: nil) } }
        }
        // Eight for each of the eight places that are not reserved, and at most 32 of one client.
        await waitUntil("the requests wait") { limiter.waiterCount == 64 }
        let owner = take(2, for: "owner")
        let wish = Task { [limiter] in await limiter.begin(for: "owner", within: nil) }
        await waitUntil("the owner waits") { limiter.waiterCount == 65 }
        for request in requests + [wish] { request.cancel() }
        for request in requests + [wish] { #expect(await request.value == nil) }
        withExtendedLifetime((places, owner)) {}
    }

    @Test("a request that waits longer than its limit gets nothing, and leaves the place to the next one")
    func timeout() async {
        var places = take(4, for: "greedy")
        #expect(await limiter.begin(for: "greedy", within: .zero) == nil)
        places.removeLast()
        #expect(limiter.begin(for: "greedy") != nil)
        withExtendedLifetime(places) {}
    }

    @Test("a request whose task is cancelled gets nothing")
    func cancelled() async {
        let places = take(4, for: "greedy")
        let request = Task { [limiter] in await limiter.begin(for: "greedy", within: nil) == nil }
        request.cancel()
        #expect(await request.value)
        withExtendedLifetime(places) {}
    }

    @Test("a small request does not overtake a larger one of the same client, and does not wait for another client's")
    func order() async {
        var places = take(3, for: "greedy")
        let large = Task { [limiter] in await limiter.begin(3, for: "greedy", within: nil) }
        await waitUntil("the large request waits") { limiter.waiterCount == 1 }
        #expect(limiter.begin(for: "greedy") == nil)
        #expect(limiter.begin(for: "other") != nil)
        places.removeLast(2)
        #expect(await large.value != nil)
        withExtendedLifetime(places) {}
    }
}

@Suite("A token bucket")
struct TokenBucketTests {
    private let start = MonotonicTime.now()

    @Test("a token bucket gives as many tokens at once as it holds")
    func capacity() {
        var bucket = TokenBucket(capacity: 3, period: .seconds(10), at: start)
        #expect((0..<5).map { _ in bucket.take(at: start) } == [true, true, true, false, false])
    }

    @Test("a token bucket gains one token per period")
    func period() {
        var bucket = TokenBucket(capacity: 1, period: .seconds(10), at: start)
        let moments = [0.0, 5, 9, 10, 15, 19, 20]
        #expect(
            moments.map { bucket.take(at: start + $0) } == [true, false, false, true, false, false, true])
    }

    @Test("an empty token bucket says when the next token comes")
    func wait() {
        var bucket = TokenBucket(capacity: 2, period: .seconds(10), at: start)
        for _ in 0..<2 { _ = bucket.take(at: start) }
        let waits = [0, 5, 10, 15].map { bucket.wait(at: start + $0) }
        #expect(waits == [.seconds(10), .seconds(5), .zero, .zero])
    }

    @Test("an idle hour fills a token bucket no further than to its capacity")
    func idle() {
        var bucket = TokenBucket(capacity: 3, period: .seconds(6), at: start)
        for _ in 0..<3 { _ = bucket.take(at: start) }
        let later = start + 3600
        #expect(bucket.level(at: later) == 3)
        let taken = (0..<10).count { _ in bucket.take(at: later) }
        #expect(taken == 3)
        #expect(bucket.time == later)
    }
}
