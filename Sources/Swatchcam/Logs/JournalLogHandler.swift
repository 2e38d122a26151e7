import FoundationEssentials
import Glibc
import Logging

/// A log handler for systemd's journal, which adds the time and the program's name itself. It writes lines to standard
/// error, each preceded by its priority as sd-daemon(3) defines.
struct JournalLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()

    /// Returns whether standard error is the journal. The device and inode in `JOURNAL_STREAM` (systemd.exec(5)) are
    /// compared, because a child may inherit the variable but write elsewhere.
    static func isWanted(environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"] else { return false }
        var status = stat()
        guard unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let text = Self.text(event.level, event.message.description, metadata.merging(event.metadata ?? [:]) { $1 })
        // One write keeps the lines of two threads apart. If the journal is gone, the error cannot be reported.
        let bytes = [UInt8](text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Returns the text to write. Each line of a message becomes a line of the journal and needs the priority.
    static func text(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) -> String {
        let details = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        return (message + details).split(whereSeparator: \.isNewline).map { "<\(level.priority)>\($0)\n" }.joined()
    }
}

extension Logger.Level {
    /// The priority of syslog(3).
    fileprivate var priority: Int32 {
        switch self {
        case .trace, .debug: LOG_DEBUG
        case .info: LOG_INFO
        case .notice: LOG_NOTICE
        case .warning: LOG_WARNING
        case .error: LOG_ERR
        case .critical: LOG_CRIT
        }
    }
}
