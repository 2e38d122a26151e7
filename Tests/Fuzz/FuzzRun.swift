import Foundation

/// The time limit and the seed of a run with random inputs.
struct FuzzRun {
    static let seconds = environment["SWATCHCAM_FUZZ_SECONDS"].flatMap(Double.init)
    private static let environment = ProcessInfo.processInfo.environment

    let seed: UInt64
    /// The file that keeps the input being tried.
    let file: URL
    private let end: ContinuousClock.Instant

    init?(_ name: String) {
        guard let seconds = Self.seconds else { return nil }
        seed = Self.environment["SWATCHCAM_FUZZ_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64(UInt32.max))
        file = URL(filePath: NSTemporaryDirectory()).appending(path: "swatchcam-fuzz-\(name)")
        end = .now + .seconds(seconds)
    }

    var isOpen: Bool { .now < end }
}
