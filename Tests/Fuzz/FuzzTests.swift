import Foundation
import Testing

/// Tests with the corpus of `make fuzz` and some thousands of similar inputs.
@Suite("Fuzzing", .timeLimit(.minutes(5)))
struct FuzzTests {
    static let names = FuzzDrivers.all.map { $0.name }
    /// The corpus in the sources, because findings are added to it.
    static let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    private static func files(_ name: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: corpus.appending(path: name), includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }
    }

    @Test("every input of the corpus is handled as its driver requires", arguments: names)
    func corpus(name: String) async throws {
        let driver = try #require(FuzzDrivers.named(name))
        for file in try Self.files(name) {
            let bytes = [UInt8](try Data(contentsOf: file))
            await #expect(throws: Never.self, "\(file.path)") { try await driver.run(bytes) }
        }
    }

    @Test("mutated seeds are handled as their driver requires", arguments: names)
    func mutations(name: String) async throws {
        let driver = try #require(FuzzDrivers.named(name))
        let seeds = driver.seeds.sorted { $0.key < $1.key }.map(\.value)
        var generator = Mutations(seed: 20_261_121)
        for index in 0..<200 {
            let bytes = generator.mutated(seeds[index % seeds.count])
            await #expect(throws: Never.self, "\(Data(bytes).base64EncodedString())") { try await driver.run(bytes) }
        }
    }

    /// Runs a driver for some seconds with a random seed or SWATCHCAM_FUZZ_SEED, for `make fuzz`.
    ///
    /// If an input ends the process, it is in the file that is printed first. Every other finding is reported with its
    /// bytes.
    @Test(
        "random inputs are handled as their driver requires",
        .enabled(if: Box.seconds != nil, "takes long; run make fuzz"), .timeLimit(.minutes(30)), arguments: names)
    func chance(name: String) async throws {
        let driver = try #require(FuzzDrivers.named(name))
        let box = try #require(Box(name))
        var pool = try Self.files(name).map { [UInt8](try Data(contentsOf: $0)) }
        print("fuzz \(name): SWATCHCAM_FUZZ_SEED=\(box.seed), last input in \(box.file.path)")
        var generator = Mutations(seed: box.seed)
        var count = 0
        while box.isOpen {
            let bytes = generator.mutated(pool[Int.random(in: pool.indices, using: &generator)])
            try Data(bytes).write(to: box.file)
            do throws(Finding) {
                try await driver.run(bytes)
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
    @Test("the corpus contains the seeds of every driver", arguments: names)
    func seeds(name: String) throws {
        let driver = try #require(FuzzDrivers.named(name))
        let folder = Self.corpus.appending(path: name)
        let isWriting = ProcessInfo.processInfo.environment["SWATCHCAM_WRITE_CORPUS"] != nil
        if isWriting { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        for (seed, bytes) in driver.seeds {
            let file = folder.appending(path: "seed-\(seed)")
            if isWriting { try Data(bytes).write(to: file) }
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
    }
}
