import Testing

@testable import Handoff

@Suite("The request queue of a thread", .timeLimit(.minutes(10)))
struct RequestQueueTests {
    private struct Doubling: Command {
        typealias Value = Int

        var number: Int

        enum Refusal: Error, Equatable { case odd, unavailable }

        static let capacity = 8
        static var unavailable: Refusal { .unavailable }
    }

    @Test("hands on what is asked, and refuses what is too much at once")
    func bound() async throws {
        let requests = try RequestQueue<Doubling>()
        await withTaskGroup { group in
            for number in 0..<9 { group.addTask { await requests.ask(Doubling(number: number)) } }
            // Nobody answers: the one answer that comes is the refusal of the ninth.
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

    @Test("answers everybody when it closes, and all who come later")
    func close() async throws {
        let requests = try RequestQueue<Doubling>()
        requests.stop()
        #expect(requests.isStopped)
        #expect(await requests.ask(Doubling(number: 1)) == .failure(.unavailable))
        #expect(requests.waker.wait(until: .now() + 3600))
    }
}
