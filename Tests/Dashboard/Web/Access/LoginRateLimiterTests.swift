import Testing

@testable import Configuration
@testable import Dashboard

@Suite("Login rate limiter")
struct LoginRateLimiterTests {
    private let start = LoginRateLimiter.Instant.now
    private var limiter = LoginRateLimiter()

    /// Returns how many of some guesses are within the limit.
    private mutating func allowed(
        _ guesses: Int = 1, from address: String = "192.0.2.1", after time: Duration = .zero
    ) throws -> Int {
        let network = try #require(IPNetwork(address))
        return (0..<guesses).count { _ in limiter.allowsGuess(from: network, at: start + time) }
    }

    @Test("ten guesses are allowed at once, and then one every six seconds")
    mutating func refill() throws {
        let counts = [
            try allowed(11), try allowed(after: .milliseconds(5_999)), try allowed(2, after: .seconds(6)),
            try allowed(3, after: .seconds(18)),
        ]
        #expect(counts == [10, 0, 1, 2])
    }

    @Test("after an hour without a guess, still only ten are allowed at once")
    mutating func idle() throws {
        let counts = [try allowed(10), try allowed(20, after: .seconds(3600))]
        #expect(counts == [10, 10])
    }

    @Test("guesses from one network do not count against another")
    mutating func otherNetwork() throws {
        let counts = [try allowed(20), try allowed(from: "192.0.2.2")]
        #expect(counts == [10, 1])
    }

    @Test("if there are too many networks, only those that may guess ten times again are forgotten")
    mutating func recovered() throws {
        _ = try allowed(10, from: "192.0.2.2")
        for index in 0..<1023 {
            _ = try allowed(from: "10.0.\(index / 256).\(index % 256)", after: .milliseconds(1))
        }
        _ = try allowed(after: .seconds(30))
        let count = try allowed(10, from: "192.0.2.2", after: .seconds(30))
        #expect(count == 5)
    }

    @Test("if there are too many networks, the one with the oldest guess is forgotten")
    mutating func bounded() throws {
        _ = try allowed(10, after: .milliseconds(2))
        for index in 0..<1024 {
            _ = try allowed(10, from: "10.0.\(index / 256).\(index % 256)", after: .milliseconds(1))
        }
        let count = try allowed(after: .milliseconds(3))
        #expect(count == 0)
    }
}
