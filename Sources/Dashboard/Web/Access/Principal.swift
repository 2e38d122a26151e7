import Configuration

/// The access that a client has proved to have, with a token or a session.
struct Principal: Equatable, Sendable {
    var access: Access
    /// The session, if a browser has logged in.
    var session: SessionStore.ID?
    /// The generation of the tokens when access was granted.
    var generation = 0
    /// The network of the client, if known.
    var network: IPNetwork?

    /// The client whose share its requests use.
    var key: ClientKey { ClientKey(network: network, access: access) }
}

/// A client as it counts for shares: everyone with the same access in the same network.
///
/// Sessions do not distinguish clients, because a single one can have many.
struct ClientKey: Hashable, Sendable {
    var network: IPNetwork?
    var access: Access
}
