import Files
import FoundationEssentials
package import Handoff
package import Logging
import Synchronization
import Untrusted

/// A value that clients set, such as the light of the reference, kept in a file from one run to the next.
package final class StoredValue<Value: Codable & Equatable & Sendable>: Sendable {
    /// The value; nil until it has been set.
    package let latest = Latest(Value?.none)

    private let name: String
    private let writer: StateWriter
    /// Makes the texts of a file printable.
    private let sanitize: @Sendable (Value) -> Value
    /// What the file has.
    private let stored = Mutex(Value?.none)
    private let log: Logger

    /// The maximum size of a file, in bytes.
    private static var maxSize: Int { 1 << 18 }

    /// - Parameters:
    ///   - name: The name of the file without its ending, and of the value in messages.
    ///   - folder: The folder of the file; nil to forget the value at exit.
    package init(
        _ name: String, in folder: StateFolder? = nil, log: Logger,
        sanitize: @escaping @Sendable (Value) -> Value = { $0 }
    ) {
        (self.name, self.log, self.sanitize) = (name, log, sanitize)
        writer = StateWriter(folder, for: name)
    }

    /// A sentence about a change that will be lost when the program ends; nil if there is none.
    package var problem: String? { writer.problem }

    /// Reads the value of an earlier run, and then keeps every change, until the task is cancelled.
    package func run() async {
        let updates = latest.updates()
        await restore()
        // It may have been set before this began.
        await save()
        for await _ in updates { await save() }
        // The last change may have come with the end.
        await save()
    }

    /// Writes the present value to its file, unless the file has it. It waits for the disk.
    package func save() async {
        let earlierProblem = problem
        await writer.write { [self] folder in
            let (value, file) = (latest.value, name + ".json")
            guard stored.withLock({ $0 != value }) else { return }
            if let value {
                try StateWriter.replace(file, with: JSONText.data(of: value), in: folder)
            } else {
                try StateWriter.remove(file, in: folder)
            }
            stored.withLock { $0 = value }
        }
        if let problem, problem != earlierProblem { log.warning("\(problem)") }
    }

    private func restore() async {
        await BlockingThread.run(named: name) { [self] in
            guard let found = writer.read(name + ".json", maxSize: Self.maxSize, log: log, accept: sanitize) else {
                return
            }
            stored.withLock { $0 = found }
            // One that has been set meanwhile is newer.
            latest.update { $0 = $0 ?? found }
        }
    }
}
