import Foundation

extension Thread {
    /// Runs work that waits for files and devices on its own thread, because a task must never block.
    /// - Parameter onCancel: Makes the work end when the task is cancelled.
    package static func run(
        named name: String, _ work: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable () -> Void
    ) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let thread = Thread {
                    work()
                    continuation.resume()
                }
                thread.name = name
                thread.start()
            }
        } onCancel: {
            onCancel()
        }
    }
}
