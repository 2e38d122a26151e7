package import Logging

extension Logger {
    /// A log that nobody reads.
    package static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
