/// Waits for the result of an operation that may take too long for a response.
/// - Returns: The result; nil if the time is up first. The operation then continues unattended.
func result<Value: Sendable>(
    within limit: Duration, of operation: @escaping @Sendable () async -> Value
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
