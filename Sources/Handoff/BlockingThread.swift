import CLinux
import Glibc

/// A thread for work that waits for files and devices, because a task must never block.
package enum BlockingThread {
    /// The work that a thread takes over.
    private final class Work: Sendable {
        let run: @Sendable () -> Void
        let completion: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void, completion: @escaping @Sendable () -> Void) {
            self.run = run
            self.completion = completion
        }
    }

    /// Starts a thread.
    /// - Parameters:
    ///   - name: The name of the thread for debuggers, cut off after 15 bytes.
    ///   - completion: Called when the work is done and what it held is released, such as the lock of a file.
    /// - Throws: `HandoffError.noThread` if the system allows no further thread.
    package static func start(
        named name: String, _ work: @escaping @Sendable () -> Void, completion: @escaping @Sendable () -> Void = {}
    ) throws(HandoffError) {
        let work = unsafe Unmanaged.passRetained(
            Work(
                {
                    unsafe swatchcam_name_thread(name)
                    work()
                }, completion: completion))
        var thread = pthread_t()
        let problem = unsafe pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer = unsafe pointer else { return nil }
                var work: Work? = unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
                let completion = work?.completion
                work?.run()
                work = nil
                completion?()
                return nil
            }, work.toOpaque())
        guard problem == 0 else {
            unsafe work.release()
            throw .noThread(errno: problem)
        }
        pthread_detach(thread)
    }

    /// Runs work on a thread of its own.
    ///
    /// If the system allows no further thread, this tries again every second until the task is cancelled.
    /// - Parameter onCancel: Makes the work end when the task is cancelled.
    package static func run(
        named name: String, _ work: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable () -> Void = {}
    ) async {
        await withTaskCancellationHandler {
            while await !tryRun(named: name, work), !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) }
        } onCancel: {
            onCancel()
        }
    }

    private static func tryRun(named name: String, _ work: @escaping @Sendable () -> Void) async -> Bool {
        await withCheckedContinuation { continuation in
            do throws(HandoffError) {
                try start(named: name, work) { continuation.resume(returning: true) }
            } catch {
                continuation.resume(returning: false)
            }
        }
    }
}
