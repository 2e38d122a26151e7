import Configuration
import Handoff
import Logging

/// Logs what the configuration says at present is worth telling.
struct LiveLogHandler: LogHandler {
    private let config: Latest<Config>
    private var stream: any LogHandler

    init(label: String, config: Latest<Config>) {
        self.config = config
        stream = Logger.standardError(label: label)
        // What is less is kept from it here.
        stream.logLevel = .trace
    }

    /// The configuration's, which is changed there alone.
    var logLevel: Logger.Level {
        get { config.value.log.level }
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
