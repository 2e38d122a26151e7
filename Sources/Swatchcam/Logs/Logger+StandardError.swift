import Configuration
import Handoff
import Logging
import Untrusted

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

/// A log handler that follows the level in the configuration.
struct LiveLogHandler: LogHandler {
    private let config: Latest<Settings>
    private var stream: any LogHandler

    init(label: String, config: Latest<Settings>) {
        self.config = config
        stream = Logger.standardError(label: label)
        // This handler filters by level, so the stream must not.
        stream.logLevel = .trace
    }

    /// The configuration's level, which can be changed only there.
    var logLevel: Logger.Level {
        get { config.value.effective.log.level }
        set { _ = newValue }
    }

    var metadata: Logger.Metadata {
        get { stream.metadata }
        set { stream.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { stream[metadataKey: key] }
        set { stream[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) { stream.log(event: event) }
}

/// A log handler that makes every message one printable line of bounded length.
///
/// Text from outside is sanitized where it enters; this handler is a safeguard in case a place forgets to do so.
struct SanitizedLogHandler: LogHandler {
    /// The maximum length of a message in scalars. A sentence that lists six cameras has about a thousand.
    private static let maxLength = 4000

    private var stream: any LogHandler

    init(_ stream: any LogHandler) {
        self.stream = stream
    }

    var logLevel: Logger.Level {
        get { stream.logLevel }
        set { stream.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { stream.metadata }
        set { stream.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { stream[metadataKey: key] }
        set { stream[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\(event.message.description.sanitized(limit: Self.maxLength))"
        stream.log(event: event)
    }
}
