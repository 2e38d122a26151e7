import FoundationEssentials
package import Handoff
package import Logging
package import Readings
import Synchronization

/// The samples that clients have taken, kept from one run to the next.
///
/// If they cannot be stored they are kept in memory, and ``problem`` says why.
package final class SampleStore: Sendable {
    /// The maximum size of the file, in bytes. A thousand samples of a usual camera take two million.
    private static let maxSize = 16 << 20

    private let file: StoredFile<SampleList>
    private let revisions: Latest<Revisions>
    private let samplesInUse: Mutex<SampleList>

    /// Reads the samples of earlier runs. It blocks the thread.
    /// - Parameter folder: The folder of the file; nil to forget the samples at exit.
    package init(folder: StateFolder?, revisions: Latest<Revisions> = Latest(Revisions()), log: Logger) {
        file = StoredFile("samples.json", for: "samples", in: folder, maxSize: Self.maxSize, log: log)
        self.revisions = revisions
        samplesInUse = Mutex(file.restored ?? SampleList())
    }

    /// The samples, in the order in which they were taken.
    package var samples: [Sample] { list.samples }

    package var list: SampleList { samplesInUse.withLock(\.self) }

    /// The version of ``samples`` and ``problem``.
    package var version: String { "\(revisions.value.samples) \(problem ?? "")" }

    /// The reason why samples are not stored, in a sentence; nil if they are.
    package var lossReason: String? { file.reason }

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

    /// Deletes a sample, and returns it; nil if there is no such sample.
    package func remove(_ id: Int) async -> Sample? { await change { $0.remove(id) } }

    private func change(_ change: (inout SampleList) -> Sample?) async -> Sample? {
        guard let sample = samplesInUse.withLock({ change(&$0) }) else { return nil }
        revisions.update { $0.samples += 1 }
        await file.save { [self] in list }
        return sample
    }
}
