import FlyingFox
import Foundation
import Synchronization
import Testing

@testable import Dashboard
@testable import Handoff

@Suite("Reading socket handler")
struct ReadingSocketHandlerTests {
    private let broadcaster = WebSocketBroadcaster()
    private let client: AsyncThrowingStream<WSFrame, any Error>
    private let clientFrames: AsyncThrowingStream<WSFrame, any Error>.Continuation

    init() {
        (client, clientFrames) = AsyncThrowingStream.makeStream()
    }

    private func open() async throws -> AsyncStream<WSFrame> {
        try await ReadingSocketHandler(subscription: try #require(broadcaster.join())).makeFrames(for: client)
    }

    @Test("a ping is answered with its payload")
    func pong() async throws {
        var frames = try await open().makeAsyncIterator()
        clientFrames.yield(.client(.ping, Data("hi".utf8)))
        let pong = await frames.next()
        #expect(pong?.opcode == .pong)
        #expect(pong?.payload == Data("hi".utf8))
    }

    @Test("a close frame is echoed and ends the WebSocket")
    func close() async throws {
        var frames = try await open().makeAsyncIterator()
        clientFrames.yield(.client(.close, Data([0x03, 0xE8])))
        #expect(await frames.next() == WSFrame(fin: true, opcode: .close, mask: nil, payload: Data([0x03, 0xE8])))
        #expect(await frames.next() == nil)
    }

    @Test(
        "data from the client is refused with status 1008",
        arguments: [WSFrame.Opcode.text, .binary, .continuation])
    func refusesData(opcode: WSFrame.Opcode) async throws {
        var frames = try await open().makeAsyncIterator()
        clientFrames.yield(.client(opcode, Data("hello".utf8)))
        let close = await frames.next()
        #expect(close?.opcode == .close)
        #expect(close?.payload.prefix(2) == Data([0x03, 0xF0]))
        clientFrames.finish()
        #expect(await frames.next() == nil)
    }

    @Test(
        "frames that violate the protocol are refused",
        arguments: [
            WSFrame.client(.ping, Data(count: 126)), .client(.ping, fin: false), .client(.ping, reserved: [true]),
            .client(.ping, reserved: [false, true]), .client(.ping, reserved: [false, false, true]),
            .client(WSFrame.Opcode(3)),
        ])
    func refusesBadFrames(frame: WSFrame) async throws {
        var frames = try await open().makeAsyncIterator()
        clientFrames.yield(frame)
        #expect(await frames.next() == .close(code: .protocolError))
    }

    @Test("an unmasked ping is refused", .needs(.boundedFrames))
    func refusesUnmaskedPing() async throws {
        var frames = try await open().makeAsyncIterator()
        clientFrames.yield(WSFrame(fin: true, opcode: .ping, mask: nil, payload: Data()))
        #expect(await frames.next() == .close(code: .protocolError))
    }

    @Test(
        "a close is answered with its own status",
        arguments: [[], [3, 232], [3, 233, 0x62, 0x79, 0x65], [3, 240], [3, 246], [0x0b, 0xb8], [0x13, 0x87]]
            as [[UInt8]])
    func close(payload: [UInt8]) async throws {
        var frames = try await open().makeAsyncIterator()
        clientFrames.yield(.client(.close, Data(payload)))
        #expect(await frames.next() == WSFrame(fin: true, opcode: .close, mask: nil, payload: Data(payload.prefix(2))))
    }

    @Test(
        "a close with an incomplete, reserved or undefined status is answered with a protocol error",
        arguments: [
            [3], [0, 0], [0x03, 0xe7], [0x03, 0xec], [0x03, 0xed], [0x03, 0xee], [0x03, 0xf7], [0x0b, 0xb7],
            [0x13, 0x88],
            [0xff, 0xff],
        ] as [[UInt8]])
    func badClose(payload: [UInt8]) async throws {
        var frames = try await open().makeAsyncIterator()
        clientFrames.yield(.client(.close, Data(payload)))
        #expect(await frames.next() == .close(code: .protocolError))
    }

    @Test("a close whose reason is not UTF-8 is answered with an error")
    func badReason() async throws {
        var frames = try await open().makeAsyncIterator()
        clientFrames.yield(.client(.close, Data([0x03, 0xe8, 0xff, 0xfe])))
        #expect(await frames.next() == .close(code: .invalidFramePayload))
    }

    @Test("a client that floods the WebSocket with frames is closed and no longer read")
    func flood() async throws {
        var frames = try await open().makeAsyncIterator()
        for _ in 1...10_000 { clientFrames.yield(.client(.pong)) }
        #expect(await frames.next() == .close(code: WSCloseCode(1008, reason: "too many frames")))
        #expect(await frames.next() == nil)
    }

    /// Opens a WebSocket whose clock shows these milliseconds at its start and at each frame of the client.
    private func open(at times: [Int]) async throws -> AsyncStream<WSFrame> {
        let reads = Atomic(0)
        var handler = ReadingSocketHandler(subscription: try #require(broadcaster.join()))
        handler.clocks.now = {
            let read = reads.add(1, ordering: .relaxed).oldValue
            return MonotonicTime(nanoseconds: Int64(times[min(read, times.count - 1)]) * 1_000_000)
        }
        return try await handler.makeFrames(for: client)
    }

    @Test("a client may send a hundred frames at once, but not one more", arguments: [(100, true), (101, false)])
    func burst(count: Int, isAllowed: Bool) async throws {
        var frames = try await open(at: [0]).makeAsyncIterator()
        for _ in 1..<count { clientFrames.yield(.client(.pong)) }
        clientFrames.yield(.client(.close, Data([0x03, 0xE8])))
        #expect(
            await frames.next()
                == (isAllowed
                    ? WSFrame(fin: true, opcode: .close, mask: nil, payload: Data([0x03, 0xE8]))
                    : .close(code: WSCloseCode(1008, reason: "too many frames"))))
    }

    @Test(
        "after a hundred frames, a client may send another one after a tenth of a second",
        arguments: [(99, false), (100, true)])
    func period(milliseconds: Int, isAllowed: Bool) async throws {
        let times = Array(repeating: 0, count: 101) + [milliseconds]
        var frames = try await open(at: times).makeAsyncIterator()
        for _ in 1...100 { clientFrames.yield(.client(.pong)) }
        clientFrames.yield(.client(.close, Data([0x03, 0xE8])))
        #expect(
            await frames.next()
                == (isAllowed
                    ? WSFrame(fin: true, opcode: .close, mask: nil, payload: Data([0x03, 0xE8]))
                    : .close(code: WSCloseCode(1008, reason: "too many frames"))))
    }

