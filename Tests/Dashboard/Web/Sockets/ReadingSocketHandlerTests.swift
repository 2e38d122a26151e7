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

    private static func close(_ payload: [UInt8]) -> WSFrame { .client(.close, Data(payload)) }
    private static let flood = WSFrame.close(code: WSCloseCode(1008, reason: "too many frames"))

    @Test("a ping of up to 125 bytes is answered with its payload", arguments: [2, 125])
    func pong(length: Int) async throws {
        var frames = try await open().makeAsyncIterator()
        clientFrames.yield(.client(.ping, Data(repeating: 7, count: length)))
        let pong = await frames.next()
        #expect(pong?.opcode == .pong)
        #expect(pong?.payload == Data(repeating: 7, count: length))
    }

    @Test(
        "data from the client is refused with status 1008",
        arguments: [WSFrame.Opcode.text, .binary])
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
            .client(WSFrame.Opcode(3)), .client(.continuation, Data("hello".utf8)),
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
        "a close is answered with its own status and ends the WebSocket",
        arguments: [[], [3, 232], [3, 233, 0x62, 0x79, 0x65], [3, 240], [3, 246], [0x0b, 0xb8], [0x13, 0x87]]
            as [[UInt8]])
    func close(payload: [UInt8]) async throws {
        var frames = try await open().makeAsyncIterator()
        clientFrames.yield(Self.close(payload))
        #expect(await frames.next() == WSFrame(fin: true, opcode: .close, mask: nil, payload: Data(payload.prefix(2))))
        #expect(await frames.next() == nil)
    }

    @Test(
        "a close with an incomplete, reserved or undefined status, or a reason that is not UTF-8, is an error",
        arguments: [
            [3], [0, 0], [0x03, 0xe7], [0x03, 0xec], [0x03, 0xed], [0x03, 0xee], [0x03, 0xf7], [0x0b, 0xb7],
            [0x13, 0x88], [0xff, 0xff], [0x03, 0xe8, 0xff, 0xfe],
        ] as [[UInt8]])
    func badClose(payload: [UInt8]) async throws {
        var frames = try await open().makeAsyncIterator()
        clientFrames.yield(Self.close(payload))
        #expect(await frames.next() == .close(code: payload.count > 2 ? .invalidFramePayload : .protocolError))
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

    @Test(
        "a client may send a hundred frames at once, and then one in each tenth of a second",
        arguments: [
            ([0], 99, true), ([0], 100, false), (Array(repeating: 0, count: 101) + [99], 100, false),
            (Array(repeating: 0, count: 101) + [100], 100, true),
        ])
    func burst(times: [Int], before: Int, isAllowed: Bool) async throws {
        var frames = try await open(at: times).makeAsyncIterator()
        for _ in 0..<before { clientFrames.yield(.client(.pong)) }
        clientFrames.yield(Self.close([0x03, 0xE8]))
        #expect(await (frames.next() == Self.flood) == !isAllowed)
        #expect(await frames.next() == nil)
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

    @Test(
        "a WebSocket whose client leaves, or whose sending stops halfway or is cancelled, leaves the broadcaster",
        arguments: 0..<3)
    func gone(way: Int) async throws {
        do {
            let opened = try await open()
            var frames = opened.makeAsyncIterator()
            switch way {
            case 0:
                clientFrames.finish()
                #expect(await frames.next() == nil)
            case 1:
                broadcaster.offer(TextFrame(text: Data("reading".utf8)))
                _ = await frames.next()
            default:
                let sending = Task { for await _ in opened {} }
                sending.cancel()
                await sending.value
            }
        }
        await broadcaster.waitUntilEmpty(upTo: .seconds(3600))
        #expect(broadcaster.count == 0)
    }
}
