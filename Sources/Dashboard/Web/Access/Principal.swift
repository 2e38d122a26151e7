/// The access that a client has proved to have, with a token or a session.
struct Principal: Equatable, Sendable {
    var access: Access
    /// The session, if a browser has logged in.
    var session: SessionStore.ID?
    /// The generation of the tokens when access was granted.
    var generation = 0
}
