import FlyingFox
import Foundation
import Glibc

/// What goes to every WebSocket, encoded once for all of them.
struct TextFrame: Sendable {
    let frame: WSFrame
    /// The frame as it goes over the wire.
    let bytes: Data

    /// A whole text message.
    /// - Parameter utf8: must be UTF-8.
    init(text utf8: Data) {
        frame = WSFrame(fin: true, opcode: .text, mask: nil, payload: utf8)
        // RFC 6455, 5.2: FIN and the opcode for text, then the shortest form of the length; servers do not mask.
        var bytes = Data([0x81])
        switch utf8.count {
        case ...125:
            bytes.append(UInt8(utf8.count))
        case ...0xFFFF:
            bytes.append(126)
            unsafe withUnsafeBytes(of: UInt16(utf8.count).bigEndian) { unsafe bytes.append(contentsOf: $0) }
        default:
            bytes.append(127)
            unsafe withUnsafeBytes(of: UInt64(utf8.count).bigEndian) { unsafe bytes.append(contentsOf: $0) }
        }
        self.bytes = bytes + utf8
    }
}

/// A connection's socket, for messages that it has room for at once: they are written without waking the task that
/// serves the connection, which would cost as much again.
///
/// Whoever uses it knows that the connection is open, and that nobody else writes: its task waits for the next frame.
struct DirectSocket: Sendable {
    enum Outcome: Equatable {
        case sent
        /// There was no room, or the connection has failed: nothing was written.
        case refused
        /// A part was written. What follows would be taken for the rest.
        case torn
    }

    let file: Int32

    func send(_ bytes: Data) -> Outcome {
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(file, $0.baseAddress, $0.count, flags) }
        if count == bytes.count { return .sent }
        return count <= 0 ? .refused : .torn
    }

    func shutdown() { Glibc.shutdown(file, Int32(SHUT_RDWR)) }
}
