import Testing

@testable import Handoff

@Suite("Abandonment", .timeLimit(.minutes(20)))
struct WithAbandonmentTests {
    @Test("an operation that ends in time gives its result, and the rest of the time is not waited for")
    func result() async {
        #expect(await withAbandonment(after: .seconds(36_000)) { 7 } == 7)
    }

    @Test("when the time is up, there is no result, and the operation continues without being cancelled")
    func abandoned() async {
        let (gate, opening) = AsyncStream.makeStream(of: Never.self)
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let result = await withAbandonment(after: .zero) {
            for await _ in gate {}
            end.yield(Task.isCancelled)
            return 7
        }
        #expect(result == nil)
        opening.finish()
        let isCancelled = await ends.first { _ in true }
        #expect(isCancelled == false)
    }
}
