import Dispatch
import FlyingFox
import Foundation
import Handoff
import Readings
import Synchronization

/// Hands each message to every client's outbox, without waiting for any of them.
final class WebSocketBroadcaster: Sendable {
    private struct State {
        var outboxes: [ObjectIdentifier: Outbox] = [:]
        /// Makes the newest message, if it greets who joins now.
        var greeting: (@Sendable () -> TextFrame)?
        var isLasting = false
        var isClosed = false
        /// That clients are here.
        var demandToken: InterestToken?
    }

    private static let processors = ProcessInfo.processInfo.activeProcessorCount
    /// So many clients are worth a thread.
    private static let leastPart = 200

    private let capacity: Int
    private let demand: Demand
    private let state = Mutex(State())
    private let population = Latest(0)

    /// - Parameters:
    ///   - capacity: clients at most.
    ///   - demand: They all watch.
    init(capacity: Int, demand: Demand = Demand()) {
        self.capacity = capacity
        self.demand = demand
    }

    /// Clients that are here now.
    var count: Int { population.value }

    /// A place for one more client, whose outbox already holds the greeting; nil when the broadcaster is full or closed.
    /// The client leaves when the subscription is released.
    /// - Parameter session: Whose client it is; nil: one without a session.
    func join(_ session: SessionStore.ID? = nil) -> Subscription? {
        state.withLock { state in
            guard !state.isClosed, state.outboxes.count < capacity else { return nil }
            if state.outboxes.isEmpty { state.demandToken = demand.watch() }
            let outbox = Outbox(first: state.greeting?().frame, session: session)
            state.outboxes[ObjectIdentifier(outbox)] = outbox
            population.publish(state.outboxes.count)
            return Subscription(outbox: outbox, place: InterestToken { [self] in leave(outbox) })
        }
    }

    /// Offers one message to all who are here; it also greets those who join them. It is made once, and not before
    /// somebody is here.
    /// - Parameter isLasting: Whether it still holds when the first one comes, long after: while nobody is here,
    ///   messages are rare.
    func offer(_ message: @autoclosure @escaping @Sendable () -> TextFrame, isLasting: Bool = false) {
        let outboxes = outboxes { state in
            state.greeting = isLasting || !state.outboxes.isEmpty ? message : nil
            state.isLasting = isLasting
        }
        guard !outboxes.isEmpty else { return }
        let message = message()
        // A write takes some microseconds: the last of thousands of clients shall not wait for all of them in a row.
        let parts = min(Self.processors, outboxes.count / Self.leastPart)
        guard parts > 1 else {
            for outbox in outboxes { outbox.offer(message) }
            return
        }
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            for index in stride(from: part, to: outboxes.count, by: parts) { outboxes[index].offer(message) }
        }
    }

    /// Asks every client for a sign of life.
    func ping() {
        for outbox in outboxes() { outbox.ping() }
    }

    /// Sessions that have a client here.
    var sessions: Set<SessionStore.ID> { Set(outboxes().compactMap(\.session)) }

    /// Sends a close frame to every client, or to those of one session.
    func end(session: SessionStore.ID? = nil) {
        let frame = WSFrame.close(code: WSCloseCode(1008, reason: "logged out"))
        for outbox in outboxes() where session == nil || outbox.session == session { outbox.close(frame) }
    }

    /// Sends every client a close frame; nobody can join any more.
    func close(_ code: WSCloseCode) {
        let frame = WSFrame.close(code: code)
        for outbox in outboxes({ $0.isClosed = true }) { outbox.close(frame) }
    }

    /// Waits for the last client to leave.
    /// - Parameter limit: longest wait.
    func waitUntilEmpty(upTo limit: Duration) async {
        let changes = population.updates()
        guard count > 0 else { return }
        await withTaskGroup { group in
            group.addTask { for await count in changes where count == 0 { return } }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    private func leave(_ outbox: Outbox) {
        state.withLock { state in
            state.outboxes[ObjectIdentifier(outbox)] = nil
            population.publish(state.outboxes.count)
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

/// A client's place among those that a broadcaster serves, for as long as it is kept.
struct Subscription: Sendable {
    let outbox: Outbox
    fileprivate let place: InterestToken
}
