import Foundation

/// The terminal that the program was started in.
struct Terminal {
    /// Whether the program should end with its terminal: it has one, and was not started by nohup(1).
    private let endsProgram: Bool

    init() {
        endsProgram = Self.isOpen && !Self.ignoresHangup
    }

    /// Whether the terminal was closed since the program started.
    var isGone: Bool { endsProgram && !Self.isOpen }

    /// Whether there is a controlling terminal: without one, /dev/tty cannot be opened (tty(4)).
    private static var isOpen: Bool { FileHandle(forReadingAtPath: "/dev/tty") != nil }

    /// Whether the program was started with SIGHUP ignored. SIGHUP is signal 1, the lowest bit of the mask (proc(5)).
    private static var ignoresHangup: Bool {
        (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)).map(ignoresHangup(status:)) ?? false
    }

    /// - Parameter status: The content of /proc/self/status.
    static func ignoresHangup(status: String) -> Bool {
        let mask = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }?.dropFirst(7)
        return mask.flatMap { UInt64($0.trimmingCharacters(in: .whitespaces), radix: 16) }.map { $0 & 1 == 1 } ?? false
    }
}
