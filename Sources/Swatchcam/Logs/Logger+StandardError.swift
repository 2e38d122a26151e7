import Configuration
import Handoff
import Logging

extension Logger {
    /// Creates a logger to standard error.
    init(level: Logger.Level) {
        self.init(label: "swatchcam", factory: Self.standardError)
        logLevel = level
    }

    /// Creates a logger to standard error that follows the level in the configuration.
    init(following config: Latest<Settings>) {
        self.init(label: "swatchcam") { LiveLogHandler(label: $0, config: config) }
    }

    /// Returns a log handler for standard error, in the format of the journal if standard error is the journal.
    static func standardError(label: String) -> any LogHandler {
        SanitizedLogHandler(
            JournalLogHandler.isWanted() ? JournalLogHandler() : StreamLogHandler.standardError(label: label))
    }
}
