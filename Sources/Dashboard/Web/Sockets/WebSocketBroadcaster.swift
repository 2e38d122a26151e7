import Dispatch
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import Synchronization

/// A broadcaster that distributes messages to the outboxes of all clients, without waiting for any of them.
final class WebSocketBroadcaster: Sendable {
    private struct State {
        var outboxes: [ObjectIdentifier: Outbox] = [:]
        /// Returns the newest message, if it is still valid for new clients. The first client that needs it makes it.
        var greeting: (@Sendable () -> TextFrame)?
        var isLasting = false
        var isClosed = false
    }

    private static let processors = ProcessInfo.processInfo.activeProcessorCount
    /// The number of clients that justifies another thread.
    private static let clientsPerThread = 200

    private let demand: Demand
    private let state = Mutex(State())
    let clientCount = Latest(0)

    /// - Parameter demand: The demand for readings, which is registered while there are clients.
    init(demand: Demand = Demand()) {
        self.demand = demand
    }

    var count: Int { clientCount.value }

    /// Adds a client, whose outbox already contains the greeting; returns nil if the broadcaster is closed.
    ///
    /// The client leaves when the subscription is released. Until then it holds its place.
    func join(_ session: SessionStore.ID? = nil, holding place: Places? = nil) -> Subscription? {
        // Listeners of the demand and of the count are resumed outside the lock, which the end of a task may take.
        let watching = demand.watch()
        let outbox = state.withLock { state -> Outbox? in
            guard !state.isClosed else { return nil }
            let greeting = state.greeting?()
            if let greeting { state.greeting = { greeting } }
            let outbox = Outbox(first: greeting?.frame, session: session)
            state.outboxes[ObjectIdentifier(outbox)] = outbox
            return outbox
        }
        guard let outbox else { return nil }
        clientCount.update { $0 += 1 }
        let membership = InterestToken { [self] in
            leave(outbox)
            withExtendedLifetime(watching) {}
        }
        return Subscription(outbox: outbox, membership: membership, place: place)
    }

    /// Sends a message to all clients, and to those that join before the next one. It is made once, and only if there
    /// are clients.
    /// - Parameter isLasting: Whether the message stays valid while there are no clients, when messages are rare.
    func offer(_ message: @autoclosure @escaping @Sendable () -> TextFrame, isLasting: Bool = false) {
        let hasClients = state.withLock { state in
            state.greeting = isLasting ? message : nil
            state.isLasting = isLasting
            return !state.outboxes.isEmpty
        }
        guard hasClients else { return }
        let message = message()
        let outboxes = outboxes { state in
            // The last client may have left meanwhile.
            if isLasting || !state.outboxes.isEmpty { state.greeting = { message } }
        }
        // A write takes some microseconds. The last of thousands of clients should not wait for all others.
        let parts = min(Self.processors, outboxes.count / Self.clientsPerThread)
        guard parts > 1 else {
            for outbox in outboxes { outbox.offer(message) }
            return
        }
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            for index in stride(from: part, to: outboxes.count, by: parts) { outboxes[index].offer(message) }
        }
    }

    func ping() {
        for outbox in outboxes() { outbox.ping() }
    }

    var sessions: Set<SessionStore.ID> { Set(outboxes().compactMap(\.session)) }

    /// Sends a close frame to every client, or to those of one session.
    func end(session: SessionStore.ID? = nil) {
        let frame = WSFrame.close(code: WSCloseCode(1008, reason: "logged out"))
        for outbox in outboxes() where session == nil || outbox.session == session { outbox.close(frame) }
    }

    /// Sends a close frame to every client. No client can join afterwards.
    func close(_ code: WSCloseCode) {
        let frame = WSFrame.close(code: code)
        for outbox in outboxes({ $0.isClosed = true }) { outbox.close(frame) }
    }

    func waitUntilEmpty(upTo limit: Duration) async {
        let changes = clientCount.updates()
        guard count > 0 else { return }
        await withTimeout(limit) { for await count in changes where count == 0 { return } }
    }

    private func leave(_ outbox: Outbox) {
        state.withLock { state in
            state.outboxes[ObjectIdentifier(outbox)] = nil
            if state.outboxes.isEmpty, !state.isLasting { state.greeting = nil }
        }
        clientCount.update { $0 -= 1 }
    }

    private func outboxes(_ change: (inout State) -> Void = { _ in }) -> [Outbox] {
        state.withLock { state in
            change(&state)
            return Array(state.outboxes.values)
        }
    }
}

/// The subscription of a client, which lasts as long as this value is kept.
struct Subscription: Sendable {
    let outbox: Outbox
    fileprivate let membership: InterestToken
    fileprivate let place: Places?
}
