/// A token for an interest. The interest ends when the last reference to the token is released, even if a write fails
/// half-way or a task is cancelled.
package final class InterestToken: Sendable {
    private let end: @Sendable () -> Void

    /// - Parameter end: Called once, when the last reference is released.
    package init(onRelease end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}
