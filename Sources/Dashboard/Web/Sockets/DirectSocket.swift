import CLinux
import FlyingFox
import FlyingSocks
import FoundationEssentials
import Glibc

/// The socket of a connection, for writing messages without waking the connection's task, which would double the cost.
///
/// The caller must ensure that the connection is open and that nobody else writes. Both hold while the connection's
/// task waits for the next frame.
struct DirectSocket: Sendable {
    enum Outcome: Equatable {
        case sent
        /// Nothing was written, because the buffer is full or the connection has failed.
        case refused
        /// Only a part was written, so the client would take any further bytes for the rest of the frame.
        case partial
    }

    let file: Int32

    func send(_ bytes: Data) -> Outcome {
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(file, $0.baseAddress, $0.count, flags) }
        if count == bytes.count { return .sent }
        return count <= 0 ? .refused : .partial
    }

    /// Whether the client has closed its side of the connection. Bytes of a further request may precede the end.
    var isClosedByClient: Bool {
        var entry = pollfd(fd: file, events: Int16(EPOLLRDHUP.rawValue), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }

    func shutdown() { Glibc.shutdown(file, Int32(SHUT_RDWR)) }
}

extension HTTPRequest {
    /// The socket of the request's connection, if known. It is valid while the connection is open.
    var directSocket: DirectSocket? { socket.map { DirectSocket(file: $0.rawValue) } }
}
