import FlyingFox
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Dashboard
@testable import Documents
@testable import Handoff
@testable import State

@Suite("Picture socket handler", .timeLimit(.minutes(20)))
struct PictureSocketHandlerTests {
    private let sockets = WebSocketBroadcaster()
    private let hub = PictureHub()
    private let client: AsyncThrowingStream<WSFrame, any Error>
    private let clientFrames: AsyncThrowingStream<WSFrame, any Error>.Continuation

    init() {
        (client, clientFrames) = AsyncThrowingStream.makeStream()
    }

    /// Opens a WebSocket whose connection has not begun to send.
    private func open(_ clocks: Clocks = Clocks()) async throws -> AsyncStream<WSFrame> {
        let handler = PictureSocketHandler(
            subscription: try #require(sockets.join()), join: { [hub] in hub.join(.live) }, clocks: clocks)
        return try await handler.makeFrames(for: client)
    }

    /// Opens a WebSocket whose connection sends each frame as soon as it can, and returns what is sent.
    private func connect(_ clocks: Clocks = Clocks()) async throws -> AsyncStream<WSFrame> {
        let frames = try await open(clocks)
        let (sent, connection) = AsyncStream.makeStream(of: WSFrame.self)
        Task {
            for await frame in frames { connection.yield(frame) }
            connection.finish()
        }
        return sent
    }

    private func next() { clientFrames.yield(.client(.text, Data("next".utf8))) }

    /// Waits until a picture is wanted, and offers one.
    private func offer(_ data: String) async {
        await waitUntil("a viewer is ready for a picture") { !hub.demand(at: .now()).isEmpty }
        hub.offer(Picture(data: Data(data.utf8), time: Date(), timestamp: .now()), of: .live, at: .now())
    }

    private func picture(_ data: String) -> WSFrame {
        WSFrame(fin: true, opcode: .binary, mask: nil, payload: Data(data.utf8))
    }

    @Test("no picture is wanted before the client requests one")
    func quiet() async throws {
        var frames = try await connect().makeAsyncIterator()
        clientFrames.yield(.client(.ping))
        #expect(await frames.next()?.opcode == .pong)
        #expect(hub.demand(at: .now()).isEmpty)
    }

    @Test("no further picture is wanted for a client that does not read its picture, however often it asks")
    func unread() async throws {
        let counted = Atomic(0)
        var clocks = Clocks()
        clocks.now = {
            counted.add(1, ordering: .relaxed)
            return MonotonicTime(nanoseconds: 0)
        }
        let frames = try await open(clocks)
        next()
        await offer("one")
        for _ in 1...3 { next() }
        // The clock is read once at the start, and once for each request that has no effect.
        await waitUntil("three requests without effect are counted") { counted.load(ordering: .relaxed) >= 4 }
        #expect(hub.demand(at: .now()).isEmpty)
        withExtendedLifetime(frames) {}
    }

    @Test(
        "any other message closes the WebSocket with status 1008",
        arguments: [
            WSFrame.client(.text, Data("Next".utf8)), .client(.text, Data("next ".utf8)), .client(.text),
            .client(.binary, Data("next".utf8)),
        ])
    func otherMessage(frame: WSFrame) async throws {
        var frames = try await open().makeAsyncIterator()
        clientFrames.yield(frame)
        #expect(
            await frames.next() == .close(code: WSCloseCode(1008, reason: "this socket takes only the text next")))
        clientFrames.finish()
        #expect(await frames.next() == nil)
    }

    @Test(
        "a request may come in several frames, with a ping in between",
        arguments: [["ne", "xt"], ["next", ""], ["", "n", "ext"]])
    func fragments(parts: [String]) async throws {
        var frames = try await open().makeAsyncIterator()
        for (index, part) in parts.enumerated() {
            clientFrames.yield(
                .client(index == 0 ? .text : .continuation, Data(part.utf8), fin: index == parts.count - 1))
            if index == 0 { clientFrames.yield(.client(.ping, Data("p".utf8))) }
        }
        #expect(await frames.next()?.opcode == .pong)
        await offer("one")
        #expect(await frames.next()?.payload == Data("one".utf8))
    }

