/// The rights of a client.
enum Access: String, Sendable {
    /// To see colours, pictures and settings.
    case view
    /// To change settings, too.
    case control
}
