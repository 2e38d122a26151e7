import Dispatch
import FlyingFox
import FoundationEssentials
import Handoff
import Readings
import Synchronization

/// A broadcaster that distributes messages to the outboxes of all clients, without waiting for any of them.
final class WebSocketBroadcaster: Sendable {
    /// The message for new clients, which is made when the first client needs it.
    private enum Greeting {
        case made(TextFrame)
        case pending(@Sendable () -> TextFrame)

        mutating func message() -> TextFrame {
            switch self {
            case .made(let message): return message
            case .pending(let make):
                let message = make()
                self = .made(message)
                return message
            }
        }
    }

    private struct State {
        var outboxes: [ObjectIdentifier: Outbox] = [:]
        /// The newest message, if it is still valid for new clients.
        var greeting: Greeting?
        var isLasting = false
        var isClosed = false
        /// The demand for readings while there are clients.
        var demandToken: InterestToken?
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

    /// The number of clients.
    var count: Int { clientCount.value }

    /// Adds a client, whose outbox already contains the greeting; returns nil if the broadcaster is closed.
    ///
    /// The client leaves when the subscription is released.
    /// - Parameters:
    ///   - session: The session of the client, if it has one.
    ///   - place: What the client holds until it leaves, such as a place among all WebSockets.
    func join(_ session: SessionStore.ID? = nil, holding place: Places? = nil) -> Subscription? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            if state.outboxes.isEmpty { state.demandToken = demand.watch() }
            let outbox = Outbox(first: state.greeting?.message().frame, session: session)
            state.outboxes[ObjectIdentifier(outbox)] = outbox
            clientCount.publish(state.outboxes.count)
            return Subscription(outbox: outbox, membership: InterestToken { [self] in leave(outbox) }, place: place)
        }
    }

    /// Sends a message to all clients, and to those that join before the next one. It is made once, and only if there
    /// are clients.
    /// - Parameter isLasting: Whether the message stays valid while there are no clients, when messages are rare.
    func offer(_ message: @autoclosure @escaping @Sendable () -> TextFrame, isLasting: Bool = false) {
        let hasClients = state.withLock { state in
            state.greeting = isLasting ? .pending(message) : nil
            state.isLasting = isLasting
            return !state.outboxes.isEmpty
        }
        guard hasClients else { return }
        let message = message()
        let outboxes = outboxes { state in
            // The last client may have left meanwhile.
            if isLasting || !state.outboxes.isEmpty { state.greeting = .made(message) }
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

    /// Sends a ping to every client.
    func ping() {
        for outbox in outboxes() { outbox.ping() }
    }

    /// The sessions of all clients.
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

    /// Waits until the last client has left.
    /// - Parameter limit: The longest time to wait.
    func waitUntilEmpty(upTo limit: Duration) async {
        let changes = clientCount.updates()
        guard count > 0 else { return }
        await withTimeout(limit) { for await count in changes where count == 0 { return } }
    }

    private func leave(_ outbox: Outbox) {
        state.withLock { state in
            state.outboxes[ObjectIdentifier(outbox)] = nil
            clientCount.publish(state.outboxes.count)
            guard state.outboxes.isEmpty else { return }
            state.demandToken = nil
            if !state.isLasting { state.greeting = nil }
        }
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
