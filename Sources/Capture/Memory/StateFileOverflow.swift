import Untrusted

/// An error because the state file would be longer than what is read of it. The file is left as it is.
struct StateFileOverflow: Error, Equatable, CustomStringConvertible {
    var path: String
    /// The longest file, in bytes.
    var limit: Int

    /// The sentence for the log, without a full stop.
    var description: String { "\(path.sanitized()) would be longer than \(limit) bytes" }
}
