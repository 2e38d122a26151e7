import Foundation
import Glibc
import TestSupport
import Testing

/// A socket in place of the one on which systemd receives notifications.
final class NotificationSocket: Sendable {
    let path: String
    private let folder: TemporaryFolder
    private let socket: Int32

    /// Creates the socket.
    /// - Parameter path: The path of the socket, with `@` for the abstract namespace.
    init(path: String? = nil) throws {
        folder = try TemporaryFolder()
        self.path = path ?? folder.path + "/notify"
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(self.path.utf8)
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let isBound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe Glibc.bind(socket, pointer, length) == 0
            }
        }
        try #require(isBound)
    }

    deinit { _ = close(socket) }

    /// Returns a message that was sent before; nil if there is none.
    func receive() -> String? {
        var message = [UInt8](repeating: 0, count: 256)
        let count = unsafe recv(socket, &message, message.count, Int32(MSG_DONTWAIT))
        return count > 0 ? String(decoding: message[..<count], as: UTF8.self) : nil
    }

    /// Waits for the next message.
    func next() async -> String? {
        var message: String?
        await waitUntil("the program sends a notification") {
            message = receive()
            return message != nil
        }
        return message
    }
}
