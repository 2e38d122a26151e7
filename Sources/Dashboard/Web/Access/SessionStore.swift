import Configuration
import FlyingFox
import Handoff
import Synchronization

/// The sessions of browsers that have logged in, by the random id in their cookie.
///
/// Sessions are kept only in memory, so a restart ends them. They last as long as they are used, for example by an open
/// WebSocket.
final class SessionStore: Sendable {
    /// 256 random bits in base64url.
    typealias ID = String

    /// The maximum number of sessions of a client, which is a network with one kind of access. If there were more, the
    /// session of this client that was unused for the longest time ends.
    static let maxPerClient = 128
    /// The maximum number of sessions of all clients with the same kind of access. If there were more, a session of the
    /// client with the most of them ends.
    ///
    /// Each kind is counted separately, so that logins with read-only access cannot end sessions with full access.
    static let maxTotal = 1024
    /// The time after which an unused session ends, in seconds. Time in which the machine sleeps does not count.
    static let idleTime = 30.0 * 24 * 3600

    private struct Session {
        var access: Access
        var network: IPNetwork?
        var lastUse: MonotonicTime
    }

    private let sessions = Mutex<[ID: Session]>([:])

    /// Starts a session.
    /// - Returns: Its id, and that of the session that was ended to make room, if any.
    func open(_ access: Access, for network: IPNetwork?, at now: MonotonicTime) -> (id: ID, ended: ID?) {
        let id = Token.random()
        return sessions.withLock { sessions in
            sessions = sessions.filter { Self.isAlive($0.value, at: now) }
            let ended = Self.surplus(in: sessions.filter { $0.value.access == access }, for: network)
            if let ended { sessions[ended] = nil }
            sessions[id] = Session(access: access, network: network, lastUse: now)
            return (id, ended)
        }
    }

    /// Returns the session that has to end before another one of a network starts; nil if there is room.
    private static func surplus(in sessions: [ID: Session], for network: IPNetwork?) -> ID? {
        let byNetwork = Dictionary(grouping: sessions, by: \.value.network)
        let own = byNetwork[network] ?? []
        guard own.count >= maxPerClient || sessions.count >= maxTotal else { return nil }
        let most = byNetwork.values.max { $0.count < $1.count } ?? []
        return (own.count >= maxPerClient ? own : most).min { $0.value.lastUse < $1.value.lastUse }?.key
    }

    /// Returns the access of a session and marks the session as in use; nil if there is none with this id.
    func access(of id: ID, at now: MonotonicTime) -> Access? {
        sessions.withLock { sessions in
            guard let session = sessions[id], Self.isAlive(session, at: now) else {
                sessions[id] = nil
                return nil
            }
            sessions[id]?.lastUse = now
            return session.access
        }
    }

    func touch(_ ids: Set<ID>, at now: MonotonicTime) {
        sessions.withLock { sessions in
            for id in ids { sessions[id]?.lastUse = now }
        }
    }

    func close(_ id: ID) { sessions.withLock { $0[id] = nil } }
    func closeAll() { sessions.withLock { $0 = [:] } }

    private static func isAlive(_ session: Session, at now: MonotonicTime) -> Bool { now - session.lastUse < idleTime }
}

/// The cookie with the id of a session (RFC 6265).
enum SessionCookie {
    /// The lifetime in seconds, the maximum in browsers (RFC 6265bis, 5.5). The server ends unused sessions earlier.
    private static let lifetime = 400 * 24 * 3600
    /// The maximum number of cookies to check. Browsers keep some 180 for a host, including those of other ports.
    private static let maxCookies = 256

    /// Returns the value of `Set-Cookie`.
    ///
    /// Without a path, the cookie belongs to the folder of the address that sets it (RFC 6265, 5.1.4): to everything, or
    /// to the sub-path under which a proxy shows this Swatchcam, whose name only the browser knows.
    /// - Parameters:
    ///   - id: The id of the session, or nil to delete the cookie.
    ///   - isSecure: Whether the client uses TLS; if so, the cookie is restricted to TLS.
    ///   - isFramed: Whether the page is in a frame that another site may show. With TLS, the cookie then is one of that
    ///     site alone (CHIPS); without, browsers drop it.
    static func setting(_ id: SessionStore.ID?, port: UInt16, isSecure: Bool, isFramed: Bool = false) -> String {
        "\(name(port, isSecure: isSecure))=\(id ?? ""); HttpOnly; "
            + (isSecure && isFramed ? "SameSite=None; Partitioned" : "SameSite=Strict")
            + "; Max-Age=\(id == nil ? 0 : lifetime)" + (isSecure ? "; Secure" : "")
    }

    /// Returns the ids in a request, including those that other pages may have set.
    static func ids(in request: HTTPRequest, port: UInt16, isSecure: Bool) -> [SessionStore.ID] {
        guard let header = request.headers[.cookie] else { return [] }
        let name = name(port, isSecure: isSecure)
        return header.utf8.split(separator: UInt8(ascii: ";")).prefix(maxCookies).compactMap { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, String(Substring(parts[0])).trimmingBlanks == name else { return nil }
            let id = String(Substring(parts[1])).trimmingBlanks
            return id.isEmpty ? nil : id
        }
    }

    /// Returns the name of the cookie. It contains the port, because all ports of a host share their cookies. `__Secure-`
    /// keeps pages without TLS from setting the cookie (RFC 6265bis, 4.1.3); `__Host-` would require the path `/`.
    private static func name(_ port: UInt16, isSecure: Bool) -> String {
        (isSecure ? "__Secure-" : "") + "swatchcam-\(port)"
    }
}
