import Testing

/// Waits until what other tasks or threads do has led to a state, and records an issue if that does not happen.
///
/// The time limit is only for hangs: it is far longer than anything takes on a slow machine, and shorter than the time
/// limits of the suites, which cannot say what was awaited. Each check counts for a second at most, so a machine that
/// stands still for a while does not use up the time.
/// - Parameters:
///   - state: What is awaited, as a clause such as "the client has left".
///   - isReached: Tells whether the state is reached. It may also repeat a step that has no effect if it comes early.
package func waitUntil(
    _ state: String, limit: Duration = .seconds(600), isolation: isolated (any Actor)? = #isolation,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
    _ isReached: () throws -> Bool
) async rethrows {
    var waited = Duration.zero
    var last = ContinuousClock.now
    while try !isReached() {
        guard waited < limit else {
            Issue.record(
                "This did not happen: \(state)",
                sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
            return
        }
        await Task.yield()
        let now = ContinuousClock.now
        waited += min(now - last, .seconds(1))
        last = now
    }
}
