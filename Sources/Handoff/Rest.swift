import Synchronization

/// The capture thread's rest, which lasts while nobody wants a frame and ends as soon as somebody does.
///
/// It ends no other wait of the thread. Those end with the next frame, or are pauses between attempts to open a camera,
/// which the wish for a frame must not shorten.
package final class Rest: Sendable {
    private let waker: Waker
    private let isUnderWay = Atomic(false)

    /// Creates a rest for a thread.
    /// - Parameter waker: The waker that ends the thread's waits.
    package init(_ waker: Waker) {
        self.waker = waker
    }

    /// Rests unless somebody already wants a frame. Only the resting thread may call this.
    /// - Parameters:
    ///   - isWanted: Whether somebody wants a frame. A client records its demand first and then calls ``end()``, so
    ///     that the demand is either seen here or ends the rest.
    ///   - wait: Waits until the time of the rest is up or the waker is triggered.
    package func take(unless isWanted: () -> Bool, _ wait: () -> Void) {
        isUnderWay.store(true, ordering: .sequentiallyConsistent)
        if !isWanted() { wait() }
        isUnderWay.store(false, ordering: .sequentiallyConsistent)
    }

    /// Ends the current rest, if there is one. The thread is woken once, however many callers there are.
    package func end() {
        if isUnderWay.exchange(false, ordering: .sequentiallyConsistent) { waker.wake() }
    }
}
