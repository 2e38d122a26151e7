import Files
import FoundationEssentials
import Glibc
import Handoff
import Synchronization
import Untrusted

/// The signals SIGINT, SIGTERM and SIGHUP as events.
///
/// A handler writes the number of each signal into a pipe, which a dedicated thread reads. So no signal is lost, not
/// even one that arrives while the program starts, and none waits for a busy thread.
final class Signals: Sendable {
    /// The maximum duration of a stop in seconds. A stop normally takes some tenths of a second; a longer one hangs.
    private static let maxStop = 5.0
    private static let stopNumbers = [SIGINT, SIGTERM]
    /// The end of the pipe that the handler writes to. A handler receives only the number of the signal, so this is
    /// global.
    private static let writeEnd = Atomic<Int32>(-1)

    /// An element for each SIGHUP, which requests a reload of the configuration.
    let reloads: AsyncStream<Void>

    private let stops: AsyncStream<Void>

    /// Takes over the signals, whose default actions then no longer end the process. Only one instance may exist.
    /// - Throws: `Failure` if no file descriptor is left for the pipe, or the system allows no further thread.
    init() throws(Failure) {
        let terminal = Terminal()
        let (stops, stop) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (reloads, reload) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (self.stops, self.reloads) = (stops, reloads)
        var ends: [Int32] = [-1, -1]
        try Failure.requiring { () throws(HandoffError) in
            guard unsafe Glibc.pipe(&ends) == 0 else { throw .noDescriptor(errno: errno) }
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A handler must never wait: signals that do not fit into the pipe (64 KiB) are dropped.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        Self.writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
        let readEnd = ends[0]
        try Failure.requiring { () throws(HandoffError) in
            try BlockingThread.start(named: "signals") {
                Self.handleSignals(
                    from: readEnd, stop: { stop.yield() },
                    hangUp: { if terminal.isGone { stop.yield() } else { reload.yield() } })
            }
        }
        for number in Self.stopNumbers + [SIGHUP] {
            signal(number) { number in
                let before = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = unsafe write(Signals.writeEnd.load(ordering: .relaxed), &byte, 1)
                errno = before
            }
        }
    }

    /// Waits for a signal to stop. A second such signal ends the process immediately.
    func next() async {
        for await _ in stops { return }
    }

    /// Handles the signals whose numbers arrive through the pipe, until the process ends.
    /// - Parameter hangUp: Handles SIGHUP, which requests a reload or reports that the terminal is gone. A program that
    ///   outlived its terminal would keep the camera and the port.
    private static func handleSignals(from pipe: Int32, stop: () -> Void, hangUp: () -> Void) {
        /// The first signal to stop, and the time from which the stop counts as hanging.
        var first: (number: Int32, limit: MonotonicTime)?
        while true {
            var entry = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&entry, 1, first?.limit.pollTimeout ?? -1)
            if let first, first.limit <= .now() { end(by: first.number) }
            var byte: UInt8 = 0
            guard count > 0, unsafe read(pipe, &byte, 1) == 1 else { continue }
            let number = Int32(byte)
            guard stopNumbers.contains(number) else {
                hangUp()
                continue
            }
            if first != nil { end(by: number) }
            first = (number, .now() + maxStop)
            // From now on the kernel ends the process at the next signal, whatever this thread does.
            for number in stopNumbers { signal(number, SIG_DFL) }
            stop()
        }
    }

    /// Ends the process by the signal's default action. The signal is unblocked first: this thread was started by one
    /// of Dispatch's, which block all signals.
    private static func end(by number: Int32) {
        signal(number, SIG_DFL)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(Int32(SIG_UNBLOCK), &signals, nil)
        raise(number)
    }
}

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
