import Configuration
import Handoff
import Logging

extension Logger {
    /// Logs to standard error.
    init(level: Logger.Level) {
        self.init(label: "swatchcam", factory: Self.standardError)
        logLevel = level
    }

    /// Logs to standard error, at the level that the configuration has at the time.
    init(following config: Latest<Config>) {
        self.init(label: "swatchcam") { LiveLogHandler(label: $0, config: config) }
    }

    /// As whoever reads it wants it: a person's terminal or a file, or the journal.
    static func standardError(label: String) -> any LogHandler {
        SanitizedLogHandler(
            JournalLogHandler.isWanted() ? JournalLogHandler() : StreamLogHandler.standardError(label: label))
    }
}
