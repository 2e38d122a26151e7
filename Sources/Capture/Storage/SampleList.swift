package import Readings

/// The samples that are kept, in the order in which they were taken.
package struct SampleList: Equatable, Sendable {
    /// The maximum number of samples. People take samples deliberately, so none is dropped to make room for another.
    package static let capacity = 1_000

    /// The samples, with ascending numbers.
    package private(set) var samples: [Sample] = []
    /// The number of the next sample.
    private var next = 1

    init() {}

    /// Whether no sample can be added: there are ``capacity`` samples, or no number is left.
    package var isFull: Bool { samples.count >= Self.capacity || next > Sample.maxID }

    /// Adds a sample.
    /// - Parameter make: Makes the sample with its number.
    /// - Returns: The sample; nil if the list is full or none is made.
    mutating func add(_ make: (_ id: Int) -> Sample?) -> Sample? {
        guard !isFull, let sample = make(next) else { return nil }
        next += 1
        samples.append(sample)
        return sample
    }

    /// Changes a sample, and returns the changed one; nil if there is no such sample.
    mutating func change(_ id: Int, _ change: (inout Sample) -> Void) -> Sample? {
        guard let index = samples.firstIndex(where: { $0.id == id }) else { return nil }
        change(&samples[index])
        return samples[index]
    }

    /// Removes a sample, and returns it; nil if there is no such sample.
    mutating func remove(_ id: Int) -> Sample? {
        samples.firstIndex { $0.id == id }.map { samples.remove(at: $0) }
    }
}

extension SampleList: Codable {
    private enum CodingKeys: String, CodingKey { case next, samples }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(next, forKey: .next)
        try container.encode(samples, forKey: .samples)
    }

    /// - Throws: A `DecodingError` if it is not a list that this version writes.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        next = try container.decode(Int.self, forKey: .next)
        samples = try container.decode([Sample].self, forKey: .samples)
        let ids = samples.map(\.id)
        guard samples.count <= Self.capacity, 1...Sample.maxID + 1 ~= next,
            zip(ids, ids.dropFirst() + [next]).allSatisfy({ $0 < $1 })
        else {
            throw DecodingError.dataCorruptedError(forKey: .samples, in: container, debugDescription: "out of range")
        }
    }
}
