import Foundation

/// The terminal that the program was started in.
struct Terminal {
    /// Whether its end is meant to be the program's: there is one, and nohup(1) has not said otherwise.
    private let isTiedTo: Bool

    init() {
        isTiedTo = Self.isOpen && !Self.ignoresHangup
    }

    /// Whether it was closed since.
    var isGone: Bool { isTiedTo && !Self.isOpen }

    /// The name stands for the terminal that controls the process; without one it cannot be opened (tty(4)).
    private static var isOpen: Bool { FileHandle(forReadingAtPath: "/dev/tty") != nil }

    /// Whether whoever started the program has it ignore SIGHUP, which is signal 1: the lowest bit of the mask
    /// (proc(5)).
    private static var ignoresHangup: Bool {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return false }
        let mask = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }?.dropFirst(7)
        return mask.flatMap { UInt64($0.trimmingCharacters(in: .whitespaces), radix: 16) }.map { $0 & 1 == 1 } ?? false
    }
}
