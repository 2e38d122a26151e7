import Synchronization

/// The capture thread's rest: it lasts while nobody wants a frame, and ends as soon as somebody does.
///
/// Only a rest is ended. The thread's other waits end with the next frame, or are pauses between attempts to open a
/// camera, which no client may shorten.
package final class Rest: Sendable {
    private let waker: Waker
    private let isUnderWay = Atomic(false)

    /// - Parameter waker: Ends the thread's waits.
    package init(_ waker: Waker) {
        self.waker = waker
    }

    /// Rests, unless somebody wants a frame already. For the resting thread only.
    /// - Parameters:
    ///   - isWanted: Whether somebody wants a frame. Whoever does says so first and calls ``end()`` then, so that a
    ///     wish either is seen here or ends the rest.
    ///   - wait: Waits until it has waited long enough or the waker wakes.
    package func take(unless isWanted: () -> Bool, _ wait: () -> Void) {
        isUnderWay.store(true, ordering: .sequentiallyConsistent)
        if !isWanted() { wait() }
        isUnderWay.store(false, ordering: .sequentiallyConsistent)
    }

    /// Ends the rest that is under way, if there is one. However many call this, the thread is woken once.
    package func end() {
        guard isUnderWay.load(ordering: .sequentiallyConsistent) else { return }
        if isUnderWay.exchange(false, ordering: .sequentiallyConsistent) { waker.wake() }
    }
}
