/// Waits for the result of an operation. When the time is up, this cancels the operation and waits for it to end.
///
/// An operation that cannot be cancelled needs ``withAbandonment(after:_:)``, because this function would wait for it.
/// - Parameters:
///   - limit: The time after which the operation is cancelled.
///   - sleep: Waits for the limit.
/// - Returns: The operation's result; nil if the time was up first.
@discardableResult
package func withTimeout<Value: Sendable>(
    _ limit: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    _ operation: @escaping @Sendable () async -> Value?
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await operation() }
        group.addTask {
            try? await sleep(limit)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next().flatMap(\.self)
    }
}
