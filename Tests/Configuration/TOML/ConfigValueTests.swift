import Foundation
import TestSupport
import Testing

@testable import Configuration

@Suite("Values of a configuration")
struct ConfigValueTests {
    private func value(_ json: String) throws -> ConfigValue {
        try JSONDecoder().decode(ConfigValue.self, from: Data(json.utf8))
    }

    private static let documents: [(String, ConfigValue)] = [
        ("true", .boolean(true)), ("1", .integer(1)), ("-1.5", .float(-1.5)), (#""1""#, .string("1")),
        (#"["a",1,[false]]"#, .list([.string("a"), .integer(1), .list([.boolean(false)])])),
        (#"{"a":{"b":0}}"#, .table(["a": .table(["b": .integer(0)])])), ("[]", .list([])), ("{}", .table([:])),
    ]

    @Test("a value is read from JSON with its type, and written as the same JSON", arguments: documents)
    func json(text: String, expected: ConfigValue) throws {
        #expect(try value(text) == expected)
        #expect(String(decoding: try JSONEncoder().encode(expected), as: UTF8.self) == text)
    }

    @Test("null in JSON is not a value, wherever it is", arguments: ["null", "[null]", #"{"a":null}"#])
    func null(text: String) {
        #expect(throws: DecodingError.self) { try value(text) }
    }

    @Test("a date, which no key accepts, is null in JSON")
    func date() throws {
        #expect(String(decoding: try JSONEncoder().encode([ConfigValue.date]), as: UTF8.self) == "[null]")
    }

    @Test("whole and decimal numbers are numbers, and nothing else is")
    func numbers() {
        #expect(ConfigValue.integer(7).number == 7)
        #expect(ConfigValue.float(0.5).number == 0.5)
        for other in [ConfigValue.string("7"), .boolean(true), .date, .list([.integer(7)]), .table([:])] {
            #expect(other.number == nil)
        }
    }

    @Test(
        "a number is written without a point if it is whole",
        arguments: [(15, "15"), (0.1, "0.1"), (-2, "-2"), (1e20, "1e+20"), (10.05, "10.05")])
    func shortest(number: Double, text: String) {
        #expect(number.shortestText == text)
    }

    // MARK: Positions in a text

    @Test("a position is a line and a column, counted in scalars from 1")
    func positions() throws {
        let text = "é\u{301}x\nyz\n"
        let places = text.unicodeScalars.indices.map { text.position(of: $0) } + [text.position(of: text.endIndex)]
        #expect(places.map(\.line) == [1, 1, 1, 1, 2, 2, 2, 3])
        #expect(places.map(\.column) == [1, 2, 3, 4, 1, 2, 3, 1])
    }

    @Test(
        "a position outside of the text becomes its end, and an empty line counts as a line",
        arguments: [
            ("ab\ncd", 1, 1, "1:1"), ("ab\ncd", 1, 3, "1:3"), ("ab\ncd", 1, 4, "2:3"), ("ab\ncd", 2, 1, "2:1"),
            ("ab\ncd", 2, 3, "2:3"), ("ab\ncd", 2, 4, "2:3"), ("ab\ncd", 3, 1, "2:3"), ("ab\ncd", 0, 1, "2:3"),
            ("ab\ncd", 1, 0, "2:3"), ("a\n\nb", 2, 1, "2:1"), ("a\n\nb", 2, 2, "3:2"), ("a\n\nb", 3, 1, "3:1"),
            ("a\n\nb", 3, 2, "3:2"),
        ])
    func nearest(text: String, line: Int, column: Int, expected: String) {
        let position = text.nearest(TextPosition(line: line, column: column))
        #expect("\(position.line):\(position.column)" == expected)
    }

    // MARK: Files

    @Test(
        "a UTF-16 file of either byte order is refused with the name of its encoding",
        arguments: [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]])
    func utf16(mark: [UInt8]) {
        let error = #expect(throws: ConfigError.self) { try ConfigFile.text(in: mark + [0, 0x5B], file: "a.toml") }
        #expect(error?.problems.map(\.description) == ["a.toml:1:1: the file is UTF-16; save it as UTF-8"])
    }

    @Test(
        "a configuration contains secrets if its file sets a token",
        arguments: [(["token"], true), (["token", "view_token"], true), ([], false)])
    func secrets(keys: [String], hasSecrets: Bool) throws {
        let folder = try TemporaryFolder()
        let lines = keys.map { "web.\($0) = '\($0)\(String(repeating: "a", count: 32))'\n" }
        let path = try folder.write(Array(lines.joined().utf8))
        #expect(try Settings(explicit: path, options: ConfigOverrides()).hasSecrets == hasSecrets)
    }
}
