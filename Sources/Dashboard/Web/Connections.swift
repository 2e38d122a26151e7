import Configuration
import Synchronization

/// How far each connection has got, which says how long it may take: the sockets know only that nothing comes.
///
/// A head must be whole soon after its first byte, or after the connection was made, and a body soon after its head;
/// between requests, and on a WebSocket, there may be silence for longer. The pool tells what happens to a descriptor
/// from `accepted` to `closed`; after that the number may be another connection's.
final class Connections: Sendable {
    typealias Instant = SuspendingClock.Instant

    /// What connections may take.
    struct Limits: Sendable {
        /// For a whole head, and for a whole body: slow ones are an attack, or a broken network.
        var request = Duration.seconds(8)
        /// Between requests, and between signs of life of a WebSocket, which answers a ping every 15 s.
        var silence = Duration.seconds(45)
        /// Connections of one client, if that is not exempt: a school behind one router has fewer.
        var perClient = 256
        /// Connections of all clients that are not exempt: the rest is kept for this machine.
        var total = Int.max
    }

    private enum Phase {
        /// A request has begun, or is the first thing that is wanted.
        case head(since: Instant)
        /// The head of a request has come, and its body may be read.
        case body(since: Instant)
        /// The next request is waited for.
        case idle
        /// A WebSocket: whatever comes is no head.
        case open
    }

    private struct Connection {
        /// Whose limit it counts towards; nil: nobody's.
        var client: IPNetwork?
        var phase: Phase
    }

    private struct State {
        var connections: [Int32: Connection] = [:]
        var counts: [IPNetwork: Int] = [:]
        var total = 0
    }

    private let limits: Limits
    private let isExempt: @Sendable (IPAddress) -> Bool
    private let state = Mutex(State())

    /// - Parameter isExempt: Whether an address may have as many connections as it likes, as a proxy that speaks for many.
    init(limits: Limits = Limits(), isExempt: @escaping @Sendable (IPAddress) -> Bool = { $0.isLoopback }) {
        self.limits = limits
        self.isExempt = isExempt
    }

    /// A connection was made.
    /// - Parameter address: Of the client; nil: not known.
    /// - Returns: Whether there is room for it.
    func accepted(_ file: Int32, from address: IPAddress?, at now: Instant) -> Bool {
        let client = address.flatMap { isExempt($0) ? nil : IPNetwork.ofClient(at: $0) }
        return state.withLock { state in
            if let client {
                let count = state.counts[client, default: 0]
                guard count < limits.perClient, state.total < limits.total else { return false }
                state.counts[client] = count + 1
                state.total += 1
            }
            state.connections[file] = Connection(client: client, phase: .head(since: now))
            return true
        }
    }

    /// How long a connection may wait for bytes from its client.
    func deadline(ofWaitOn file: Int32, at now: Instant) -> Instant {
        switch state.withLock({ $0.connections[file]?.phase }) {
        case .head(let since)?, .body(let since)?: since + limits.request
        case .idle?, .open?, nil: now + limits.silence
        }
    }

    /// Bytes have come: if a request was answered before, they begin the next.
    func bytesCame(on file: Int32, at now: Instant) {
        state.withLock { state in
            guard case .idle? = state.connections[file]?.phase else { return }
            state.connections[file]?.phase = .head(since: now)
        }
    }

    /// A whole head has come.
    func headRead(on file: Int32, at now: Instant) { go(to: .body(since: now), file) }

    /// A request was answered.
    func answered(on file: Int32) { go(to: .idle, file) }

    /// The connection is a WebSocket from now on.
    func upgraded(_ file: Int32) { go(to: .open, file) }

    /// The connection ends.
    func closed(_ file: Int32) {
        state.withLock { state in
            guard let client = state.connections.removeValue(forKey: file)?.client else { return }
            state.total -= 1
            let left = state.counts[client, default: 1] - 1
            state.counts[client] = left > 0 ? left : nil
        }
    }

    private func go(to phase: Phase, _ file: Int32) {
        state.withLock { $0.connections[file]?.phase = phase }
    }
}
