import Synchronization

@testable package import Handoff

extension Latest {
    /// Whether there is a listener.
    package var isObserved: Bool {
        state.withLock { state in
            removeEnded(from: &state)
            return !state.listeners.isEmpty
        }
    }
}
