import Dashboard
import FoundationEssentials
import Glibc
import Handoff
import Readings

/// A connection to systemd by the documented protocol of sd_notify(3): a datagram to the socket that `NOTIFY_SOCKET`
/// names.
struct SystemdNotifier: Sendable {
    /// The time that systemd waits for a sign of life before it restarts the program; nil if it does not watch.
    let watchdogPeriod: Duration?
    private let socketPath: String

    /// Reads the environment; nil if no service manager wants notifications.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment, process: Int32 = getpid()) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"),
            path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        socketPath = path
        // WATCHDOG_PID is the process that systemd watches; a child may have inherited the variable.
        let isWatched = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        let period = environment["WATCHDOG_USEC"].flatMap(Int64.init).flatMap { $0 > 0 ? $0 : nil }
        watchdogPeriod = isWatched ? period.map(Duration.microseconds) : nil
    }

    /// Reports that connections are accepted and the other parts of the program have started.
    func ready() { send("READY=1") }

    /// Reports that the program is healthy.
    func feedWatchdog() { send("WATCHDOG=1") }

    /// Reports that the program is stopping as requested.
    func stopping() { send("STOPPING=1") }

    /// Sets the text that `systemctl status` shows.
    /// - Parameter text: A text, which is sent as one line, because another assignment such as MAINPID could follow a
    ///   line feed. Scalars are compared, because CR LF is one character and not equal to a line feed.
    func status(_ text: String) {
        let line = text.unicodeScalars.map { $0 == "\n" ? " " : $0 }
        send("STATUS=\(String(String.UnicodeScalarView(line)))")
    }

    /// Sends a message. Errors are ignored, because a missing manager is not a reason to stop.
    private func send(_ message: String) {
        let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return }
        defer { close(file) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A leading NUL, written as @, means the abstract namespace (unix(7)), where the length matters.
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

/// A task that reports the program's state to systemd as long as it runs.
///
/// The watchdog is fed only if a reading was made and a request was answered since the last time. Feeding it by a timer
/// alone would not prove that the dashboard works.
struct SystemdReporter: Sendable {
    let manager: SystemdNotifier
    let readings: Latest<Reading>
    let client: InstanceClient
    /// The clocks that time the wait between two attempts to feed the watchdog.
    var clocks = Clocks()

    func run() async {
        manager.ready()
        await withTaskGroup { group in
            group.addTask { await reportStatus() }
            group.addTask { await feedWatchdog() }
        }
    }

    private func reportStatus() async {
        let updates = readings.updates()
        // A reading published before this task began to listen may be the only one for a minute.
        var reported = readings.value
        manager.status(Self.summary(reported))
        for await reading in updates where reading.state != reported.state {
            reported = reading
            manager.status(Self.summary(reading))
        }
    }

    private func feedWatchdog() async {
        guard let period = manager.watchdogPeriod else { return }
        var last = readings.value.sequence
        repeat {
            // 503 counts as an answer: a restart does not bring a missing camera back. While nobody watches, this
            // request causes a reading to be made.
            guard await client.isAnswered("/healthz") else { continue }
            let newest = readings.value.sequence
            guard newest != last else { continue }
            manager.feedWatchdog()
            last = newest
            // There are three attempts in a period, so that the next one is in time if one fails.
        } while (try? await clocks.sleep(period / 3)) != nil
    }

    static func summary(_ reading: Reading) -> String {
        guard reading.state.hasColor, let camera = reading.camera else {
            return reading.message ?? reading.state.label
        }
        return "\(reading.state.label): \(camera.name)"
    }
}
