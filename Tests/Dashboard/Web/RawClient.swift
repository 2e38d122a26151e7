import FlyingSocks
import Foundation
import Testing

@testable import Dashboard

/// A client that sends exactly the given bytes, for tests of the server from outside.
struct RawClient {
    /// A frame as it arrived over the wire.
    struct Frame: Equatable {
        var opcode: UInt8
        var payload: Data

        /// The status in a close frame.
        var closeCode: Int? {
            guard opcode == 8, payload.count >= 2 else { return nil }
            return Int(payload[payload.startIndex]) << 8 | Int(payload[payload.startIndex + 1])
        }
    }

    private let socket: AsyncSocket
    private let pool: Task<Void, any Error>

    init(_ address: ListeningAddress) async throws {
        let pool = SocketPool(queue: EpollQueue())
        try await pool.prepare()
        self.pool = Task { try await pool.run() }
        let target = try #require(address.socketAddress)
        // `AsyncSocket.connected` has a time limit, which a busy machine may exceed.
        socket = try AsyncSocket(socket: Socket(domain: Int32(target.family), type: .stream), pool: pool)
        try await socket.connect(to: target)
    }

    func close() {
        pool.cancel()
        try? socket.close()
    }

    func send(_ text: String) async throws { try await socket.write(Data(text.utf8)) }

    /// Sends a masked frame, as clients must.
    func send(opcode: UInt8, _ payload: Data) async throws {
        let mask: [UInt8] = [1, 2, 3, 4]
        let masked = payload.enumerated().map { $1 ^ mask[$0 % 4] }
        try await socket.write(Data([0x80 | opcode, 0x80 | UInt8(payload.count)] + mask + masked))
    }

    /// Reads a response: its head and the body that its Content-Length announces.
    func response(hasBody: Bool = true) async throws -> (head: String, body: String) {
        var head = ""
        while !head.hasSuffix("\r\n\r\n") {
            head.unicodeScalars.append(Unicode.Scalar(try await socket.read()))
        }
        let length = head.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) } ?? 0
        let body = hasBody ? try await socket.read(bytes: length) : []
        return (head, String(decoding: body, as: UTF8.self))
    }

    func frame() async throws -> Frame {
        let head = try await socket.read(bytes: 2)
        var length = Int(head[1] & 0x7f)
        if length == 126 { length = try await socket.read(bytes: 2).reduce(0) { $0 << 8 | Int($1) } }
        return Frame(opcode: head[0] & 0x0f, payload: Data(try await socket.read(bytes: length)))
    }

    /// Waits until the server ends the connection or sends something, and returns whether it has ended.
    func isEnded() async -> Bool {
        do {
            _ = try await socket.read()
            return false
        } catch {
            return true
        }
    }

    /// Opens a WebSocket at `/ws`.
    func upgrade(_ host: ListeningAddress) async throws {
        try await send(
            "GET /ws HTTP/1.1\r\nHost: \(host)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        _ = try await response(hasBody: false)
    }
}
