import Foundation
import TestSupport
import Testing

@testable import Swatchcam

@Suite("Systemd notifier", .timeLimit(.minutes(1)))
struct SystemdNotifierTests {
    @Test(
        "a status is sent as one line, because another line would be another assignment",
        arguments: [
            ("Live: C920", "Live: C920"), ("a\nMAINPID=1", "a MAINPID=1"), ("a\r\nMAINPID=1", "a\r MAINPID=1"),
            ("\n\nSTOPPING=1\n", "  STOPPING=1 "),
        ])
    func status(text: String, expected: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/notify"
        let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(socket) }
        try #require(bind(socket, to: path))
        let manager = try #require(SystemdNotifier(environment: ["NOTIFY_SOCKET": path]))
        manager.status(text)
        var message = [UInt8](repeating: 0, count: 256)
        // A datagram can be read as soon as it was sent.
        let count = unsafe recv(socket, &message, message.count, Int32(MSG_DONTWAIT))
        try #require(count > 0)
        #expect(Array(message[..<count]) == Array("STATUS=\(expected)".utf8))
    }

    private func bind(_ socket: Int32, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe Glibc.bind(socket, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
