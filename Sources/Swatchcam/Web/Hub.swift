import Dispatch
import FlyingFox
import Foundation
import Synchronization

/// Hands each message to every client's mailbox, without waiting for any of them.
final class Hub: Sendable {
    private struct State {
        var mailboxes: [ObjectIdentifier: Mailbox] = [:]
        /// Makes the newest message: nobody may want it.
        var newest: (@Sendable () -> Message)?
        var isClosed = false
    }

    private static let processors = ProcessInfo.processInfo.activeProcessorCount
    /// So many clients are worth a thread.
    private static let leastPart = 200

    private let capacity: Int
    private let state = Mutex(State())
    private let population = Latest(0)

    /// - Parameter capacity: clients at most.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Clients that are here now.
    var count: Int { population.value }

    /// A place for one more client, whose mailbox already holds the newest message; nil when the hub is full or closed.
    /// The client leaves when the subscription is released.
    func join() -> Subscription? {
        state.withLock { state in
            guard !state.isClosed, state.mailboxes.count < capacity else { return nil }
            let mailbox = Mailbox(first: state.newest?().frame)
            state.mailboxes[ObjectIdentifier(mailbox)] = mailbox
            population.publish(state.mailboxes.count)
            return Subscription(mailbox: mailbox, hub: self)
        }
    }

    /// Offers one message to all; it also greets those who join later. It is made once, and not before somebody is here.
    func offer(_ message: @autoclosure @escaping @Sendable () -> Message) {
        let mailboxes = mailboxes { $0.newest = message }
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
