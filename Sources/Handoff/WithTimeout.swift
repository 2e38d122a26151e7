/// Waits for the result of an operation. When the time is up, this cancels the operation and waits for it to end.
///
/// An operation that cannot be cancelled needs ``withAbandonment(after:clocks:_:)``, because this function would wait
/// for it.
/// - Parameters:
///   - limit: The time after which the operation is cancelled.
///   - clocks: The clocks that measure the limit.
/// - Returns: The operation's result; nil if the time was up first.
@discardableResult
package func withTimeout<Value: Sendable>(
    _ limit: Duration, clocks: Clocks = Clocks(), _ operation: @escaping @Sendable () async -> Value?
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await operation() }
        group.addTask {
            try? await clocks.sleep(limit)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next().flatMap(\.self)
    }
}

/// Waits for the result of an operation. When the time is up, this abandons the operation, which continues unattended.
///
/// An operation that must have ended when its caller continues needs ``withTimeout(_:clocks:_:)``, which cancels it.
/// - Parameters:
///   - limit: The time after which the operation is abandoned.
///   - clocks: The clocks that measure the limit.
/// - Returns: The operation's result; nil if the time was up first.
package func withAbandonment<Value: Sendable>(
    after limit: Duration, clocks: Clocks = Clocks(), _ operation: @escaping @Sendable () async -> Value
) async -> Value? {
    let (results, continuation) = AsyncStream.makeStream(of: Value?.self, bufferingPolicy: .bufferingOldest(1))
    // These are not child tasks, because this function would have to wait for those.
    Task { continuation.yield(await operation()) }
    let timer = Task {
        try? await clocks.sleep(limit)
        continuation.yield(nil)
    }
    defer { timer.cancel() }
    var iterator = results.makeAsyncIterator()
    return await iterator.next() ?? nil
}
