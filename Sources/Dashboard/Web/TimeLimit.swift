/// Waits for the result of an operation that may take too long for a response.
/// - Returns: nil if the time is up. The operation then continues unattended.
func result<Value: Sendable>(
    within limit: Duration, of operation: @escaping @Sendable () async -> Value
) async -> Value? {
    let (results, continuation) = AsyncStream.makeStream(of: Value?.self, bufferingPolicy: .bufferingOldest(1))
    // These are not child tasks, which would have to be waited for.
    Task { continuation.yield(await operation()) }
    let timer = Task {
        try? await Task.sleep(for: limit)
        continuation.yield(nil)
    }
    defer { timer.cancel() }
    var iterator = results.makeAsyncIterator()
    return await iterator.next() ?? nil
}
