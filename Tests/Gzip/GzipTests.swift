import Foundation
import Testing

@testable import Gzip

@Suite("Gzip")
struct GzipTests {
    /// Decompresses data with gzip(1).
    private func decompressed(_ data: Data) throws -> Data {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/bin/gzip")
        process.arguments = ["-dc"]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        // Less than what a pipe holds, so that neither side waits for the other.
        try input.fileHandleForWriting.write(contentsOf: data)
        try input.fileHandleForWriting.close()
        let result = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return result
    }

    @Test("gzip(1) restores the compressed data", arguments: [100, 65_536, 1_000_000])
    func roundTrip(count: Int) throws {
        let text = Data(String(repeating: "swatchcam ", count: count / 10 + 1).utf8.prefix(count))
        let compressed = try #require(Gzip.compress(text))
        #expect(compressed.count < count)
        #expect(try decompressed(compressed) == text)
    }

    @Test("data that would not get smaller is not compressed")
    func incompressible() {
        #expect(Gzip.compress(Data()) == nil)
        #expect(Gzip.compress(Data([1])) == nil)
        #expect(Gzip.compress(Data("abcdefghijklmnop".utf8)) == nil)
        var generator = SystemRandomNumberGenerator()
        #expect(Gzip.compress(Data((0..<10_000).map { _ in UInt8.random(in: 0...255, using: &generator) })) == nil)
    }

    @Test("a slice of data is compressed from its own start")
    func slice() throws {
        let text = Data(String(repeating: "a", count: 1_000).utf8) + Data(String(repeating: "b", count: 1_000).utf8)
        let compressed = try #require(Gzip.compress(text[1_000...]))
        #expect(try decompressed(compressed) == Data(String(repeating: "b", count: 1_000).utf8))
    }

    @Test("the same data always gives the same bytes")
    func reproducible() {
        let text = Data(String(repeating: "swatchcam ", count: 100).utf8)
        #expect(Gzip.compress(text) == Gzip.compress(text))
    }
}
