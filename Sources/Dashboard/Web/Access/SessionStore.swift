import Configuration
import Synchronization

/// The sessions of browsers that have logged in, by the random id in their cookie.
///
/// Sessions are kept only in memory, so a restart ends them. They last as long as they are used, for example by an open
/// WebSocket.
final class SessionStore: Sendable {
    /// 256 random bits in base64url.
    typealias ID = String
    typealias Instant = ContinuousClock.Instant

    /// The maximum number of sessions for each kind of access. The session unused for longest makes room for a new one.
    ///
    /// Each kind is counted separately, so that logins with read-only access cannot end sessions with full access.
    static let capacity = 128
    /// The time after which an unused session ends.
    static let idleTime = Duration.seconds(30 * 24 * 3600)

    private struct Session {
        var access: Access
        var lastUse: Instant
    }

    private let sessions = Mutex<[ID: Session]>([:])

    /// Starts a session.
    /// - Returns: Its id, and that of the session that was ended to make room, if any.
    func open(_ access: Access, at now: Instant) -> (id: ID, ended: ID?) {
        let id = Token.random()
        return sessions.withLock { sessions in
            sessions = sessions.filter { Self.isAlive($0.value, at: now) }
            var ended: ID?
            let alike = sessions.filter { $0.value.access == access }
            if alike.count >= Self.capacity {
                ended = alike.min { $0.value.lastUse < $1.value.lastUse }?.key
                if let ended { sessions[ended] = nil }
            }
            sessions[id] = Session(access: access, lastUse: now)
            return (id, ended)
        }
    }

    /// Returns the access of a session and marks the session as in use; nil if there is none with this id.
    func access(of id: ID, at now: Instant) -> Access? {
        sessions.withLock { sessions in
            guard let session = sessions[id], Self.isAlive(session, at: now) else {
                sessions[id] = nil
                return nil
            }
            sessions[id]?.lastUse = now
            return session.access
        }
    }

    /// Marks sessions as in use.
    func touch(_ ids: Set<ID>, at now: Instant) {
        sessions.withLock { sessions in
            for id in ids { sessions[id]?.lastUse = now }
        }
    }

    func close(_ id: ID) { sessions.withLock { $0[id] = nil } }

    func closeAll() { sessions.withLock { $0 = [:] } }

    private static func isAlive(_ session: Session, at now: Instant) -> Bool { now - session.lastUse < idleTime }
}
