import Testing

@testable import Handoff

@Suite("Request queue", .timeLimit(.minutes(10)))
struct RequestQueueTests {
    private struct Doubling: Command {
        typealias Value = Int

        var number: Int

        enum Refusal: Error, Equatable { case odd, unavailable }

        static let capacity = 8
        static var unavailable: Refusal { .unavailable }
    }

    @Test("a queue at its capacity refuses further commands and keeps the others")
    func bound() async throws {
        let requests = try RequestQueue<Doubling>()
        await withTaskGroup { group in
            for number in 0..<9 { group.addTask { await requests.ask(Doubling(number: number)) } }
            // No command is answered yet, so the only reply is the refusal of the ninth.
            #expect(await group.next() == .failure(.unavailable))
            var taken: Set<Int> = []
            while let request = requests.take() {
                taken.insert(request.command.number)
                request.answer(.failure(.odd))
            }
            #expect(taken.count == 8)
            for await result in group { #expect(result == .failure(.odd)) }
        }
    }

    @Test("a stopped queue refuses commands and wakes its thread")
    func close() async throws {
        let requests = try RequestQueue<Doubling>()
        requests.stop()
        #expect(requests.isStopped)
        #expect(await requests.ask(Doubling(number: 1)) == .failure(.unavailable))
        #expect(requests.waker.wait(until: .now() + 3600))
    }
}
