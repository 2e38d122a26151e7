/// What somebody may do.
enum Access: String, Sendable {
    /// See colours, pictures and settings.
    case view
    /// Change them, too.
    case control
}
