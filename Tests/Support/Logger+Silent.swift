package import Logging

extension Logger {
    /// A log that discards its lines.
    package static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
