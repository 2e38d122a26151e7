/// The rights of a client.
enum Access: String, Sendable {
    /// May see colours, pictures and settings.
    case view
    /// May also change settings.
    case control
}
