import Dispatch
import Synchronization

/// A place for one value, which any thread may fill and one consumer, a task or a thread, empties. A newer value
/// replaces one that was not taken.
package final class Slot<Value: Sendable>: Sendable {
    private enum Waiter {
        case task(CheckedContinuation<Value?, Never>)
        case thread
    }

    private struct State {
        var value: Value?
        var waiter: Waiter?
        var isClosed = false

        mutating func take() -> Value? {
            defer { value = nil }
            return value
        }
    }

    private let state = Mutex(State())
    /// Signalled each time that a waiting thread is to continue.
    private let filled = DispatchSemaphore(value: 0)

    package init() {}

    /// Whether the consumer is waiting for a value.
    package var isAwaited: Bool { state.withLock { $0.waiter != nil } }

    /// Puts a value in the slot.
    /// - Returns: The value that was replaced without being taken, if any; the new value if the slot is closed.
    @discardableResult
    package func put(_ value: Value) -> Value? {
        let (waiter, rest) = state.withLock { state -> (Waiter?, Value?) in
            if state.isClosed { return (nil, value) }
            defer { state.waiter = nil }
            switch state.waiter {
            case .task:
                return (state.waiter, nil)
            case .thread, nil:
                defer { state.value = value }
                return (state.waiter, state.value)
            }
        }
        resume(waiter, with: value)
        return rest
    }

    /// Waits for a value as a task; returns nil once the slot is closed. Cancelling the task closes the slot.
    package func next() async -> Value? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isOver, value) = state.withLock { state -> (Bool, Value?) in
                    if state.isClosed || state.value != nil { return (true, state.take()) }
                    state.waiter = .task(continuation)
                    return (false, nil)
                }
                if isOver { continuation.resume(returning: value) }
            }
        } onCancel: {
            close()
        }
    }

    /// Waits for a value and blocks the thread; returns nil once the slot is closed.
    package func wait() -> Value? {
        let (isOver, value) = state.withLock { state -> (Bool, Value?) in
            if state.isClosed || state.value != nil { return (true, state.take()) }
            state.waiter = .thread
            return (false, nil)
        }
        if isOver { return value }
        filled.wait()
        return state.withLock { $0.take() }
    }

    /// Closes the slot permanently: ends the wait for values, and drops a value that was not taken.
    package func close() {
        // The value is released after the lock: it may hold a continuation, which its release resumes.
        let (waiter, _) = state.withLock { state in
            state.isClosed = true
            defer { state.waiter = nil }
            return (state.waiter, state.take())
        }
        resume(waiter, with: nil)
    }

    private func resume(_ waiter: Waiter?, with value: Value?) {
        switch waiter {
        case .task(let continuation): continuation.resume(returning: value)
        case .thread: filled.signal()
        case nil: break
        }
    }
}
