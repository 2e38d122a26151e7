import Foundation
import Glibc
import Logging

/// Logs for systemd's journal, which has the time and the name of the program itself: lines on standard error, each
/// with its priority before it, as sd-daemon(3) has it.
struct JournalLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()

    /// Whether standard error is the journal: whoever started the program says which file that is (systemd.exec(5),
    /// `JOURNAL_STREAM`), for a child of it may well write elsewhere.
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
        // One write, so that two threads' lines are not mixed. Nobody can be told when the journal is gone.
        let bytes = [UInt8](text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// What is written: every line of a message is one of the journal's and needs the priority.
    static func text(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) -> String {
        let details = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        return (message + details).split(whereSeparator: \.isNewline).map { "<\(level.priority)>\($0)\n" }.joined()
    }
}

extension Logger.Level {
    /// Of syslog(3).
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
