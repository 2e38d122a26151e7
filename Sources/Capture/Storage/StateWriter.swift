import Files
import FoundationEssentials
import Handoff
import Logging
import Synchronization
import Untrusted

/// Writes files of one kind in the state folder: one change after another, each on a thread of its own, because the
/// threads of the service are limited (TasksMax).
final class StateWriter: Sendable {
    /// The folder; nil if nothing is kept.
    let folder: StateFolder?
    private let noun: String
    /// Why the last change is not on the disk; nil if it is.
    private let lastFailure = Mutex(String?.none)
    /// The change that was requested last.
    private let lastChange = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter noun: The word for what the files hold, for the names of the threads and for sentences.
    init(_ folder: StateFolder?, for noun: String) {
        (self.folder, self.noun) = (folder, noun)
    }

    /// A sentence about a change that will be lost when the program ends; nil if there is none.
    var problem: String? {
        lastFailure.withLock { $0 }.map { "The \(noun) will not be remembered for the next start: \($0)" }
    }

    /// Replaces a file, then adopts the change, also if it could not be written. It waits for the disk.
    func replace(_ name: String, with data: Data, adopting change: @escaping @Sendable () -> Void) async {
        await write(adopting: change) { try Self.replace(name, with: data, in: $0) }
    }

    /// Removes a file, if there is one, then adopts the change, also if that failed. It waits for the disk.
    func remove(_ name: String, adopting change: @escaping @Sendable () -> Void) async {
        await write(adopting: change) { try Self.remove(name, in: $0) }
    }

    static func replace(_ name: String, with data: Data, in folder: StateFolder) throws {
        try folder.claimOrMake()
        try AtomicFile.replace(URL(filePath: path(of: name, in: folder)), with: data)
    }

    static func remove(_ name: String, in folder: StateFolder) throws {
        let path = path(of: name, in: folder)
        guard try folder.claim(), FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.removeItem(atPath: path)
        // Without this, a power cut could bring the file back.
        try FileDescriptor(opening: folder.path).syncNames()
    }

    /// Reads the JSON in a file, and logs why it is not used, if so.
    /// - Parameter accept: Returns the value to use; nil if this is not one that Swatchcam has written there.
    /// - Returns: Nil if there is no such file, or it is not used.
    func read<Value: Decodable>(
        _ name: String, maxSize: Int, log: Logger, accept: (Value) -> Value?
    ) -> Value? {
        guard let path = folder.map({ Self.path(of: name, in: $0) }) else { return nil }
        do {
            guard let data = try RegularFile.content(of: path, maxSize: maxSize) else { return nil }
            if JSONLimits.allows(data, maxValues: maxSize),
                let value = (try? JSONDecoder().decode(Value.self, from: data)).flatMap(accept)
            {
                return value
            }
            log.warning("\(path.sanitized()) is not used, because Swatchcam did not write it.")
        } catch {
            log.warning("\(path.sanitized()) is not used: \(error.reason).")
        }
        return nil
    }

    static func path(of name: String, in folder: StateFolder) -> String { folder.path + "/" + name }

    /// Changes the folder, once the changes before are done, then adopts the change, also if that failed. It waits for the
    /// disk.
    func write(
        adopting change: @escaping @Sendable () -> Void = {}, _ write: @escaping @Sendable (StateFolder) throws -> Void
    ) async {
        let task = lastChange.withLock { last in
            let next = Task { [last] in
                await last?.value
                await BlockingThread.run(named: self.noun) {
                    var reason: String?
                    do {
                        if let folder = self.folder { try write(folder) }
                    } catch {
                        reason = error.reason
                    }
                    self.lastFailure.withLock { $0 = reason }
                    change()
                }
            }
            last = next
            return next
        }
        await task.value
    }
}
