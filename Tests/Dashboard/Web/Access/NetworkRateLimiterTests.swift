import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard

@Suite("The rate of what the clients of each network do")
struct NetworkRateLimiterTests {
    private let clock = ManualClock()
    private let limiter: NetworkRateLimiter

    init() {
        limiter = NetworkRateLimiter(each: .init(burst: 10, period: .seconds(6)), clocks: clock.clocks)
    }

    /// Returns how many of some attempts are within the limits.
    private func allowed(_ attempts: Int = 1, from address: String = "192.0.2.1") throws -> Int {
        let network = try #require(IPNetwork(address))
        return (0..<attempts).count { _ in limiter.refusal(from: network) == nil }
    }

    @Test("a burst is allowed at once, and then once in each period; after an hour, still only a burst")
    func refill() throws {
        #expect(try allowed(11) == 10)
        clock.advance(by: 5.25)
        #expect(try allowed() == 0)
        clock.advance(by: 0.75)
        #expect(try allowed(2) == 1)
        clock.advance(by: 12)
        #expect(try allowed(3) == 2)
        clock.advance(by: 3600)
        #expect(try allowed(20) == 10)
    }

    @Test("attempts from one network do not count against another, or those without an address, which share a limit")
    func otherNetwork() throws {
        #expect(try allowed(20) == 10)
        #expect(try allowed(from: "192.0.2.2") == 1)
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

    /// A limiter with a limit for all networks together.
    private func makeLimiterOfAll() -> NetworkRateLimiter {
        NetworkRateLimiter(
            each: .init(burst: 4, period: .seconds(10)), all: .init(burst: 10, period: .seconds(5)),
            clocks: clock.clocks)
    }

    @Test("all networks together have a limit")
    func all() {
        let limiter = makeLimiterOfAll()
        let refusals = (1...11).map { limiter.refusal(from: IPNetwork("192.0.2.\($0)")) }
        #expect(refusals == Array(repeating: nil, count: 10) + [.all(.seconds(5))])
        clock.advance(by: 5)
        #expect(limiter.refusal(from: IPNetwork("192.0.2.11")) == nil)
        #expect(limiter.refusal(from: IPNetwork("192.0.2.11")) == .all(.seconds(5)))
    }

    @Test("attempts that a network is refused do not count against all networks together")
    func greedy() {
        let limiter = makeLimiterOfAll()
        for _ in 1...100 { _ = limiter.refusal(from: IPNetwork("192.0.2.1")) }
        let allowed = (2...20).count { limiter.refusal(from: IPNetwork("192.0.2.\($0)")) == nil }
        #expect(allowed == 6)
    }

    @Test("however many busy networks there are, a quiet one is not locked out")
    func quiet() {
        let limiter = makeLimiterOfAll()
        for round in 1...60 {
            clock.advance(by: 5)
            for network in 1...20 {
                for _ in 1...3 { _ = limiter.refusal(from: IPNetwork("192.0.2.\(network)")) }
            }
            // At first, the busy networks are quiet ones, too. From then on, each may try again in every other round.
            guard round > 10, round % 4 == 1 else { continue }
            #expect(limiter.refusal(from: IPNetwork("198.51.100.1")) == nil)
        }
    }
}
