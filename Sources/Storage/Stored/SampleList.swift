import Documents
package import FoundationEssentials
package import Readings

/// A sample as its JSON text, which is what is stored and listed. With many probes, it takes a fraction of the memory.
package struct EncodedSample: Equatable, Sendable {
    package let id: Int
    package let json: Data

    package init(_ sample: Sample) { (id, json) = (sample.id, JSONWriter.data(sample)) }

    /// The sample; nil if it has a number that is not finite.
    package var sample: Sample? { try? JSONDecoder().decode(Sample.self, from: json) }
}

extension EncodedSample: Decodable {
    package init(from decoder: any Decoder) throws { self.init(try Sample(from: decoder)) }
}

/// The samples that are kept, in the order in which they were taken.
package struct SampleList: Sendable {
    /// The maximum number of samples. People take samples deliberately, so none is dropped to make room for another.
    package static let capacity = 1_000
    /// The size from which no sample is added, in bytes. A thousand samples with 96 probes of long names have less.
    static let maxSize = 40 << 20

    /// Both limits, for a message.
    package static let limit = "\(capacity) samples or \(maxSize >> 20) MiB"

    /// The samples, with ascending numbers.
    package private(set) var samples: [EncodedSample] = []
    /// The highest number that a sample had.
    private(set) var lastID = 0
    /// The length of all samples, in bytes.
    private var size = 0

    /// - Parameters:
    ///   - samples: The samples of earlier runs, with ascending numbers.
    ///   - lastID: The highest number that a sample had.
    init(_ samples: [EncodedSample] = [], lastID: Int = 0) {
        self.samples = samples
        self.lastID = max(lastID, samples.last?.id ?? 0)
        size = samples.reduce(0) { $0 + $1.json.count }
    }

    /// Whether no sample can be added: there are ``capacity`` samples, or no room or no number is left.
    package var isFull: Bool { samples.count >= Self.capacity || size >= Self.maxSize || lastID >= Sample.maxID }

    /// The samples, each of which is decoded when its turn comes.
    package var decoded: some Sequence<Sample> { samples.lazy.compactMap(\.sample) }

    package func sample(_ id: Int) -> EncodedSample? { index(of: id).map { samples[$0] } }

    private func index(of id: Int) -> Int? { samples.firstIndex { $0.id == id } }

    /// Adds a sample.
    /// - Parameter make: Makes the sample with its number.
    /// - Returns: The sample; nil if the list is full or none is made.
    mutating func add(_ make: (_ id: Int) -> Sample?) -> Sample? {
        guard !isFull, let sample = make(lastID + 1) else { return nil }
        let encoded = EncodedSample(sample)
        lastID = sample.id
        samples.append(encoded)
        size += encoded.json.count
        return sample
    }

    /// Changes a sample, and returns the changed one; nil if there is no such sample.
    mutating func change(_ id: Int, _ change: (inout Sample) -> Void) -> Sample? {
        guard let index = index(of: id), var sample = samples[index].sample else { return nil }
        change(&sample)
        let encoded = EncodedSample(sample)
        size += encoded.json.count - samples[index].json.count
        samples[index] = encoded
        return sample
    }

    /// Removes a sample, and returns it; nil if there is no such sample.
    mutating func remove(_ id: Int) -> Sample? {
        guard let index = index(of: id) else { return nil }
        let removed = samples.remove(at: index)
        size -= removed.json.count
        return removed.sample
    }
}
