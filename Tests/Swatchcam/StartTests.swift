import Foundation
import Glibc
import Testing

@testable import Swatchcam

@Suite("The arguments of the program")
struct StartTests {
    /// Returns what the program makes of arguments, the name first.
    private func arguments(_ words: [[UInt8]]) throws -> [String] {
        var vector = unsafe words.map { unsafe strdup($0.map(CChar.init(bitPattern:)) + [0]) } + [nil]
        defer { unsafe vector.forEach { unsafe free($0) } }
        return try unsafe Start.arguments(of: &vector)
    }

    private func arguments(_ words: [String]) throws -> [String] { try arguments(words.map { Array($0.utf8) }) }

    /// Returns why the program refuses arguments.
    private func problem(_ words: [[UInt8]]) throws -> String {
        let failure = try #require(throws: Failure.self) { try arguments(words) }
        #expect(failure.status == .usage)
        return failure.message
    }

    private func problem(_ words: [String]) throws -> String { try problem(words.map { Array($0.utf8) }) }

    @Test("they are those of main, as glibc passes them to constructors")
    func ofMain() throws {
        #expect(try Start.arguments() == Array(CommandLine.arguments.dropFirst()))
    }

    @Test("they follow the name")
    func afterName() throws {
        #expect(try arguments(["swatchcam", "read", "", "--count", "2"]) == ["read", "", "--count", "2"])
        #expect(try arguments(["swatchcam"]).isEmpty)
    }

    @Test("without a name, they are not trusted", arguments: [[], [""], ["", "read"]])
    func nameless(words: [String]) throws {
        #expect(try problem(words) == "the program was started without its name, so arguments may be missing too")
    }

    @Test("where none are known, none are trusted")
    func unknown() {
        let failure = #expect(throws: Failure.self) { try unsafe Start.arguments(of: nil) }
        #expect(failure?.status == .usage)
    }

    @Test("one that is not UTF-8 is refused, rather than changed")
    func notUTF8() throws {
        #expect(
            try problem([Array("swatchcam".utf8), Array("--config".utf8), [0x61, 0xFF, 0x1B, 0x62]])
                == "argument 2 is not UTF-8: a\u{FFFD}\u{FFFD}b")
    }

    @Test("one has at most 8192 bytes")
    func length() throws {
        let longest = String(repeating: "a", count: 8192)
        #expect(try arguments(["swatchcam", "read", longest]) == ["read", longest])
        #expect(
            try problem(["swatchcam", "read", longest + "a"]) == "argument 2 is longer than 8192 bytes")
    }

    @Test("there are at most 100")
    func count() throws {
        let most = Array(repeating: "a", count: 100)
        #expect(try arguments(["swatchcam"] + most) == most)
        #expect(try problem(["swatchcam", "a"] + most) == "there are more than 100 arguments")
    }
}
