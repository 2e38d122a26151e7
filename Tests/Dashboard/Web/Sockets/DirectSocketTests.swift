import FlyingFox
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Dashboard

@Suite("Direct socket", .timeLimit(.minutes(20)))
struct DirectSocketTests {
    private let outbox = Outbox()
    private let socket: DirectSocket
    private let peer: Int32

    init() throws {
        var files: [Int32] = [-1, -1]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &files) == 0)
        (socket, peer) = (DirectSocket(file: files[0]), files[1])
        outbox.attach(socket)
    }

    /// Runs a test while a client waits for the next frame, and returns that frame.
    private func whileWaiting(_ test: () throws -> Void) async throws -> WSFrame? {
        let next = Task { await outbox.next() }
        await waitUntil("the client waits for a frame") { outbox.isWaiting }
        try test()
        outbox.abort()
        return await next.value
    }

    private func received(_ count: Int) -> Data {
        var bytes = [UInt8](repeating: 0, count: count)
        let length = unsafe recv(peer, &bytes, count, Int32(MSG_DONTWAIT))
        return Data(bytes.prefix(max(0, length)))
    }

    private func closeBoth() {
        close(socket.file)
        close(peer)
    }

    @Test("an outbox writes to the socket only while its client's task waits, and the task keeps waiting")
    func direct() async throws {
        defer { closeBoth() }
        let message = TextFrame(text: Data("reading".utf8))
        outbox.offer(message)
        #expect(received(100).isEmpty)
        #expect(await outbox.next() == message.frame)
        let frame = try await whileWaiting {
            outbox.offer(message)
            #expect(outbox.isWaiting)
            #expect(received(100) == message.bytes)
        }
        #expect(frame == nil)
    }

    @Test(
        "a message goes to the client's task if the socket is full or has failed",
        arguments: [true, false])
    func refused(isFull: Bool) async throws {
        defer { closeBoth() }
        if isFull {
            while socket.send(Data(count: 4096)) == .sent {}
            while socket.send(Data(count: 1)) == .sent {}
        } else {
            socket.shutdown()
        }
        let message = TextFrame(text: Data("reading".utf8))
        #expect(try await whileWaiting { outbox.offer(message) } == message.frame)
    }

    @Test("a long message, which may not fit into the buffer, is sent by the client's task")
    func long() async throws {
        defer { closeBoth() }
        let message = TextFrame(text: Data(count: 20_000))
        #expect(try await whileWaiting { outbox.offer(message) } == message.frame)
        #expect(received(1).isEmpty)
    }

    @Test("a partly written message ends the connection")
    func partial() async throws {
        defer { closeBoth() }
        var size: Int32 = 1
        try #require(
            unsafe setsockopt(socket.file, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size)) == 0)
        let frame = try await whileWaiting { outbox.offer(TextFrame(text: Data(count: 16_000))) }
        #expect(frame == nil)
        while !received(65_536).isEmpty {}
        var byte: UInt8 = 0
        #expect(unsafe recv(peer, &byte, 1, Int32(MSG_DONTWAIT)) == 0)
    }

    @Test(
        "a message is encoded as one frame with the shortest form of its length, unless it is too long for a direct write",
        arguments: [0, 1, 125, 126, 16_384, 16_385])
    func bytes(count: Int) {
        let message = TextFrame(text: Data(repeating: 0x61, count: count))
        let length = count <= 125 ? [UInt8(count)] : [126, UInt8(count >> 8), UInt8(count & 0xff)]
        #expect(message.bytes == (count <= 16_384 ? Data([0x81] + length) + message.frame.payload : nil))
        #expect(
            message.frame == WSFrame(fin: true, opcode: .text, mask: nil, payload: Data(repeating: 0x61, count: count)))
    }

    @Test("a connection counts as closed by the client once the client ends its side, even after a further request")
    func closedByClient() {
        defer { closeBoth() }
        #expect(!socket.isClosedByClient)
        _ = unsafe send(peer, "GET", 3, 0)
        #expect(!socket.isClosedByClient)
        shutdown(peer, Int32(SHUT_WR))
        #expect(socket.isClosedByClient)
    }
}
