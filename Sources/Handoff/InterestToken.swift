/// A token for an interest, which lasts until the last reference to it is released, even if a write fails half-way or a
/// task is cancelled.
package final class InterestToken: Sendable {
    private let end: @Sendable () -> Void

    /// - Parameter end: Called once, when the token is released.
    package init(onRelease end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}
