import Foundation
import Testing

/// Tests with the corpus of `make fuzz` and some thousands of similar inputs.
@Suite("Fuzzing", .timeLimit(.minutes(5)))
struct FuzzTests {
    static let names = FuzzTargets.all.map { $0.name }
    /// The corpus in the sources, because findings are added to it.
    static let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    private static func files(_ name: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: corpus.appending(path: name), includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }
    }

    @Test("every input of the corpus is handled as its target requires", arguments: names)
    func corpus(name: String) async throws {
        let target = try #require(FuzzTargets.named(name))
        for file in try Self.files(name) {
            let bytes = [UInt8](try Data(contentsOf: file))
            await #expect(throws: Never.self, "\(file.path)") { try await target.run(bytes) }
        }
    }

    @Test("mutated seeds are handled as their target requires", arguments: names)
    func mutations(name: String) async throws {
        let target = try #require(FuzzTargets.named(name))
        let seeds = target.seeds.sorted { $0.key < $1.key }.map(\.value)
        var generator = Mutations(seed: 20_261_121)
        for index in 0..<200 {
            let bytes = generator.mutated(seeds[index % seeds.count])
            await #expect(throws: Never.self, "\(Data(bytes).base64EncodedString())") { try await target.run(bytes) }
        }
    }

    /// Runs a target for some seconds with a random seed or SWATCHCAM_FUZZ_SEED, for `make fuzz`.
    ///
    /// If an input ends the process, it is in the file that is printed first. Every other finding is reported with its
    /// bytes.
    @Test(
        "random inputs are handled as their target requires",
        .enabled(if: FuzzRun.seconds != nil, "takes long; run make fuzz"), .timeLimit(.minutes(30)), arguments: names)
    func chance(name: String) async throws {
        let target = try #require(FuzzTargets.named(name))
        let run = try #require(FuzzRun(name))
        var pool = try Self.files(name).map { [UInt8](try Data(contentsOf: $0)) }
        print("fuzz \(name): SWATCHCAM_FUZZ_SEED=\(run.seed), last input in \(run.file.path)")
        var generator = Mutations(seed: run.seed)
        var count = 0
        while run.isOpen {
            let bytes = generator.mutated(pool[Int.random(in: pool.indices, using: &generator)])
            try Data(bytes).write(to: run.file)
            do throws(Finding) {
                try await target.run(bytes)
            } catch {
                Issue.record("\(name): \(error.sentence), of \(Data(bytes).base64EncodedString())")
                return
            }
            // Mutations of mutations go further than those of a file.
            if count % 16 == 0 { pool[Int.random(in: pool.indices, using: &generator)] = bytes }
            count += 1
        }
        print("fuzz \(name): \(count) inputs")
    }

    /// Checks the seeds' files, which `SWATCHCAM_WRITE_CORPUS=1 swift test --filter FuzzTests` writes.
    @Test("the corpus contains the seeds of every target, byte for byte", arguments: names)
    func seeds(name: String) throws {
        let target = try #require(FuzzTargets.named(name))
        let folder = Self.corpus.appending(path: name)
        let isWriting = ProcessInfo.processInfo.environment["SWATCHCAM_WRITE_CORPUS"] != nil
        if isWriting { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        for (seed, bytes) in target.seeds {
            let file = folder.appending(path: "seed-\(seed)")
            if isWriting { try Data(bytes).write(to: file) }
            #expect((try? Data(contentsOf: file)) == Data(bytes), "\(file.path)")
        }
    }
}
