import Testing

@testable import Handoff

@Suite("Concurrency limiter")
struct ConcurrencyLimiterTests {
    @Test("an operation that ends makes room for one more, and no second one")
    func room() {
        let limiter = ConcurrencyLimiter(capacity: 2)
        var operations = [limiter.begin(), limiter.begin()]
        #expect(operations.allSatisfy { $0 != nil })
        #expect(limiter.begin() == nil)
        operations.removeLast()
        operations.append(limiter.begin())
        #expect(operations.last.flatMap(\.self) != nil)
        #expect(limiter.begin() == nil)
    }
}
