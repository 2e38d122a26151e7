public import Synchronization

/// A value whose newest state is broadcast to all listeners.
///
/// A slow listener misses values but never delays them: each listener has room for exactly one, and a newer value
/// replaces it.
///
/// Members that a thread calls for every frame are `public` and `@inlinable`, here and in ``Follower`` and
/// ``RequestQueue``, because the compiler does not specialize `package` declarations for other targets. Without that,
/// reading a number takes 3,000 instructions, most of them to look up the type of `State`.
public final class Latest<Value: Sendable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var value: Value
        @usableFromInline var revision: UInt64 = 0
        var listeners: [Int: @Sendable (Value) -> Void] = [:]
        var nextListener = 0
    }

    @usableFromInline let state: Mutex<State>
    /// Listeners that have ended and are still in the list.
    ///
    /// They have a lock of their own: the runtime may hold a lock of the listener's task while it reports the end of
    /// the stream, and sending a value to that task takes the same lock. With one lock for both, a publisher and a
    /// listener that ends would wait for each other forever (see Swift's documentation of
    /// `withTaskCancellationHandler(operation:onCancel:isolation:)`).
    private let ended = Mutex<[Int]>([])

    /// Starts with a value, at revision 0.
    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The newest value.
    @inlinable public var value: Value { state.withLock { $0.value } }

    /// The number of times that the value was replaced or changed.
    @inlinable public var revision: UInt64 { state.withLock { $0.revision } }

    /// Replaces the value and sends it to every listener.
    package func publish(_ value: Value) {
        state.withLock { state in
            state.value = value
            broadcast(&state)
        }
    }

    /// Changes the value atomically and sends it to every listener.
    /// - Returns: The changed value.
    @discardableResult
    package func update(_ change: (inout Value) -> Void) -> Value {
        state.withLock { state in
            change(&state.value)
            broadcast(&state)
            return state.value
        }
    }

    /// Sends a new value under the lock, so that of two values the newer one is also the last that a listener gets.
    private func broadcast(_ state: inout State) {
        state.revision += 1
        removeEnded(from: &state)
        for send in state.listeners.values { send(state.value) }
    }

    /// Returns a stream of the values published from now on, which buffers only the newest.
    package func updates() -> AsyncStream<Value> {
        stream { continuation in { continuation.yield($0) } }
    }

    /// Returns a stream of a part of the values published from now on: of the first one, and then whenever the part is
    /// another one than before. A task that needs only changes is not woken by each value.
    @inlinable public func changes<Part: Equatable & Sendable>(
        of part: @escaping @Sendable (Value) -> Part
    ) -> AsyncStream<Part> {
        stream { continuation in
            let last = Mutex<Part?>(nil)
            return { value in
                let part = part(value)
                last.withLock { last in
                    if part != last { continuation.yield(part) }
                    last = part
                }
            }
        }
    }

    /// Returns a stream that buffers one element, with a listener that adds to it.
    @usableFromInline func stream<Element>(
        _ listener: (AsyncStream<Element>.Continuation) -> @Sendable (Value) -> Void
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            removeEnded(from: &state)
            defer { state.nextListener += 1 }
            state.listeners[state.nextListener] = listener(continuation)
            return state.nextListener
        }
        continuation.onTermination = { [weak self] _ in self?.ended.withLock { $0.append(id) } }
        return stream
    }

    func removeEnded(from state: inout State) {
        let ids = ended.withLock { ids in
            defer { ids = [] }
            return ids
        }
        for id in ids { state.listeners[id] = nil }
    }
}

/// A follower of one part of a shared value, such as the keys of the configuration that one thread needs.
///
/// A part that changes and changes back between two calls has not changed, because ``Latest`` keeps no history. The
/// part is compared only if the value has been replaced; otherwise a call costs one lock.
public struct Follower<Value: Sendable, Part: Equatable> {
    @usableFromInline let latest: Latest<Value>
    @usableFromInline let part: @Sendable (Value) -> Part
    /// The revision of the value that was last read.
    @usableFromInline var revision: UInt64
    @usableFromInline var lastPart: Part

    /// The part as of the last call of ``takeChange()``, or as of the start before the first call.
    package var current: Part { lastPart }

    package init(_ latest: Latest<Value>, _ part: @escaping @Sendable (Value) -> Part) {
        self.latest = latest
        self.part = part
        revision = latest.revision
        lastPart = part(latest.value)
    }

    /// Returns the part if it has changed since the last call; otherwise nil.
    @inlinable public mutating func takeChange() -> Part? {
        // The revision is read first: a value that is published in between is compared again at the next call.
        let newest = latest.revision
        guard newest != revision else { return nil }
        revision = newest
        let part = part(latest.value)
        guard part != lastPart else { return nil }
        lastPart = part
        return part
    }

    /// Returns whether ``takeChange()`` would return a part, without consuming the change.
    ///
    /// This is mutating because a new value with the same part counts as read, so that it is compared only once.
    @inlinable public mutating func hasChanged() -> Bool {
        guard latest.revision != revision else { return false }
        let before = self
        guard takeChange() != nil else { return false }
        self = before
        return true
    }
}
