import Foundation

/// How long chance has, and where it begins.
struct Box {
    static let seconds = environment["SWATCHCAM_FUZZ_SECONDS"].flatMap(Double.init)
    private static let environment = ProcessInfo.processInfo.environment

    let seed: UInt64
    /// Keeps the input that is being tried.
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
