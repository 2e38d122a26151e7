package import Logging
import Synchronization

/// A log that keeps its lines for a test to examine.
package final class LogRecorder: Sendable {
    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var logLevel = Logger.Level.trace
        var metadata = Logger.Metadata()

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            recorder.recorded.withLock { $0.append((event.message.description, event.source)) }
        }
    }

    private let recorded = Mutex<[(line: String, source: String)]>([])

    package init() {}

    package var lines: [String] { recorded.withLock { $0.map(\.line) } }

    /// The modules that logged the lines.
    package var sources: [String] { recorded.withLock { $0.map(\.source) } }

    package var handler: any LogHandler { Handler(recorder: self) }

    package var log: Logger {
        var log = Logger(label: "test") { _ in handler }
        log.logLevel = .trace
        return log
    }
}
