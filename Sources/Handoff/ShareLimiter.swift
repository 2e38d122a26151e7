import Synchronization

/// A limit on what clients use at the same time, in total and for each client, so that no client can use up what all
/// share.
///
/// Use is counted in places. A client that finds no place may wait for one: each client's requests are granted in their
/// order, and never wait for those of another client. A request that waits takes memory, too, so at most eight wait for
/// each place, in total and of each client.
package final class ShareLimiter<Client: Hashable & Sendable>: Sendable {
    package struct Share: Equatable, Sendable {
        /// The maximum number of places that the client has at the same time.
        package var max: Int
        /// The number of places that the client leaves free for others.
        package var leaving: Int

        package init(max: Int, leaving: Int = 0) {
            (self.max, self.leaving) = (max, leaving)
        }
    }

    private struct Waiter: Sendable {
        let id: UInt64
        let client: Client
        let places: Int
        let slot = Slot<Places>()
    }

    private struct State {
        var used = 0
        var usedBy: [Client: Int] = [:]
        var waiters: [Waiter] = []
        /// The number of waiting requests of each client that has any.
        var waiting: [Client: Int] = [:]
        var nextID: UInt64 = 0
    }

    private let waitersForPlace = 8
    private let total: Int
    private let share: @Sendable (Client) -> Share
    private let state = Mutex(State())

    /// - Parameters:
    ///   - total: The number of places.
    ///   - share: Returns the share of a client.
    package init(total: Int, share: @escaping @Sendable (Client) -> Share) {
        self.total = total
        self.share = share
    }

    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Takes places, which become free when the result is released.
    /// - Parameter places: The number of places; one that exceeds the client's share counts as the whole share.
    /// - Returns: Nil if there are too few free places, or another request of this client is waiting.
    package func begin(_ places: Int = 1, for client: Client) -> Places? {
        state.withLock { $0.waiting[client] == nil ? grant(places, to: client, &$0) : nil }
    }

    /// Takes places, or waits until there are enough.
    /// - Parameter limit: The maximum wait; nil to wait until the task is cancelled.
    /// - Returns: Nil if too many requests wait already, the time is up, or the task is cancelled.
    package func begin(_ places: Int = 1, for client: Client, within limit: Duration?) async -> Places? {
        let (places, waiter) = state.withLock { state -> (Places?, Waiter?) in
            if state.waiting[client] == nil, let granted = grant(places, to: client, &state) { return (granted, nil) }
            let share = share(client)
            guard state.waiting[client, default: 0] < waitersForPlace * share.max,
                state.waiters.count < waitersForPlace * (total - share.leaving)
            else { return (nil, nil) }
            state.nextID += 1
            let waiter = Waiter(id: state.nextID, client: client, places: places)
            state.waiters.append(waiter)
            state.waiting[client, default: 0] += 1
            return (nil, waiter)
        }
        guard let waiter else { return places }
        defer { withdraw(waiter) }
        guard let limit else { return await waiter.slot.next() }
        return await withTimeout(limit) { await waiter.slot.next() }
    }

    private func grant(_ places: Int, to client: Client, _ state: inout State) -> Places? {
        let (share, usedByClient) = (share(client), state.usedBy[client, default: 0])
        let places = min(places, share.max, total - share.leaving)
        guard places > 0, usedByClient + places <= share.max, state.used + places <= total - share.leaving
        else { return nil }
        state.used += places
        state.usedBy[client] = usedByClient + places
        return Places(places) { [self] in release($0, of: client) }
    }

    private func release(_ places: Int, of client: Client) {
        change { state in
            state.used -= places
            let left = state.usedBy[client, default: 0] - places
            state.usedBy[client] = left > 0 ? left : nil
        }
    }

    private func withdraw(_ waiter: Waiter) {
        change { state in
            guard let index = state.waiters.firstIndex(where: { $0.id == waiter.id }) else { return }
            remove(at: index, &state)
        }
    }

    private func remove(at index: Int, _ state: inout State) {
        let client = state.waiters.remove(at: index).client
        let left = state.waiting[client, default: 0] - 1
        state.waiting[client] = left > 0 ? left : nil
    }

    /// Changes the state, and grants the requests for which there is now room.
    private func change(_ change: (inout State) -> Void) {
        let granted = state.withLock { state in
            change(&state)
            var granted: [(waiter: Waiter, places: Places)] = []
            // The clients of which an earlier request still waits.
            var blocked: Set<Client> = []
            var index = 0
            while index < state.waiters.count, state.used < total {
                let waiter = state.waiters[index]
                if !blocked.contains(waiter.client), let places = grant(waiter.places, to: waiter.client, &state) {
                    granted.append((waiter, places))
                    remove(at: index, &state)
                } else {
                    blocked.insert(waiter.client)
                    index += 1
                }
            }
            return granted
        }
        // Not under the lock, because places that nobody waits for any more are released at once.
        for (waiter, places) in granted { waiter.slot.put(places) }
    }
}

/// Places that a client has taken. They become free when the last reference is released, even if a write fails half-way
/// or a task is cancelled.
package final class Places: Sendable {
    private let count: Mutex<Int>
    private let release: @Sendable (Int) -> Void

    fileprivate init(_ count: Int, release: @escaping @Sendable (Int) -> Void) {
        self.count = Mutex(count)
        self.release = release
    }

    deinit { release(count.withLock(\.self)) }

    /// Releases all places but this number of them.
    package func keep(_ kept: Int) {
        let surplus = count.withLock { count in
            defer { count = min(count, kept) }
            return max(count - kept, 0)
        }
        if surplus > 0 { release(surplus) }
    }
}
