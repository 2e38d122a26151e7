import Configuration
import FlyingSocks
import Glibc
import Synchronization

/// A socket pool for FlyingFox that limits descriptors, connections, waiting times and the bytes buffered in the kernel.
///
/// A wait that takes too long is ended by `shutdown(2)`. The socket then reports its end, and the connection closes as
/// if the client had closed it. Throwing an error would close the descriptor while the other direction waits on it.
final class GuardedSocketPool: AsyncSocketPool {
    struct Limits: Sendable {
        /// The maximum time until a client reads what was written.
        var writeTimeout = Duration.seconds(10)
        /// The time from one check of the deadlines to the next.
        var checkInterval = Duration.seconds(1)
        /// The first descriptor that is reserved for cameras and files. No connection is accepted while all descriptors
        /// below it are in use.
        var firstReservedDescriptor = Int32.max
        /// The maximum number of connections that wait to be accepted.
        var backlog = Int32(128)
    }

    private struct Wait {
        var file: Int32
        var deadline: SuspendingClock.Instant
    }

    private struct State {
        var listener: Int32?
        var waits: [UInt64: Wait] = [:]
        var nextWait: UInt64 = 0
        /// Signals the first wait after there was none.
        var arrival: AsyncStream<Void>.Continuation?
    }

    private let base = SocketPool(queue: EpollQueue())
    private let limits: Limits
    private let connections: Connections
    private let now: @Sendable () -> SuspendingClock.Instant
    private let state = Mutex(State())

    init(
        limits: Limits, connections: Connections, now: @escaping @Sendable () -> SuspendingClock.Instant = { .now }
    ) {
        self.limits = limits
        self.connections = connections
        self.now = now
    }

    func prepare() async throws { try await base.prepare() }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.base.run() }
            group.addTask { try await self.endOverdueWaits() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        let file = socket.file.rawValue
        if isListener(file) {
            try await base.suspendSocket(socket, untilReadyFor: events)
            try await waitForDescriptors(using: file)
        } else if events.contains(.write) {
            try await wait(for: events, on: socket, until: .now + limits.writeTimeout)
        } else {
            try await wait(for: events, on: socket, until: connections.deadline(ofWaitOn: file, at: .now))
            connections.bytesArrived(on: file, at: .now)
        }
    }

    // MARK: Events of connections, reported by FlyingFox

    func didAccept(_ socket: Socket) {
        let address: IPAddress? =
            switch try? socket.remotePeer() {
            case .ip4(let host, _), .ip6(let host, _): IPAddress(host)
            case .unix, nil: nil
            }
        guard !connections.accepted(socket.file.rawValue, from: address, at: .now) else { return }
        // This connection exceeds a limit. The next thing that FlyingFox reads is its end.
        shutdown(socket.file.rawValue, Int32(SHUT_RDWR))
    }

    func didReadHead(_ socket: Socket) { connections.headRead(on: socket.file.rawValue, at: .now) }

    func willReadHead(_ socket: Socket) { connections.answered(on: socket.file.rawValue) }

    func didUpgrade(_ socket: Socket) { connections.upgraded(socket.file.rawValue) }

    func willClose(_ socket: Socket) { connections.closed(socket.file.rawValue) }

    private func wait(
        for events: Socket.Events, on socket: Socket, until deadline: SuspendingClock.Instant
    ) async throws {
        let wait = state.withLock { state in
            if state.waits.isEmpty { state.arrival?.yield() }
            state.nextWait += 1
            state.waits[state.nextWait] = Wait(file: socket.file.rawValue, deadline: deadline)
            return state.nextWait
        }
        defer { state.withLock { _ = $0.waits.removeValue(forKey: wait) } }
        try await base.suspendSocket(socket, untilReadyFor: events)
    }

    /// Checks the deadlines at intervals while there is any wait.
    private func endOverdueWaits() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.arrival = arrival }
        arrival.yield()
        for await _ in arrivals {
            repeat {
                try await Task.sleep(for: limits.checkInterval, clock: .suspending)
            } while endOverdueWaits(at: now())
        }
    }

    /// Ends the overdue waits.
    /// - Returns: Whether any wait remains.
    private func endOverdueWaits(at now: SuspendingClock.Instant) -> Bool {
        // Under the lock, because the descriptor of a listed wait is still open.
        state.withLock { state in
            for (id, wait) in state.waits where wait.deadline < now {
                shutdown(wait.file, Int32(SHUT_RDWR))
                state.waits[id] = nil
            }
            return !state.waits.isEmpty
        }
    }

    private func isListener(_ file: Int32) -> Bool {
        if let listener = state.withLock({ $0.listener }) { return listener == file }
        var (accepts, length): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &length) == 0, accepts == 1 else {
            return false
        }
        state.withLock { $0.listener = file }
        configure(file)
        return true
    }

    /// Sets options that accepted sockets inherit. The server also works without those that the kernel lacks.
    private func configure(_ listener: Int32) {
        // Head and body are sent separately. Nagle's algorithm would delay the body by 40 ms.
        set(TCP_NODELAY, to: 1, on: listener)
        // The time after which unacknowledged data ends the connection, in milliseconds.
        set(TCP_USER_TIMEOUT, to: 20_000, on: listener)
        // The bytes that the kernel buffers for a client that does not read, which would otherwise be megabytes.
        set(TCP_NOTSENT_LOWAT, to: 16_384, on: listener)
        listen(listener, limits.backlog)
    }

    /// Waits until a descriptor below the limit is free. The system always uses the lowest free number.
    private func waitForDescriptors(using file: Int32) async throws {
        while true {
            let lowestFree = fcntl(file, F_DUPFD_CLOEXEC, 0)
            if lowestFree >= 0 { close(lowestFree) }
            if lowestFree >= 0, lowestFree < limits.firstReservedDescriptor { return }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func set(_ option: Int32, to value: Int32, on file: Int32) {
        var value = value
        unsafe setsockopt(file, Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
