import Configuration
import Synchronization

/// The state of each connection, which determines how long it may take.
///
/// A head must be complete soon after its first byte or after the connection was accepted, and a body soon after its head.
/// Between requests, and on a WebSocket, silence may last longer. The socket pool reports the events of a descriptor from
/// `accepted` to `closed`. After that, the number may belong to another connection.
final class Connections: Sendable {
    typealias Instant = SuspendingClock.Instant

    /// The limits of connections.
    struct Limits: Sendable {
        /// The time for a whole head, and for a whole body. Anything slower is an attack or a broken network.
        var requestTimeout = Duration.seconds(8)
        /// The time between requests, and between frames of a WebSocket, which answers a ping every 15 s.
        var idleTimeout = Duration.seconds(45)
        /// The maximum number of connections of a client that is not exempt. Even a school behind a router has fewer.
        var perClient = 256
        /// The maximum number of connections of all clients that are not exempt. The rest is reserved for this machine.
        var total = Int.max
    }

    private enum Phase {
        /// A request has begun, or the first one is expected.
        case head(since: Instant)
        /// The head of a request has arrived, and its body may be read.
        case body(since: Instant)
        /// The next request is expected.
        case idle
        /// The connection is a WebSocket.
        case webSocket
    }

    private struct Connection {
        /// The client whose limit it counts towards; nil if the client is exempt.
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

    /// Limits all clients but this machine and the proxies, whose connections serve many clients.
    convenience init(limits: Limits = Limits(), proxies: TrustedProxies = TrustedProxies()) {
        self.init(limits: limits) { $0.isLoopback || proxies.contains($0) }
    }

    /// - Parameter isExempt: Returns whether an address may have any number of connections.
    init(limits: Limits, isExempt: @escaping @Sendable (IPAddress) -> Bool) {
        self.limits = limits
        self.isExempt = isExempt
    }

    /// Registers a new connection.
    /// - Parameter address: The address of the client, if known.
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

    /// Returns the time until which a connection may wait for bytes from its client.
    func deadline(ofWaitOn file: Int32, at now: Instant) -> Instant {
        switch state.withLock({ $0.connections[file]?.phase }) {
        case .head(let since)?, .body(let since)?: since + limits.requestTimeout
        case .idle?, .webSocket?, nil: now + limits.idleTimeout
        }
    }

    /// Registers that bytes have arrived. If the connection was idle, they begin a request.
    func bytesArrived(on file: Int32, at now: Instant) {
        state.withLock { state in
            guard case .idle? = state.connections[file]?.phase else { return }
            state.connections[file]?.phase = .head(since: now)
        }
    }

    /// Registers that a whole head has arrived.
    func headRead(on file: Int32, at now: Instant) { setPhase(.body(since: now), of: file) }

    /// Registers that a request was answered.
    func answered(on file: Int32) { setPhase(.idle, of: file) }

    /// Registers that the connection is a WebSocket from now on.
    func upgraded(_ file: Int32) { setPhase(.webSocket, of: file) }

    /// Registers the end of a connection.
    func closed(_ file: Int32) {
        state.withLock { state in
            guard let client = state.connections.removeValue(forKey: file)?.client, let count = state.counts[client]
            else { return }
            state.total -= 1
            state.counts[client] = count > 1 ? count - 1 : nil
        }
    }

    private func setPhase(_ phase: Phase, of file: Int32) {
        state.withLock { $0.connections[file]?.phase = phase }
    }
}
