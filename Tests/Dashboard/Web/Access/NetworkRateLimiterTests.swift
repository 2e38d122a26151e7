import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard

@Suite("The rate of what the clients of each network do")
struct NetworkRateLimiterTests {
    private let clock = ManualClock()
    private let limiter: NetworkRateLimiter

    init() {
        let clock = clock
        limiter = NetworkRateLimiter(each: .init(burst: 10, period: .seconds(6)), now: { clock.instant })
    }

    /// Returns how many of some attempts are within the limits.
    private func allowed(_ attempts: Int = 1, from address: String = "192.0.2.1") throws -> Int {
        let network = try #require(IPNetwork(address))
        return (0..<attempts).count { _ in limiter.refusal(from: network) == nil }
    }

    @Test("a burst is allowed at once, and then once in each period")
    func refill() throws {
        #expect(try allowed(11) == 10)
        clock.advance(by: 5.999)
        #expect(try allowed() == 0)
        clock.advance(by: 0.001)
        #expect(try allowed(2) == 1)
        clock.advance(by: 12)
        #expect(try allowed(3) == 2)
    }

    @Test("after an hour without an attempt, still only a burst is allowed at once")
    func idle() throws {
        #expect(try allowed(10) == 10)
        clock.advance(by: 3600)
        #expect(try allowed(20) == 10)
    }

    @Test("attempts from one network do not count against another")
    func otherNetwork() throws {
        #expect(try allowed(20) == 10)
        #expect(try allowed(from: "192.0.2.2") == 1)
    }

    @Test("clients without an address share a limit")
    func noAddress() {
        #expect((0..<20).count { _ in limiter.refusal(from: nil) == nil } == 10)
    }

    @Test("a refusal says when the next attempt is allowed")
    func wait() throws {
        _ = try allowed(10)
        clock.advance(by: 3)
        #expect(limiter.refusal(from: IPNetwork("192.0.2.1")) == .network(.seconds(3)))
    }

    @Test("if there are too many networks, only those that may use a whole burst again are forgotten")
    func recovered() throws {
        _ = try allowed(10, from: "192.0.2.2")
        clock.advance(by: 0.001)
        for index in 0..<1023 { _ = try allowed(from: "10.0.\(index / 256).\(index % 256)") }
        clock.advance(by: 29.999)
        _ = try allowed()
        #expect(try allowed(10, from: "192.0.2.2") == 5)
    }

    @Test("if there are too many networks, the one with the oldest attempt is forgotten")
    func bounded() throws {
        for index in 0..<1024 {
            _ = try allowed(10, from: "10.0.\(index / 256).\(index % 256)")
            if index == 0 { clock.advance(by: 0.001) }
        }
        _ = try allowed(10)
        #expect(try allowed() == 0)
        #expect(try allowed(from: "10.0.0.1") == 0)
        #expect(try allowed(from: "10.0.0.0") == 1)
    }

    /// A limiter with a limit for all networks together, which is used up with the last of these attempts.
    private func crowded() -> NetworkRateLimiter {
        let clock = clock
        let limiter = NetworkRateLimiter(
            each: .init(burst: 2, period: .seconds(10)), all: .init(burst: 3, period: .seconds(5)),
            now: { clock.instant })
        for address in ["192.0.2.1", "192.0.2.1", "192.0.2.2"] { _ = limiter.refusal(from: IPNetwork(address)) }
        return limiter
    }

    @Test("all networks together have a limit, and what it refuses does not count against the network")
    func all() {
        let limiter = crowded()
        for _ in 1...5 { #expect(limiter.refusal(from: IPNetwork("192.0.2.3")) == .all(.seconds(5))) }
        clock.advance(by: 10)
        let refusals = (0..<3).map { _ in limiter.refusal(from: IPNetwork("192.0.2.3")) }
        #expect(refusals == [nil, nil, .network(.seconds(10))])
    }

    @Test("what a network is refused does not count against all networks together")
    func greedy() {
        let limiter = crowded()
        clock.advance(by: 5)
        for _ in 1...5 { #expect(limiter.refusal(from: IPNetwork("192.0.2.1")) == .network(.seconds(5))) }
        #expect(limiter.refusal(from: IPNetwork("192.0.2.2")) == nil)
    }
}
