import Configuration
import Handoff
import Logging
import Untrusted

extension Logger {
    /// Creates a logger to standard error.
    init(level: Logger.Level) {
        self.init(label: "swatchcam") { SanitizedLogHandler(Self.standardError(label: $0)) }
        logLevel = level
    }

    /// Creates a logger to standard error that follows the level in the configuration.
    init(following config: Latest<Settings>) {
        self.init(label: "swatchcam") { SanitizedLogHandler(Self.standardError(label: $0), following: config) }
    }

    /// Returns a log handler for standard error, in the format of the journal if standard error is the journal.
    private static func standardError(label: String) -> any LogHandler {
        JournalLogHandler.isWanted() ? JournalLogHandler() : StreamLogHandler.standardError(label: label)
    }
}

/// A log handler that makes every message one printable line of bounded length.
///
/// Text from outside is sanitized where it enters; this handler is a safeguard in case a place forgets to do so.
struct SanitizedLogHandler: LogHandler {
    /// The maximum length of a message in scalars. A sentence that lists six cameras has about a thousand.
    private static let maxLength = 4000

    private var stream: any LogHandler
    private let config: Latest<Settings>?

    /// - Parameter config: The configuration, whose level is followed; nil if the level is set by the program.
    init(_ stream: any LogHandler, following config: Latest<Settings>? = nil) {
        self.stream = stream
        self.config = config
    }

    /// The configuration's level, which can be changed only there.
    var logLevel: Logger.Level {
        get { config?.value.effective.log.level ?? stream.logLevel }
        set { if config == nil { stream.logLevel = newValue } }
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
