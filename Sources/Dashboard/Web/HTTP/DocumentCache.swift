import Dispatch
import FlyingFox
import FoundationEssentials
import Gzip
import Synchronization

/// A document that is larger than a reading.
struct Document: Sendable {
    /// The address, with everything that distinguishes this document from others.
    var key: String
    /// The version of the content. Documents of one key and one version are the same.
    var version: String
    var type = "application/json"
    var headers: [HTTPHeader: String] = [.cacheControl: "no-store"]
    /// Whether it may be compressed. A document with secrets must not be: its length could reveal them beside text
    /// that a client chooses.
    var isCompressible = false
    var make: @Sendable () throws -> Data
}

/// The documents that are being made, and those that were made last.
///
/// Each version is made once, however many clients request it, and responses share its bytes. One thread makes all of
/// them, so that neither readings nor small responses wait. Documents for clients with full access come first, and those
/// for all others may take half of the thread's time.
final class DocumentCache: Sendable {
    /// The maximum length of all documents that are kept, in bytes, and their maximum number.
    static let (maxSize, maxCount) = (4 << 20, 16)

    private struct Entry {
        var version: String
        var task: Task<Data, any Error>
        /// The length in bytes; nil while the document is being made.
        var size: Int?
        /// The length of the version before; nil if there was none.
        var lastSize: Int?
        var lastUse: UInt64
    }

    private struct Job {
        /// Its key and its version; empty for other work.
        var document: [String]
        var isUrgent: Bool
        var run: @Sendable () -> Void
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var uses: UInt64 = 0
        var jobs: [Job] = []
        /// The time from which documents that are not urgent may be made.
        var restEnd = DispatchTime(uptimeNanoseconds: 0)
    }

    private let thread = DispatchQueue(label: "documents")
    private let state = Mutex(State())

    var waitingCount: Int { state.withLock { $0.jobs.count } }
    var urgentCount: Int { state.withLock { $0.jobs.count(where: \.isUrgent) } }

    /// Returns the length of a document in bytes; nil if this version has not been made, or is not kept.
    func size(of document: Document, isGzipped: Bool) -> Int? {
        state.withLock { $0.entries[Self.key(of: document, isGzipped)] }
            .flatMap { $0.version == document.version ? $0.size : nil }
    }

    /// Returns the length in bytes of the version of a document that was made last; nil if none is kept.
    func lastSize(of key: String) -> Int? {
        state.withLock { state in
            ["", Self.gzip].compactMap { state.entries[key + $0].flatMap { $0.size ?? $0.lastSize } }.max()
        }
    }

    /// Returns the content of a document, or throws the error of its `make`. Urgent documents come first.
    func content(of document: Document, isGzipped: Bool = false, isUrgent: Bool) async throws -> Data {
        let key = Self.key(of: document, isGzipped)
        let task = state.withLock { state in
            state.uses += 1
            if var entry = state.entries[key], entry.version == document.version {
                entry.lastUse = state.uses
                state.entries[key] = entry
                if isUrgent { hurry([key, document.version], &state) }
                return entry.task
            }
            let task = Task {
                try await perform([key, document.version], isUrgent: isUrgent) {
                    let content = try document.make()
                    return isGzipped ? Gzip.compress(content) ?? content : content
                }
            }
            let before = state.entries[key]
            state.entries[key] = Entry(
                version: document.version, task: task, lastSize: before?.size ?? before?.lastSize,
                lastUse: state.uses)
            return task
        }
        let result = await task.result
        state.withLock { Self.keep(result, for: key, document.version, &$0) }
        return try result.get()
    }

    /// Runs work on the thread of the documents, one piece after another, as reading a file from a client. Urgent work
    /// comes first.
    func perform<Value: Sendable>(
        _ document: [String] = [], isUrgent: Bool, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(document: document, isUrgent: isUrgent) { continuation.resume(with: Result { try work() }) }
            state.withLock { $0.jobs.append(job) }
            thread.async { self.runJob() }
        }
    }

    private static let gzip = "\ngzip"

    private static func key(of document: Document, _ isGzipped: Bool) -> String {
        document.key + (isGzipped ? gzip : "")
    }

    /// Keeps a document that was made, and drops those that were not requested for the longest time.
    private static func keep(
        _ result: Result<Data, any Error>, for key: String, _ version: String, _ state: inout State
    ) {
        guard let entry = state.entries[key], entry.version == version, entry.size == nil else { return }
        guard let size = try? result.get().count, size <= maxSize else {
            state.entries[key] = nil
            return
        }
        state.entries[key]?.size = size
        while true {
            let made = state.entries.filter { $0.value.size != nil }
            guard made.count > maxCount || made.values.reduce(0, { $0 + ($1.size ?? 0) }) > maxSize,
                let oldest = made.min(by: { $0.value.lastUse < $1.value.lastUse })
            else { return }
            state.entries[oldest.key] = nil
        }
    }

    // MARK: The thread

    /// Makes a document urgent if it still waits for the thread.
    private func hurry(_ document: [String], _ state: inout State) {
        guard let index = state.jobs.firstIndex(where: { $0.document == document && !$0.isUrgent }) else { return }
        state.jobs[index].isUrgent = true
        thread.async { self.runJob() }
    }

    /// Runs a job, or waits until one may run.
    private func runJob() {
        let now = DispatchTime.now()
        let (job, restEnd) = state.withLock { state -> (Job?, DispatchTime?) in
            guard let index = state.jobs.firstIndex(where: { $0.isUrgent || state.restEnd <= now }) else {
                return (nil, state.jobs.isEmpty ? nil : state.restEnd)
            }
            return (state.jobs.remove(at: state.jobs.firstIndex(where: \.isUrgent) ?? index), nil)
        }
        guard let job else {
            if let restEnd { thread.asyncAfter(deadline: restEnd) { self.runJob() } }
            return
        }
        job.run()
        guard !job.isUrgent else { return }
        let end = DispatchTime.now()
        state.withLock { $0.restEnd = end + .nanoseconds(Int(end.uptimeNanoseconds - now.uptimeNanoseconds)) }
    }
}
