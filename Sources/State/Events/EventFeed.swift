package import Handoff
import Synchronization

/// The events of this run, for those who send them on.
package final class EventFeed: Sendable {
    /// The events whose pictures have yet to be taken.
    package let news = EventQueue()
    private let queues = Mutex<[ObjectIdentifier: EventQueue]>([:])

    package init() {}

    /// Adds a queue, which receives all further events until the token is released.
    package func subscribe() -> (queue: EventQueue, token: InterestToken) {
        let queue = EventQueue()
        queues.withLock { $0[ObjectIdentifier(queue)] = queue }
        let token = InterestToken { [self] in queues.withLock { $0[ObjectIdentifier(queue)] = nil } }
        return (queue, token)
    }

    package func publish(_ event: Event) {
        for queue in queues.withLock({ Array($0.values) }) { queue.add(event) }
    }
}

/// The events that are yet to be sent to one receiver, in the order in which they happened.
package final class EventQueue: Sendable {
    /// The maximum number of events. If there are more, the oldest are dropped.
    package static let capacity = 100

    private struct State {
        var events: [Event] = []
        /// The number of events that were removed or dropped, which is the number of the first one.
        var first = 0
        var dropped = 0
    }

    private let state = Mutex(State())
    /// The number of events so far.
    private let count = Latest(0)

    package init() {}

    /// Adds an event, without waiting.
    package func add(_ event: Event) {
        state.withLock { state in
            state.events.append(event)
            guard state.events.count > Self.capacity else { return }
            state.events.removeFirst()
            state.first += 1
            state.dropped += 1
        }
        count.update { $0 += 1 }
    }

    /// The oldest event with its number; nil if there is none.
    package var first: (number: Int, event: Event)? {
        state.withLock { state in state.events.first.map { (state.first, $0) } }
    }

    /// Removes the oldest event, unless it was dropped since it was looked at.
    package func remove(_ number: Int) {
        state.withLock { state in
            guard state.first == number, !state.events.isEmpty else { return }
            state.events.removeFirst()
            state.first += 1
        }
    }

    /// Returns the number of events that were dropped since this was last called.
    package func takeDropped() -> Int {
        state.withLock { state in
            defer { state.dropped = 0 }
            return state.dropped
        }
    }

    /// Waits for an event, and returns the oldest with its number; returns nil if the task is cancelled.
    package func next() async -> (number: Int, event: Event)? {
        let updates = count.updates()
        if let first { return first }
        for await _ in updates { if let first { return first } }
        return nil
    }

    /// Returns a stream with a value whenever there is a new event.
    package func updates() -> AsyncStream<Int> { count.updates() }
}
