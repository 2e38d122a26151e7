import Dispatch
import FlyingFox
import Foundation
import Handoff
import Readings
import Synchronization

/// Hands each message to every client's mailbox, without waiting for any of them.
final class Hub: Sendable {
    private struct State {
        var mailboxes: [ObjectIdentifier: Mailbox] = [:]
        /// Makes the newest message, if it greets who joins now.
        var greeting: (@Sendable () -> Message)?
        var isLasting = false
        var isClosed = false
        /// That clients are here.
        var attendance: Attendance?
    }

    private static let processors = ProcessInfo.processInfo.activeProcessorCount
    /// So many clients are worth a thread.
    private static let leastPart = 200

    private let capacity: Int
    private let audience: Audience
    private let state = Mutex(State())
    private let population = Latest(0)

    /// - Parameters:
    ///   - capacity: clients at most.
    ///   - audience: They all watch.
    init(capacity: Int, audience: Audience = Audience()) {
        self.capacity = capacity
        self.audience = audience
    }

    /// Clients that are here now.
    var count: Int { population.value }

    /// A place for one more client, whose mailbox already holds the greeting; nil when the hub is full or closed.
    /// The client leaves when the subscription is released.
    /// - Parameter session: Whose client it is; nil: one without a session.
    func join(_ session: SessionStore.ID? = nil) -> Subscription? {
        state.withLock { state in
            guard !state.isClosed, state.mailboxes.count < capacity else { return nil }
            if state.mailboxes.isEmpty { state.attendance = audience.watch() }
            let mailbox = Mailbox(first: state.greeting?().frame, session: session)
            state.mailboxes[ObjectIdentifier(mailbox)] = mailbox
            population.publish(state.mailboxes.count)
            return Subscription(mailbox: mailbox, hub: self)
        }
    }

    /// Offers one message to all who are here; it also greets those who join them. It is made once, and not before
    /// somebody is here.
    /// - Parameter isLasting: Whether it still holds when the first one comes, long after: while nobody is here,
    ///   messages are rare.
    func offer(_ message: @autoclosure @escaping @Sendable () -> Message, isLasting: Bool = false) {
        let mailboxes = mailboxes { state in
            state.greeting = isLasting || !state.mailboxes.isEmpty ? message : nil
            state.isLasting = isLasting
        }
        guard !mailboxes.isEmpty else { return }
        let message = message()
        // A write takes some microseconds: the last of thousands of clients shall not wait for all of them in a row.
        let parts = min(Self.processors, mailboxes.count / Self.leastPart)
        guard parts > 1 else {
            for mailbox in mailboxes { mailbox.offer(message) }
            return
        }
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            for index in stride(from: part, to: mailboxes.count, by: parts) { mailboxes[index].offer(message) }
        }
    }

    /// Asks every client for a sign of life.
    func ping() {
        for mailbox in mailboxes() { mailbox.ping() }
    }

    /// Sessions that have a client here.
    var sessions: Set<SessionStore.ID> { Set(mailboxes().compactMap(\.session)) }

    /// Sends a close frame to every client, or to those of one session.
    func end(session: SessionStore.ID? = nil) {
        let frame = WSFrame.close(code: WSCloseCode(1008, reason: "logged out"))
        for mailbox in mailboxes() where session == nil || mailbox.session == session { mailbox.close(frame) }
    }

    /// Sends every client a close frame; nobody can join any more.
    func close(_ code: WSCloseCode) {
        let frame = WSFrame.close(code: code)
        for mailbox in mailboxes({ $0.isClosed = true }) { mailbox.close(frame) }
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

    fileprivate func leave(_ mailbox: Mailbox) {
        state.withLock { state in
            state.mailboxes[ObjectIdentifier(mailbox)] = nil
            population.publish(state.mailboxes.count)
            guard state.mailboxes.isEmpty else { return }
            state.attendance = nil
            if !state.isLasting { state.greeting = nil }
        }
    }

    private func mailboxes(_ change: (inout State) -> Void = { _ in }) -> [Mailbox] {
        state.withLock { state in
            change(&state)
            return Array(state.mailboxes.values)
        }
    }
}

/// One client's place in a hub, given back when the last reference goes: also when a write fails half-way.
final class Subscription: Sendable {
    let mailbox: Mailbox
    private let hub: Hub

    fileprivate init(mailbox: Mailbox, hub: Hub) {
        self.mailbox = mailbox
        self.hub = hub
    }

    deinit { hub.leave(mailbox) }
}