    @Test("a client that answers every ping stays connected")
    func answeredPings() async throws {
        var frames = try await open().makeAsyncIterator()
        for number: UInt8 in 1...5 {
            broadcaster.ping()
            #expect(await frames.next() == .ping)
            clientFrames.yield(.client(.pong))
            // The answer to the client's own ping shows that the pong before it has been read.
            clientFrames.yield(.client(.ping, Data([number])))
            #expect(await frames.next()?.payload == Data([number]))
        }
    }

    @Test("a ping for the client is one whole frame without a mask or a payload")
    func ping() {
        #expect(WSFrame.ping == WSFrame(fin: true, opcode: .ping, mask: nil, payload: Data()))
    }

    @Test("a frame of 125 bytes is not too long for a ping")
    func longestPing() async throws {
        var frames = try await open().makeAsyncIterator()
        clientFrames.yield(.client(.ping, Data(count: 125)))
        #expect(await frames.next()?.payload.count == 125)
    }

    @Test("a WebSocket ends after its close frame, even if the client never answers")
    func unanswered() async throws {
        var frames = try await open().makeAsyncIterator()
        broadcaster.end()
        #expect(await frames.next() == .close(code: WSCloseCode(1008, reason: "logged out")))
        #expect(await frames.next() == nil)
    }

    @Test("a frame that the decoder rejects is refused")
    func refusesGiant() async throws {
        struct TooLong: Error {}
        var frames = try await open().makeAsyncIterator()
        clientFrames.finish(throwing: TooLong())
        #expect(await frames.next() == .close(code: .messageTooBig))
    }

    @Test("a WebSocket whose client has left ends and leaves the broadcaster")
    func gone() async throws {
        do {
            var frames = try await open().makeAsyncIterator()
            clientFrames.finish()
            #expect(await frames.next() == nil)
        }
        await broadcaster.waitUntilEmpty(upTo: .seconds(3600))
        #expect(broadcaster.count == 0)
    }

    @Test("a WebSocket whose sending stops halfway leaves the broadcaster")
    func abandoned() async throws {
        do {
            var frames = try await open().makeAsyncIterator()
            broadcaster.offer(TextFrame(text: Data("reading".utf8)))
            _ = await frames.next()
        }
        await broadcaster.waitUntilEmpty(upTo: .seconds(3600))
        #expect(broadcaster.count == 0)
    }

    @Test("a WebSocket whose sending task is cancelled ends and leaves the broadcaster")
    func cancellation() async throws {
        do {
            let frames = try await open()
            let sending = Task { for await _ in frames {} }
            sending.cancel()
            await sending.value
        }
        await broadcaster.waitUntilEmpty(upTo: .seconds(3600))
        #expect(broadcaster.count == 0)
    }
}
