import Documents
import Files
import FoundationEssentials
import Handoff
import Synchronization
import Untrusted

/// A file of the state folder that keeps a value from one run to the next.
///
/// It is read when this object is made, before anything is served. Anything that this version has not written is put
/// aside under another name, and never overwritten. Writes follow one another. A write that waits takes the newest
/// value when its turn comes, so that all callers that wait share it.
final class StoredFile<Value: Decodable & Equatable & Sendable>: Sendable {
    private struct Document: Decodable {
        var version: Int
        var value: Value
    }

    private struct State {
        /// What the file holds: `.some(nil)` if there is no file; nil if its content is not known, because a write has
        /// failed.
        var stored: Value??
        /// Whether the file, if there is one, has been read or written by this program.
        var isKnown: Bool
        /// The reason why nothing is written in this run, in a sentence.
        var blockedReason: String?
        /// The reason why the newest value is not in the file, in a sentence; nil if it is.
        var failure: String?
        /// The write that was requested last.
        var lastWrite: Task<Void, Never>?
        /// Whether ``lastWrite`` has yet to take the value.
        var isWriteDue = false
        var lastBegin = MonotonicTime(nanoseconds: 0)
    }

    /// A value that is to be written.
    private struct Change: Sendable {
        var value: Value?
        var isKnown: Bool
        var blockedReason: String?
    }

    /// The value of an earlier run; nil if there is none.
    let restored: Value?
    private let name: String
    /// What the file holds: the beginning of a sentence, and the name of the thread that writes it.
    private let noun: String
    private let folder: StateFolder?
    /// Returns a value in JSON.
    private let encode: @Sendable (Value) -> Data
    private let maxSize: Int
    /// The maximum number of scalars in a text of the file.
    private let maxTextLength: Int
    /// The shortest time from the beginning of one write to that of the next, in seconds.
    private let interval: Double
    private let clocks: Clocks
    private let log: RateLimitedLogger
    private let state: Mutex<State>

    /// Reads the value of an earlier run. It blocks the thread.
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - folder: The folder of the file; nil to forget the value at exit.
    ///   - maxSize: The maximum size of the file, in bytes.
    ///   - maxTextLength: The maximum number of scalars in a text of the file.
    ///   - isNew: Whether there is no such file, so that none is read.
    ///   - accept: Returns the value to use; nil if this is not one that Swatchcam has written there.
    ///   - encode: Returns a value in JSON.
    init(
        _ name: String, for noun: String, in folder: StateFolder?, maxSize: Int = 1 << 18,
        maxTextLength: Int = JSONLimits.maxStringLength, isNew: Bool = false, interval: Double = 0,
        clocks: Clocks = Clocks(), log: RateLimitedLogger, accept: (Value) -> Value?,
        encode: @escaping @Sendable (Value) -> Data
    ) {
        (self.name, self.noun, self.folder, self.encode) = (name, noun, folder, encode)
        (self.maxSize, self.maxTextLength) = (maxSize, maxTextLength)
        (self.interval, self.clocks, self.log) = (interval, clocks, log)
        let found =
            isNew
            ? nil
            : folder?.read(name, maxSize: maxSize) { data in
                Self.value(of: data, maxTextLength, encode).flatMap(accept)
            }
        restored = found?.value
        state = Mutex(
            State(
                stored: .some(found?.value), isKnown: found?.isKnown ?? false, blockedReason: found?.blockedReason))
    }

    /// Returns the value in a file; nil if this version has not written it, or would lose a part of it.
    fileprivate static func value(of data: Data, _ maxTextLength: Int, _ encode: (Value) -> Data) -> Value? {
        guard JSONLimits.allows(data, maxValues: data.count, maxStringLength: maxTextLength),
            let document = try? JSONDecoder().decode(Document.self, from: data), document.version == 1
        else { return nil }
        let rewritten = text(of: encode(document.value))
        return rewritten == data || StoredContent.isAll(of: data, in: rewritten) ? document.value : nil
    }

