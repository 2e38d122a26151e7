/// The answer of somebody who may take too long to be waited for: FlyingFox wants one from each route in time.
/// - Returns: Nil when the time was up; whoever was asked goes on.
func answer<Value: Sendable>(
    within limit: Duration, _ question: @escaping @Sendable () async -> Value
) async -> Value? {
    let (answers, continuation) = AsyncStream.makeStream(of: Value?.self, bufferingPolicy: .bufferingOldest(1))
    // Not child tasks: nobody waits for the slower one.
    Task { continuation.yield(await question()) }
    let timer = Task {
        try? await Task.sleep(for: limit)
        continuation.yield(nil)
    }
    defer { timer.cancel() }
    var iterator = answers.makeAsyncIterator()
    return await iterator.next() ?? nil
}
