import FlyingSocks
import Synchronization

/// How far each connection has got, which says how long it may take: the sockets know only that nothing comes.
///
/// A head must be whole soon after its first byte, or after the connection was made; between requests, and on a
/// WebSocket, there may be silence for longer. Whoever serves a request tells it here, by the peer's address.
final class Connections: Sendable {
    typealias Instant = SuspendingClock.Instant

    /// What one connection may take.
    struct Limits: Sendable {
        /// For a whole head: slow ones are an attack, or a broken network.
        var head = Duration.seconds(8)
        /// Between requests, and between signs of life of a WebSocket, which answers a ping every 15 s.
        var silence = Duration.seconds(45)
        /// Connections from one address, if that is not this machine: a school behind one router has fewer.
        var perHost = 256
    }

    private enum Phase {
        /// A request has begun, or is the first thing that is wanted.
        case head(since: Instant)
        /// The last request was taken on.
        case served
        /// A WebSocket: whatever comes is no head.
        case open
    }

    private struct Connection {
        var peer: Peer
        var phase: Phase
    }

    private struct State {
        var connections: [Int32: Connection] = [:]
        /// Of peers whose requests came so fast that their connection has not been waited on yet.
        var early: [Peer: (phase: Phase, since: Instant)] = [:]
        var files: [Peer: Int32] = [:]
        var byHost: [String: Set<Int32>] = [:]

        mutating func remove(_ file: Int32) {
            guard let old = connections.removeValue(forKey: file) else { return }
            if files[old.peer] == file { files[old.peer] = nil }
            byHost[old.peer.host]?.remove(file)
            if byHost[old.peer.host]?.isEmpty == true { byHost[old.peer.host] = nil }
        }
    }

    private static let mostEarly = 32_768
    /// An answer is written by then, and the next request waited for, or the connection is closed.
    private static let longestEarly = Duration.seconds(15)

    private let limits: Limits
    private let peerOf: @Sendable (Int32) -> Peer?
    private let state = Mutex(State())

    /// - Parameter peerOf: Tells who is at the other end of a descriptor; nil: nobody.
    init(limits: Limits = Limits(), peerOf: @escaping @Sendable (Int32) -> Peer? = { Peer(file: $0) }) {
        self.limits = limits
        self.peerOf = peerOf
    }

    /// How long a connection may wait for bytes from its client; nil: it is one too many.
    /// - Parameters:
    ///   - file: The descriptor, which may have been another connection's before.
    ///   - peer: Who is at the other end now.
    func deadline(ofWaitOn file: Int32, from peer: Peer, at now: Instant) -> Instant? {
        state.withLock { state in
            if state.connections[file]?.peer != peer {
                state.remove(file)
                guard peer.isLocal || hasRoom(for: peer.host, &state) else { return nil }
                let early = state.early.removeValue(forKey: peer)
                state.connections[file] = Connection(peer: peer, phase: early?.phase ?? .head(since: now))
                state.files[peer] = file
                state.byHost[peer.host, default: []].insert(file)
            }
            switch state.connections[file]?.phase {
            case .head(let since)?: return since + limits.head
            case .served?, .open?, nil: return now + limits.silence
            }
        }
    }

    /// Bytes have come on a descriptor: if a request was served before, they begin the next.
    func bytesCame(on file: Int32, at now: Instant) {
        state.withLock { state in
            guard case .served? = state.connections[file]?.phase else { return }
            state.connections[file]?.phase = .head(since: now)
        }
    }

    /// A whole head has come.
    func served(_ peer: Peer) { go(to: .served, peer) }

    /// The descriptor of an open connection; nil: it is not known yet.
    func file(of peer: Peer) -> Int32? { state.withLock { file(of: peer, $0) } }

    /// What is known may be of an older connection from the same port, whose descriptor has gone to another.
    private func file(of peer: Peer, _ state: State) -> Int32? {
        state.files[peer].flatMap { peerOf($0) == peer ? $0 : nil }
    }

    /// The connection is a WebSocket from now on.
    func opened(_ peer: Peer) { go(to: .open, peer) }

    private func go(to phase: Phase, _ peer: Peer) {
        state.withLock { state in
            if let file = file(of: peer, state) {
                state.connections[file]?.phase = phase
                return
            }
            let now = Instant.now
            if state.early.count >= Self.mostEarly {
                state.early = state.early.filter { $0.value.since + Self.longestEarly > now }
                // A flood; a WebSocket that is forgotten here connects again.
                if state.early.count >= Self.mostEarly { state.early = [:] }
            }
            state.early[peer] = (phase, now)
        }
    }

    /// Nobody says when a connection ends: those that are gone are found when their places are wanted.
    private func hasRoom(for host: String, _ state: inout State) -> Bool {
        guard state.byHost[host, default: []].count >= limits.perHost else { return true }
        for file in state.byHost[host, default: []] where peerOf(file) != state.connections[file]?.peer {
            state.remove(file)
        }
        return state.byHost[host, default: []].count < limits.perHost
    }
}
