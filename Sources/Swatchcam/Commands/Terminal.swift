import Files
import FoundationEssentials
import Untrusted

/// The terminal that the program was started in.
struct Terminal {
    /// Whether the program should end with its terminal: it has one, and was not started by nohup(1).
    private let endsProgram: Bool
    private let isOpen: @Sendable () -> Bool

    /// - Parameters:
    ///   - ignoresHangup: Whether the program was started with SIGHUP ignored.
    ///   - isOpen: Returns whether there is a controlling terminal. Without one, /dev/tty cannot be opened (tty(4)).
    init(
        ignoresHangup: Bool = Self.ignoresHangup,
        isOpen: @escaping @Sendable () -> Bool = { (try? FileDescriptor(opening: "/dev/tty")) != nil }
    ) {
        self.isOpen = isOpen
        endsProgram = isOpen() && !ignoresHangup
    }

    /// Whether the program should end, because its terminal was closed.
    var isGone: Bool { endsProgram && !isOpen() }

    /// Whether the program was started with SIGHUP ignored. SIGHUP is signal 1, the lowest bit of the mask (proc(5)).
    static var ignoresHangup: Bool {
        (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)).map(ignoresHangup(status:)) ?? false
    }

    /// Returns whether the process with a status ignores SIGHUP.
    /// - Parameter status: The content of /proc/self/status.
    static func ignoresHangup(status: String) -> Bool {
        let mask = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }?.dropFirst(7)
        return mask.flatMap { UInt64($0.trimmed, radix: 16) }.map { $0 & 1 == 1 } ?? false
    }
}
