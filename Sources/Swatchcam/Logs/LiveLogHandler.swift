import Configuration
import Handoff
import Logging

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
