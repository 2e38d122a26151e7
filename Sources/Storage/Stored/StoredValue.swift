import FoundationEssentials
package import Handoff
package import Logging

/// A value that clients set, such as the light of the reference, kept in a file from one run to the next.
package final class StoredValue<Value: Codable & Equatable & Sendable>: Sendable {
    /// The value; nil until it has been set.
    package let latest: Latest<Value?>

    private let file: StoredFile<Value>

    /// Reads the value of an earlier run. It blocks the thread.
    /// - Parameters:
    ///   - name: The name of the file without its ending, and of the value in messages.
    ///   - folder: The folder of the file; nil to forget the value at exit.
    ///   - accept: Returns the value to use, with printable texts; nil if this is not one that Swatchcam has written.
    package init(
        _ name: String, in folder: StateFolder? = nil, log: Logger,
        accept: (Value) -> Value? = { $0 }
    ) {
        file = StoredFile("\(name).json", for: "the \(name)", in: folder, log: RateLimitedLogger(log), accept: accept)
        latest = Latest(file.restored)
    }

    /// Takes the value of an earlier run, or makes one. If another program has claimed the folder, its value is not
    /// used.
    /// - Parameters:
    ///   - accept: Returns the value to use; nil if this is not one that Swatchcam has written.
    package init(
        _ name: String, in folder: StateFolder?, log: Logger, accept: (Value) -> Value?, orMake make: () -> Value
    ) {
        file = StoredFile("\(name).json", for: "the \(name)", in: folder, log: RateLimitedLogger(log), accept: accept)
        latest = Latest(file.reason == nil ? file.restored ?? make() : make())
    }

    /// Takes the value of an earlier run, which another program may still keep, and forgets changes at exit.
    package init(reading name: String, in folder: StateFolder, log: Logger) {
        file = StoredFile("\(name).json", for: "the \(name)", in: nil, log: RateLimitedLogger(log))
        latest = Latest(StoredFile.value(of: "\(name).json", in: folder))
    }

    /// Whether changes are kept.
    package var isKept: Bool { file.isKept }

    /// A sentence about a change that will be lost when the program ends; nil if there is none.
    package var problem: String? { file.problem }

    /// Keeps every change, until the task is cancelled.
    package func run() async {
        let updates = latest.updates()
        // It may have been set before this began.
        await save()
        for await _ in updates { await save() }
        // The last change may have come just before the end.
        await save()
    }

    /// Writes the present value to its file, unless the file has it. It waits for the disk.
    package func save() async { await file.save { [latest] in latest.value } }
}