    @Test("a request in several frames counts as one, however often the client asks")
    func manyFragments() async throws {
        var clocks = Clocks()
        clocks.now = { MonotonicTime(nanoseconds: 0) }
        var frames = try await connect(clocks).makeAsyncIterator()
        for number in 1...150 {
            clientFrames.yield(.client(.text, Data("ne".utf8), fin: false))
            clientFrames.yield(.client(.continuation, Data("xt".utf8)))
            await offer("\(number)")
            #expect(await frames.next() == picture("\(number)"))
        }
    }

    @Test("a message of frames without end closes the WebSocket")
    func endlessMessage() async throws {
        var frames = try await open().makeAsyncIterator()
        clientFrames.yield(.client(.text, fin: false))
        for _ in 1...10_000 { clientFrames.yield(.client(.continuation, fin: false)) }
        #expect(await frames.next() == .close(code: WSCloseCode(1008, reason: "too many frames")))
    }

    @Test(
        "a message that breaks the protocol closes the WebSocket with the status for it",
        arguments: [
            ([.client(.text, Data([0xff]))], 1007),
            ([.client(.text, Data([0xe2, 0x82]), fin: false), .client(.continuation, Data([0x20]))], 1007),
            ([.client(.continuation, Data("next".utf8))], 1002),
            ([.client(.text, Data("ne".utf8), fin: false), .client(.text, Data("xt".utf8))], 1002),
            ([.client(.text, Data(count: 1000), fin: false), .client(.continuation, Data(count: 1000))], 1009),
        ] as [([WSFrame], Int)])
    func broken(sent: [WSFrame], status: Int) async throws {
        var frames = try await open().makeAsyncIterator()
        for frame in sent { clientFrames.yield(frame) }
        let close = await frames.next()
        #expect(close?.opcode == .close)
        #expect(close?.payload.prefix(2) == Data([UInt8(status >> 8), UInt8(status & 0xff)]))
    }

    @Test("an unmasked request is refused", .needs(.boundedFrames))
    func unmasked() async throws {
        var frames = try await open().makeAsyncIterator()
        clientFrames.yield(WSFrame(fin: true, opcode: .text, mask: nil, payload: Data("next".utf8)))
        #expect(await frames.next() == .close(code: .protocolError))
    }

    @Test("a flood of requests for the same picture closes the WebSocket")
    func flood() async throws {
        var frames = try await open().makeAsyncIterator()
        for _ in 1...10_000 { next() }
        #expect(await frames.next() == .close(code: WSCloseCode(1008, reason: "too many frames")))
        #expect(await frames.next() == nil)
    }

    @Test("each request is answered with a picture that was made after it, however many there are")
    func manyPictures() async throws {
        var frames = try await connect().makeAsyncIterator()
        for number in 1...300 {
            hub.offer(Picture(data: Data("old".utf8), time: Date(), timestamp: .now()), of: .live, at: .now())
            next()
            await offer("\(number)")
            #expect(await frames.next() == picture("\(number)"))
        }
    }

    @Test("a WebSocket ends when the picture hub is closed")
    func end() async throws {
        var frames = try await open().makeAsyncIterator()
        hub.close()
        next()
        #expect(await frames.next() == .close(code: .goingAway))
        #expect(await frames.next() == nil)
    }

    @Test(
        "a WebSocket whose client has left, or whose sending stops amid a picture, frees its places",
        arguments: [true, false])
    func gone(hasLeft: Bool) async throws {
        do {
            var frames = try await open().makeAsyncIterator()
            next()
            if hasLeft {
                clientFrames.finish()
                while await frames.next() != nil {}
            } else {
                await offer("one")
                _ = await frames.next()
            }
        }
        await sockets.waitUntilEmpty(upTo: .seconds(3600))
        await waitUntil("the viewer has left") { hub.counters.viewers == 0 }
    }
}
