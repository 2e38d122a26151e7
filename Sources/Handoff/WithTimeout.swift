/// Waits for the result of an operation, which is cancelled when the time is up, and waited for until it has ended.
/// - Parameters:
///   - limit: The longest time until the operation is cancelled.
///   - sleep: Waits for a duration.
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
