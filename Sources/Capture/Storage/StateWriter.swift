import Files
import FoundationEssentials
import Handoff
import Synchronization
import Untrusted

/// Writes files of one kind in the state folder: one change after another, each on a thread of its own, because the
/// threads of the service are limited (TasksMax).
final class StateWriter: Sendable {
    /// The folder; nil if nothing is kept.
    let folder: StateFolder?
    /// Why the last change is not on the disk; nil if it is.
    var failure: String? { lastFailure.withLock { $0 } }

    private let thread: String
    private let lastFailure = Mutex(String?.none)
    /// The change that was requested last.
    private let lastChange = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter thread: The name of the threads.
    init(_ folder: StateFolder?, thread: String) {
        (self.folder, self.thread) = (folder, thread)
    }

    /// Replaces a file, then adopts the change, also if it could not be written. It waits for the disk.
    func replace(_ name: String, with data: Data, adopting change: @escaping @Sendable () -> Void) async {
        await write(adopting: change) { folder in
            try folder.claimOrMake()
            try AtomicFile.replace(URL(filePath: Self.path(of: name, in: folder)), with: data)
        }
    }

    /// Removes a file, if there is one, then adopts the change, also if that failed. It waits for the disk.
    func remove(_ name: String, adopting change: @escaping @Sendable () -> Void) async {
        await write(adopting: change) { folder in
            let path = Self.path(of: name, in: folder)
            guard try folder.claim(), FileManager.default.fileExists(atPath: path) else { return }
            try FileManager.default.removeItem(atPath: path)
            // Without this, a power cut could bring the file back.
            try FileDescriptor(opening: folder.path).syncNames()
        }
    }

    static func path(of name: String, in folder: StateFolder) -> String { folder.path + "/" + name }

    private func write(
        adopting change: @escaping @Sendable () -> Void, _ write: @escaping @Sendable (StateFolder) throws -> Void
    ) async {
        let task = lastChange.withLock { last in
            let next = Task { [last] in
                await last?.value
                await BlockingThread.run(named: self.thread) {
                    var reason: String?
                    do {
                        if let folder = self.folder { try write(folder) }
                    } catch {
                        reason = error.reason
                    }
                    self.lastFailure.withLock { $0 = reason }
                    change()
                } onCancel: {
                }
            }
            last = next
            return next
        }
        await task.value
    }
}
