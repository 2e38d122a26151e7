import Logging
import Untrusted

/// A log handler that makes every message one printable line of bounded length.
///
/// Text from outside is sanitized where it enters; this handler is a safeguard in case a place forgets to do so.
struct SanitizedLogHandler: LogHandler {
    /// The maximum length of a message in scalars. A sentence that lists six cameras has about a thousand.
    private static let limit = 4000

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
        event.message = "\(event.message.description.sanitized(limit: Self.limit))"
        stream.log(event: event)
    }
}
