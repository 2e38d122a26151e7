import FlyingSocks
import Foundation
import Handoff
import TestSupport
import Testing

@testable import Dashboard

@Suite("Shared body")
struct SharedBodyTests {
    private let clock = ManualClock()

    private func body(of count: Int, holding places: [Places] = []) -> SharedBody {
        SharedBody(pieces: [Data(repeating: 7, count: count)], held: places, clocks: clock.clocks)
    }

    @Test("a body is sent in pieces of 64 KiB at most, all of which together are its content")
    func pieces() async throws {
        var iterator = body(of: 150_000).makeAsyncIterator()
        var counts: [Int] = []
        while let piece = try await iterator.nextBuffer(suggested: .max) { counts.append(piece.count) }
        #expect(counts == [65_536, 65_536, 18_928])
    }

    @Test("small pieces are sent together, each from its own start")
    func small() async throws {
        let pieces = [Data([1, 2, 3, 4])[2...], Data(), Data([5, 6])]
        var iterator = SharedBody(pieces: pieces, held: []).makeAsyncIterator()
        #expect(try await iterator.nextBuffer(suggested: 3) == Data([3, 4, 5]))
        #expect(try await iterator.nextBuffer(suggested: 10) == Data([6]))
        #expect(try await iterator.nextBuffer(suggested: 10) == nil)
    }

    @Test("a client that reads less than 16 KiB a second is cut off once ten seconds have passed, and not before")
    func tooSlow() async throws {
        var iterator = body(of: 1_000_000).makeAsyncIterator()
        _ = try await iterator.nextBuffer(suggested: .max)
        clock.advance(by: .seconds(10 + 4))
        _ = try await iterator.nextBuffer(suggested: .max)
        clock.advance(by: .seconds(4 + 1))
        await #expect(throws: SocketError.disconnected) { try await iterator.nextBuffer(suggested: .max) }
    }

    @Test("a client that reads 16 KiB a second gets the whole body")
    func slowEnough() async throws {
        var iterator = body(of: 1_000_000).makeAsyncIterator()
        var count = 0
        while let piece = try await iterator.nextBuffer(suggested: .max) {
            count += piece.count
            clock.advance(by: .seconds(4))
        }
        #expect(count == 1_000_000)
    }

    @Test("places are held until the body is released")
    func places() {
        let limiter = ShareLimiter<Int>(total: 1) { _ in .init(max: 1) }
        var body: SharedBody? = body(of: 1, holding: [limiter.begin(for: 1)].compactMap(\.self))
        var iterator = body?.makeAsyncIterator()
        body = nil
        #expect(limiter.begin(for: 1) == nil && iterator != nil)
        iterator = nil
        #expect(limiter.begin(for: 1) != nil)
    }
}
