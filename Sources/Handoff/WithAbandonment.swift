/// Waits for the result of an operation. When the time is up, this abandons the operation, which continues unattended.
///
/// An operation that must have ended when its caller continues needs ``withTimeout(_:sleep:_:)``, which cancels it.
/// - Returns: The operation's result; nil if the time was up first.
package func withAbandonment<Value: Sendable>(
    after limit: Duration, _ operation: @escaping @Sendable () async -> Value
) async -> Value? {
    let (results, continuation) = AsyncStream.makeStream(of: Value?.self, bufferingPolicy: .bufferingOldest(1))
    // These are not child tasks, because this function would have to wait for those.
    Task { continuation.yield(await operation()) }
    let timer = Task {
        try? await Task.sleep(for: limit)
        continuation.yield(nil)
    }
    defer { timer.cancel() }
    var iterator = results.makeAsyncIterator()
    return await iterator.next() ?? nil
}
