import Configuration
import Handoff
import Synchronization

/// The state of each connection, which determines how long it may take.
///
/// A head must be complete soon after its first byte or after the connection was accepted, and a body soon after its head.
/// Between requests, and on a WebSocket, silence may last longer. The socket pool reports the events of a descriptor from
/// `accepted` to `closed`. After that, the number may belong to another connection.
final class Connections: Sendable {
    typealias Instant = SuspendingClock.Instant

    struct Limits: Sendable {
        /// The time for a whole head, and for a whole body. Anything slower is an attack or a broken network.
        var requestTimeout = Duration.seconds(8)
        /// The time between requests, and between frames of a WebSocket, which answers a ping every 15 s.
        var idleTimeout = Duration.seconds(45)
        /// The maximum number of connections of a client in the network. Even a school behind a router has fewer.
        var perClient = 256
        /// The maximum number of connections of all clients in the network.
        var network = Int.max
        /// The maximum number of connections of each nearby client: of this machine, and of a trusted proxy, which serves
        /// many clients.
        var eachNearby = Int.max
        /// The maximum number of connections of all nearby clients.
        var nearby = Int.max
    }

    private enum Phase {
        /// A request has begun, or the first one is expected.
        case head(since: Instant)
        /// The head of a request has arrived, and its body may be read.
        case body(since: Instant)
        case idle
        case webSocket
    }

    private struct Connection {
        var place: Places
        var phase: Phase
    }

    private let limits: Limits
    private let proxies: TrustedProxies
    private let network: ShareLimiter<IPNetwork?>
    private let nearby: ShareLimiter<IPNetwork?>
    private let connections = Mutex<[Int32: Connection]>([:])

    init(limits: Limits = Limits(), proxies: TrustedProxies = TrustedProxies()) {
        self.limits = limits
        self.proxies = proxies
        network = ShareLimiter(total: limits.network) { _ in .init(max: limits.perClient) }
        nearby = ShareLimiter(total: limits.nearby) { _ in .init(max: limits.eachNearby) }
    }

    /// Registers a new connection.
    /// - Parameter address: The address of the client, if known.
    /// - Returns: Whether there is room for it.
    func accepted(_ file: Int32, from address: IPAddress?, at now: Instant) -> Bool {
        let isNearby = address.map { $0.isLoopback || proxies.contains($0) } ?? true
        let client = address.map { IPNetwork.ofClient(at: $0) }
        guard let place = (isNearby ? nearby : network).begin(for: client) else { return false }
        connections.withLock { $0[file] = Connection(place: place, phase: .head(since: now)) }
        return true
    }

    /// Returns the time until which a connection may wait for bytes from its client.
    func deadline(ofWaitOn file: Int32, at now: Instant) -> Instant {
        switch connections.withLock({ $0[file]?.phase }) {
        case .head(let since)?, .body(let since)?: since + limits.requestTimeout
        case .idle?, .webSocket?, nil: now + limits.idleTimeout
        }
    }

    /// Registers that bytes have arrived. If the connection was idle, they begin a request.
    func bytesArrived(on file: Int32, at now: Instant) {
        connections.withLock { connections in
            guard case .idle? = connections[file]?.phase else { return }
            connections[file]?.phase = .head(since: now)
        }
    }

    func headRead(on file: Int32, at now: Instant) { setPhase(.body(since: now), of: file) }
    func answered(on file: Int32) { setPhase(.idle, of: file) }
    func upgraded(_ file: Int32) { setPhase(.webSocket, of: file) }
    func closed(_ file: Int32) { connections.withLock { $0[file] = nil } }

    private func setPhase(_ phase: Phase, of file: Int32) {
        connections.withLock { $0[file]?.phase = phase }
    }
}
