import Documents
import FoundationEssentials
package import Handoff
package import Logging
package import Readings
import Synchronization

/// The samples that clients have taken, each in a file of its own, kept from one run to the next.
///
/// One that cannot be stored is kept in memory, and ``problem`` says why. The next change that can be stored stores it,
/// too.
package final class SampleStore: Sendable {
    /// What is known of samples that no longer exist.
    private struct Numbers: Codable, Equatable, Sendable {
        /// The highest number that a deleted sample had.
        var last: Int
    }

    private struct State {
        var list: SampleList
        var files: [Int: StoredFile<EncodedSample>]
        /// The numbers of the samples whose files are not as they should be.
        var unsaved: Set<Int> = []
    }

    private static let noun = "samples"
    private static let (prefix, suffix) = ("sample-", ".json")

    private let folder: StateFolder?
    private let log: RateLimitedLogger
    private let numbers: StoredFile<Numbers>
    private let revisions: Latest<Revisions>
    private let state: Mutex<State>

    /// Reads the samples of earlier runs. It blocks the thread.
    /// - Parameter folder: The folder of the files; nil to forget the samples at exit.
    package init(folder: StateFolder?, revisions: Latest<Revisions> = Latest(Revisions()), log: Logger) {
        let log = RateLimitedLogger(log)
        (self.folder, self.log, self.revisions) = (folder, log, revisions)
        numbers = StoredFile("samples.json", for: Self.noun, in: folder, log: log) {
            0...Sample.maxID ~= $0.last ? $0 : nil
        }
        let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path) } ?? []
        let ids = names.compactMap(Self.number).sorted()
        let found = ids.prefix(SampleList.capacity).map { ($0, Self.file($0, in: folder, log)) }
        state = Mutex(
            State(
                list: SampleList(
                    found.compactMap { $1.restored }, lastID: max(numbers.restored?.last ?? 0, ids.last ?? 0)),
                files: Dictionary(found) { first, _ in first }))
    }

    private static func file(
        _ id: Int, in folder: StateFolder?, isNew: Bool = false, _ log: RateLimitedLogger
    ) -> StoredFile<EncodedSample> {
        StoredFile(
            "\(prefix)\(id)\(suffix)", for: noun, in: folder, isNew: isNew, log: log,
            accept: { $0.id == id ? $0 : nil }, encode: \.json)
    }

    /// Returns the number of the sample in a file; nil if it is another file.
    private static func number(_ name: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let text = name.dropFirst(prefix.count).dropLast(suffix.count)
        return Int(text).flatMap { 1...Sample.maxID ~= $0 && String($0) == text ? $0 : nil }
    }

    package var list: SampleList { state.withLock(\.list) }

    package func sample(_ id: Int) -> Sample? { list.sample(id)?.sample }

    /// The version of ``list`` and ``problem``.
    package var version: String { "\(revisions.value.samples) \(problem ?? "")" }

    /// The reason why samples are not stored, in a sentence; nil if they are.
    package var lossReason: String? {
        numbers.reason ?? state.withLock { state in state.unsaved.min().flatMap { state.files[$0]?.reason } }
    }

    /// The sentences for the clients of a running program about samples that are not stored; nil if they are.
    package var problem: String? {
        lossReason.map { "Samples will be lost when Swatchcam stops; export them first. \($0.withFullStop)" }
    }

    /// Adds a sample and stores it.
    /// - Parameter make: Makes the sample with its number.
    /// - Returns: The sample; nil if there are too many, or none was made.
    package func add(_ make: (_ id: Int) -> Sample?) async -> Sample? { await change { $0.add(make) } }

    /// Gives a sample another name, and returns it; nil if there is no such sample.
    package func rename(_ id: Int, to name: String) async -> Sample? {
        await change { $0.change(id) { $0.name = name } }
    }

    /// Adds the address of its picture to a sample, and returns it; nil if there is no such sample.
    @discardableResult
    package func setPicture(_ address: String, of id: Int) async -> Sample? {
        await change { $0.change(id) { $0.picture = address } }
    }

    /// Deletes a sample, and returns it; nil if there is no such sample.
    package func remove(_ id: Int) async -> Sample? {
        await change { $0.remove(id) }
    }

    private func change(_ change: (inout SampleList) -> Sample?) async -> Sample? {
        let changed = state.withLock { state -> Sample? in
            let sample = change(&state.list)
            if let id = sample?.id, state.files[id] == nil {
                state.files[id] = Self.file(id, in: folder, isNew: true, log)
            }
            return sample
        }
        guard let changed else { return nil }
        revisions.update { $0.samples += 1 }
        // No later sample gets the number of a deleted one.
        if list.sample(changed.id) == nil { await numbers.save { [self] in Numbers(last: list.lastID) } }
        if await save(changed.id) { await saveOthers() }
        return changed
    }

    /// Saves a sample, or deletes the file of one that was removed. It waits for the disk.
    /// - Returns: Whether the file is as it should be.
    private func save(_ id: Int) async -> Bool {
        guard let file = state.withLock({ $0.files[id] }) else { return true }
        let isSaved = await file.save { [self] in list.sample(id) } == nil
        state.withLock { state in
            if isSaved { state.unsaved.remove(id) } else { state.unsaved.insert(id) }
            if isSaved, state.list.sample(id) == nil { state.files[id] = nil }
        }
        return isSaved
    }

    /// Saves the samples that could not be saved before, until one fails again.
    private func saveOthers() async {
        for id in state.withLock(\.unsaved) where await !save(id) { return }
    }
}
