import Foundation
import Testing

@testable import Handoff

@Suite("Request queue", .timeLimit(.minutes(20)))
struct RequestQueueTests {
    private struct Doubling: Command, Equatable {
        typealias Value = Int

        var number: Int

        enum Refusal: Error, Equatable { case odd, unavailable }

        static let capacity = 8
        static func unavailable(isStopped: Bool) -> Refusal { .unavailable }
    }

    @Test("a queue at its capacity refuses further commands and keeps the others")
    func bound() async throws {
        let requests = try RequestQueue<Doubling>()
        await withTaskGroup { group in
            for number in 0..<9 { group.addTask { await requests.submit(Doubling(number: number)) } }
            // No command is answered yet, so the only reply is the refusal of the ninth.
            #expect(await group.next() == .failure(.unavailable))
            var taken: Set<Int> = []
            while let request = requests.take() {
                taken.insert(request.command.number)
                request.reply(.failure(.odd))
            }
            #expect(taken.count == 8)
            for await result in group { #expect(result == .failure(.odd)) }
        }
    }

    @Test("a command wakes the thread, which takes the oldest one first")
    func order() async throws {
        let requests = try RequestQueue<Doubling>()
        #expect(!requests.isStopped)
        #expect(requests.take()?.command == nil)
        await withTaskGroup { group in
            for number in 1...2 {
                group.addTask { await requests.submit(Doubling(number: number)) }
                // On another thread, because a thread of the pool must not block.
                #expect(await Thread.waited(for: requests.waker))
            }
            for number in 1...2 {
                let request = requests.take()
                #expect(request?.command.number == number)
                request?.reply(.success(2 * number))
            }
            var replies: Set<Int> = []
            for await reply in group { if case .success(let value) = reply { replies.insert(value) } }
            #expect(replies == [2, 4])
        }
    }

    @Test("a stopped queue refuses the waiting commands")
    func waiting() async throws {
        let requests = try RequestQueue<Doubling>()
        async let reply = requests.submit(Doubling(number: 1))
        #expect(await Thread.waited(for: requests.waker))
        requests.stop()
        #expect(await reply == .failure(.unavailable))
        #expect(requests.take()?.command == nil)
    }

    @Test("a stopped queue refuses commands and wakes its thread")
    func close() async throws {
        let requests = try RequestQueue<Doubling>()
        requests.stop()
        #expect(requests.isStopped)
        #expect(await requests.submit(Doubling(number: 1)) == .failure(.unavailable))
        #expect(requests.waker.wait(until: .now() + 3600))
    }
}

extension Thread {
    /// Waits for a waker on a thread of its own.
    fileprivate static func waited(for waker: Waker) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: waker.wait(until: .now() + 3600)) }
        }
    }
}
