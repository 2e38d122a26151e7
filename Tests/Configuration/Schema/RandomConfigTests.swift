import Foundation
import TestSupport
import Testing

@testable import Configuration

/// Tests that any text gives a configuration or a list of problems, and never a crash.
@Suite("Random configurations")
struct RandomConfigTests {
    private static let pieces = [
        "[", "]", "[[", "]]", "{", "}", "=", ".", ",", "\"", "'", "\"\"\"", "'''", "#", "\n", "\r\n", "\r", "\\", "\\u",
        "\\U0010FFFF", "\\u0000", "\0", "\u{FEFF}", "é", "\u{202E}", "0x", "0b", "-", "+", "_", "1e999", "-0", "nan",
        "-inf", "9223372036854775808", "1979-05-27", "07:32:00.999999999", "25:61:61", "1979-05-27T07:32:00-99:99",
        "true", "[camera]", "[web]\n", "port = ", "width", "{a.b.c = [{}]}", "=[[[[[[", "\t", " ",
        String(repeating: "9", count: 400), String(repeating: "a.", count: 40),
    ]

    private static func mutated(_ text: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let place = Int.random(in: 0...text.count, using: &generator)
            let end = min(place + Int.random(in: 0...30, using: &generator), text.count)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: text.removeSubrange(place...)
            case 1: text.removeSubrange(place..<end)
            case 2: text.insert(UInt8.random(in: 0...255, using: &generator), at: place)
            case 3 where place < text.count: text[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 4: text.insert(contentsOf: text[place..<end], at: Int.random(in: 0...text.count, using: &generator))
            default: text.insert(contentsOf: (pieces.randomElement(using: &generator) ?? "").utf8, at: place)
            }
        }
        return text
    }

    /// The shipped file without its comments, where most mutations would change nothing.
    private static let seeds: [[UInt8]] = [
        Array(ConfigSchema.document.utf8),
        Array(ConfigSchema.document.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n").utf8),
        Array("camera = { device = \"x\", width = 1 }\nreadings.region = [0, 0,\n 0.5, 1]\n[\"web\"]\nport = 1".utf8),
    ]

    @Test("a mutated file gives a configuration or problems")
    func mutations() throws {
        // Set SWATCHCAM_RANDOM_CONFIGS=300000 for a long run.
        let count = ProcessInfo.processInfo.environment["SWATCHCAM_RANDOM_CONFIGS"].flatMap(Int.init) ?? 2000
        var generator = SeededGenerator(seed: 20_261_120)
        var good = 0
        for index in 0..<count {
            let bytes = Self.mutated(Self.seeds[index % Self.seeds.count], using: &generator)
            let problems = Self.problems(of: bytes)
            good += problems.isEmpty ? 1 : 0
            let isDescribed = problems.allSatisfy { problem in
                !problem.message.isEmpty && problem.description.count < 700
                    && !problem.description.unicodeScalars.contains { $0.properties.generalCategory == .control }
            }
            try #require(isDescribed, "\(problems) of \(String(decoding: bytes, as: UTF8.self))")
            // The position finder must find everything that the parser accepts.
            let hasPosition = problems.allSatisfy { $0.key == nil || $0.position != nil }
            try #require(hasPosition, "\(problems) of \(String(decoding: bytes, as: UTF8.self))")
        }
        // Some mutations must be mild enough to test more than the parser.
        #expect(good > count / 50)
    }

    /// Combines numbers, dates and brackets at random, where the parser asserts instead of refusing.
    @Test("random values give a configuration or problems")
    func randomValues() throws {
        let count = ProcessInfo.processInfo.environment["SWATCHCAM_RANDOM_CONFIGS"].flatMap(Int.init) ?? 2000
        let letters = Array(
            "0123456789012345-+_.:eExXobpPtTzZnaif ],}#[{=\"'\n\r\t\u{B}\u{85}\u{A0}\u{2028}".unicodeScalars)
        let starts = ["x = ", "x = [", "x = [1, ", "x = {a = ", "[", "[[", "x = 1979-05-27", "x = 07:32", "x = 0", ""]
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<count {
            var text = starts.randomElement(using: &generator) ?? ""
            for _ in 0..<Int.random(in: 0...14, using: &generator) {
                text.unicodeScalars.append(letters.randomElement(using: &generator) ?? " ")
            }
            try #require(Self.problems(of: Array(text.utf8)).allSatisfy { !$0.message.isEmpty })
        }
    }

    @Test("a truncated file gives a configuration or problems")
    func truncations() {
        // The first differs from the second in its comments only.
        for seed in Self.seeds.dropFirst() {
            for length in seed.indices {
                #expect(Self.problems(of: Array(seed[..<length])).allSatisfy { !$0.message.isEmpty })
            }
        }
    }

    /// Returns the problems; none if the bytes are a valid configuration.
    private static func problems(of bytes: [UInt8]) -> [ConfigProblem] {
        do {
            let text = try ConfigFile.text(in: bytes, file: "config.toml")
            let document = try TOMLDocument(parsing: text, file: "config.toml")
            _ = try ConfigSchema.decode(document, path: "/nowhere/config.toml")
            return []
        } catch {
            return error.problems
        }
    }
}
