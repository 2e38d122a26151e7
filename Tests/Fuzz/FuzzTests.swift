import Foundation
import Testing

/// What `make fuzz` has found or begins with, and some thousands of inputs like it.
@Suite("Whatever it is given,", .timeLimit(.minutes(5)))
struct FuzzTests {
    static let names = FuzzDrivers.all.map { $0.name }
    /// In the sources, for `make fuzz` adds to it.
    static let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    private static func files(_ name: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: corpus.appending(path: name), includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }
    }

    @Test("a driver stands the whole corpus", arguments: names)
    func corpus(name: String) async throws {
        let driver = try #require(FuzzDrivers.named(name))
        for file in try Self.files(name) {
            let bytes = [UInt8](try Data(contentsOf: file))
            await #expect(throws: Never.self, "\(file.path)") { try await driver.run(bytes) }
        }
    }

    @Test("a driver stands what is like its seeds", arguments: names)
    func mutations(name: String) async throws {
        let driver = try #require(FuzzDrivers.named(name))
        let seeds = driver.seeds.sorted { $0.key < $1.key }.map(\.value)
        var generator = Mutations(seed: 20_261_121)
        for index in 0..<200 {
            let bytes = generator.mutated(seeds[index % seeds.count])
            await #expect(throws: Never.self, "\(Data(bytes).base64EncodedString())") { try await driver.run(bytes) }
        }
    }

    /// `make fuzz`: for some seconds a driver, from where chance or SWATCHCAM_FUZZ_SEED has it begin.
    ///
    /// What ends the process is in the file that is named first; what is told is told with its bytes.
    @Test(
        "a driver stands whatever comes",
        .enabled(if: Box.seconds != nil, "takes time: make fuzz"), .timeLimit(.minutes(30)), arguments: names)
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
            // A mutation of a mutation goes further than one of a file.
            if count % 16 == 0 { pool[Int.random(in: pool.indices, using: &generator)] = bytes }
            count += 1
        }
        print("fuzz \(name): \(count) inputs")
    }

    /// `SWATCHCAM_WRITE_CORPUS=1 swift test --filter FuzzTests` writes them.
    @Test("a driver's seeds are in its corpus", arguments: names)
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
