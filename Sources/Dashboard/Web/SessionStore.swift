import Configuration
import Synchronization

/// Who is logged in, by the random id in their cookie.
///
/// Sessions are kept in memory alone, so a restart ends them all. They last while they are used: an open WebSocket is use.
final class SessionStore: Sendable {
    /// 256 random bits in base64url.
    typealias ID = String
    typealias Instant = ContinuousClock.Instant

    /// Browsers that are logged in at a time to look, and as many to change something; the one not used for longest makes
    /// room. They are counted apart: who may only look must not end the sessions of those who may more.
    static let capacity = 128
    /// A session that was not used for so long ends.
    static let idleTime = Duration.seconds(30 * 24 * 3600)

    private struct Session {
        var access: Access
        var lastUse: Instant
    }

    private let sessions = Mutex<[ID: Session]>([:])

    /// Begins a session.
    /// - Returns: Its id, and the session that had to end for it.
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

    /// What a session may do; nil: there is none with this id.
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

    /// Notes that sessions are in use.
    func touch(_ ids: Set<ID>, at now: Instant) {
        sessions.withLock { sessions in
            for id in ids { sessions[id]?.lastUse = now }
        }
    }

    func close(_ id: ID) { sessions.withLock { $0[id] = nil } }

    func closeAll() { sessions.withLock { $0 = [:] } }

    private static func isAlive(_ session: Session, at now: Instant) -> Bool { now - session.lastUse < idleTime }
}
