import Foundation
import Synchronization

/// A server on a free port of 127.0.0.1 that gives prepared answers and keeps the requests, whatever they are.
final class CannedServer: Sendable {
    let port: UInt16
    private let socket: Int32
    private let received = Mutex<[String]>([])

    /// Starts the server.
    /// - Parameter answers: The answers by path. The connection of a request without one is closed.
    init(_ answers: [String: String]) throws {
        let listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        socket = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else {
                    close(listener)
                    return
                }
                var bytes = [UInt8](repeating: 0, count: 4096)
                // A request of some hundred bytes arrives in one piece over the loopback interface.
                let count = unsafe read(client, &bytes, bytes.count)
                let request = String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
                self?.received.withLock { $0.append(request) }
                let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                let answer = Array((answers[path] ?? "").utf8)
                _ = unsafe send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
                close(client)
            }
        }.start()
    }

    deinit {
        // This ends accept(2) on the thread, which closes the socket: another server may get its number then.
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// The requests so far.
    var requests: [String] { received.withLock(\.self) }

    /// Returns a response with a JSON document.
    static func response(_ status: Int, _ document: String) -> String {
        "HTTP/1.1 \(status) Any\r\nContent-Length: \(document.utf8.count)\r\n\r\n\(document)"
    }
}
