import Foundation
import Glibc

/// systemd, if it has started the program and wants to hear from it: sd_notify(3), by its documented protocol, a
/// datagram to the socket that `NOTIFY_SOCKET` names.
struct SystemdNotifier: Sendable {
    /// How long it waits for a sign of life before it starts the program anew; nil: it does not.
    let watchdogPeriod: Duration?
    private let socketPath: String

    /// - Returns: Nil when nobody wants to hear.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment, process: Int32 = getpid()) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"),
            path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        socketPath = path
        // WATCHDOG_PID is of whom it watches, which a child may have inherited.
        let isWatched = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        let period = environment["WATCHDOG_USEC"].flatMap(Int64.init).flatMap { $0 > 0 ? $0 : nil }
        watchdogPeriod = isWatched ? period.map(Duration.microseconds) : nil
    }

    /// Connections are accepted, and the camera is being looked after.
    func ready() { send("READY=1") }

    /// The program is well.
    func feedWatchdog() { send("WATCHDOG=1") }

    /// It ends because it was asked to.
    func stopping() { send("STOPPING=1") }

    /// What `systemctl status` says of it.
    /// - Parameter text: one line. What follows a line feed would be another assignment, such as MAINPID; CR LF is one
    ///   character and not equal to a line feed, so scalars are compared.
    func status(_ text: String) {
        let line = text.unicodeScalars.map { $0 == "\n" ? " " : $0 }
        send("STATUS=\(String(String.UnicodeScalarView(line)))")
    }

    /// Best effort: a manager that is gone is no reason to stop.
    private func send(_ message: String) {
        let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return }
        defer { close(file) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A leading NUL, written as @, is the abstract namespace (unix(7)), where the length counts.
        let name = [UInt8](
            socketPath.utf8.enumerated().map { $0.offset == 0 && $0.element == UInt8(ascii: "@") ? 0 : $0.element })
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let bytes = [UInt8](message.utf8)
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = unsafe sendto(file, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), pointer, length)
            }
        }
    }
}