    private static func text(of value: Data) -> Data {
        Data(#"{"value":"#.utf8) + value + Data(#","version":1}"#.utf8)
    }

    var isKept: Bool { folder != nil }

    /// The reason why values are not kept, in a sentence; nil if they are, as far as it is known.
    var reason: String? { state.withLock { $0.failure ?? $0.blockedReason } }

    /// A sentence about a value that will be lost when the program ends; nil if there is none.
    var problem: String? { state.withLock(\.failure).map(warning) }

    private func warning(_ reason: String) -> String {
        "\(noun.prefix(1).uppercased() + noun.dropFirst()) will not be remembered for the next start: \(reason)"
    }

    /// Writes the newest value, unless the file holds it; without a value, there is no file. It waits for the disk.
    /// - Parameter newest: Returns the newest value. A caller that joins a write that waits must have the same.
    /// - Returns: The ``problem``.
    @discardableResult
    func save(_ newest: @escaping @Sendable () -> Value?) async -> String? {
        guard folder != nil else { return nil }
        let write = state.withLock { state in
            if state.isWriteDue, let next = state.lastWrite { return next }
            let next = Task { [lastWrite = state.lastWrite] in
                await lastWrite?.value
                let wait = self.state.withLock { $0.lastBegin + self.interval } - self.clocks.now()
                if wait > 0 { try? await self.clocks.sleep(.seconds(wait)) }
                guard let change = self.begin(newest) else { return }
                await BlockingThread.run(named: self.noun) { self.write(change) }
            }
            (state.lastWrite, state.isWriteDue) = (next, true)
            return next
        }
        await write.value
        return problem
    }

    /// Takes the newest value for the write whose turn has come; nil if the file has it.
    private func begin(_ newest: () -> Value?) -> Change? {
        // First, so that a caller who changes the value from now on has it written once more.
        state.withLock { $0.isWriteDue = false }
        let value = newest()
        let change = state.withLock { state -> Change? in
            // Somebody may have deleted the file.
            if let stored = state.stored, stored == value, value == nil || folder?.has(name) != false {
                state.failure = nil
                return nil
            }
            state.lastBegin = clocks.now()
            return Change(value: value, isKnown: state.isKnown, blockedReason: state.blockedReason)
        }
        if change == nil { log.report(nil) }
        return change
    }

    private func write(_ change: Change) {
        guard let folder else { return }
        var failure = change.blockedReason
        if failure == nil {
            do {
                let data = change.value.map { Self.text(of: encode($0)) }
                if let data, data.count > maxSize { throw StateOverflow(path: folder.path(of: name), maxSize: maxSize) }
                try folder.replace(name, with: data, isKnown: change.isKnown)
            } catch {
                failure = folder.sentence(ofWriting: error)
            }
        }
        state.withLock { state in
            state.failure = failure
            if change.blockedReason == nil { state.stored = failure == nil ? .some(change.value) : nil }
            if failure == nil { state.isKnown = true }
        }
        log.report(failure.map(warning))
    }
}

/// The structure of a file's content: the names in its tables and the lengths of its lists.
private enum StoredContent: Decodable {
    case list([StoredContent])
    case table([String: StoredContent])
    case other

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let table = try? container.decode([String: StoredContent].self) {
            self = .table(table)
        } else if let list = try? container.decode([StoredContent].self) {
            self = .list(list)
        } else {
            self = .other
        }
    }

    /// Returns whether a JSON text has a place for everything in another one.
    static func isAll(of old: Data, in new: Data) -> Bool {
        let decoder = JSONDecoder()
        guard let old = try? decoder.decode(Self.self, from: old), let new = try? decoder.decode(Self.self, from: new)
        else { return false }
        return new.holds(old)
    }

    private func holds(_ old: StoredContent) -> Bool {
        switch (self, old) {
        case (.table(let new), .table(let old)): old.allSatisfy { new[$0]?.holds($1) ?? false }
        case (.list(let new), .list(let old)): new.count == old.count && zip(new, old).allSatisfy { $0.holds($1) }
        case (_, .other): true
        default: false
        }
    }
}

/// The error if a file would be longer than what a later run reads of it. The file is left as it is.
struct StateOverflow: Error, Equatable, CustomStringConvertible {
    var path: String
    /// The maximum size of the file, in bytes.
    var maxSize: Int

    var description: String { "\(path.sanitized()) would be longer than \(maxSize) bytes." }
}

extension StoredFile where Value: Encodable {
    /// Reads the value of an earlier run, which is written as its `encode(to:)` writes it. It blocks the thread.
    convenience init(
        _ name: String, for noun: String, in folder: StateFolder?, maxSize: Int = 1 << 18,
        maxTextLength: Int = JSONLimits.maxStringLength, interval: Double = 0, clocks: Clocks = Clocks(),
        log: RateLimitedLogger, accept: (Value) -> Value? = { $0 }
    ) {
        self.init(
            name, for: noun, in: folder, maxSize: maxSize, maxTextLength: maxTextLength, interval: interval,
            clocks: clocks, log: log, accept: accept, encode: { JSONText.data(of: $0) })
    }

    /// Reads the value of a file that another program may write to; nil if there is none.
    static func value(of name: String, in folder: StateFolder) -> Value? {
        (try? folder.content(of: name, 1 << 18)).flatMap {
            value(of: $0, JSONLimits.maxStringLength) { JSONText.data(of: $0) }
        }
    }
}
