import Foundation
import Testing

@testable import Documents

@Suite("JSON that is written field by field")
struct JSONWriterTests {
    private struct Number: JSONWritable {
        var value: Double
        var decimals: Int

        func write(to json: inout JSONWriter) { json.number(value, decimals: decimals) }
    }

    private struct Document: JSONWritable {
        func write(to json: inout JSONWriter) {
            json.object { json in
                json.field("array", [1, 2])
                json.field("empty", [String]())
                json.field("none", Int?.none)
                json.field("number", 0.25, decimals: 1)
                json.field("object") { $0.field("nested") { _ in } }
                json.field("text", "a/b")
                json.field("undefined", nil, decimals: 1)
                json.field("yes", true)
            }
        }
    }

    private func text(_ value: some JSONWritable) -> String { String(decoding: JSONWriter.data(value), as: UTF8.self) }

    private func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test("a document is one line with its keys as written, explicit nulls and plain slashes")
    func document() {
        #expect(
            text(Document()) == #"{"array":[1,2],"empty":[],"none":null,"number":0.3,"object":{"nested":{}},"#
                + #""text":"a/b","undefined":null,"yes":true}"#)
    }

    @Test("a number with decimals has the digits of the rounded number with JSONEncoder", arguments: 0...6)
    func decimals(decimals: Int) throws {
        let scale = pow(10, Double(decimals))
        var generator = SystemRandomNumberGenerator()
        for power in stride(from: -9.0, through: 20, by: 1) {
            for _ in 0..<40 {
                let value = Double.random(in: -1...1, using: &generator) * pow(10, power)
                // -0, which JSONEncoder writes, is 0.
                let rounded = (value * scale).rounded() / scale + 0
                #expect(text(Number(value: value, decimals: decimals)) == (try encoded(rounded)), "\(value)")
            }
        }
    }

    @Test("a number has the same digits as with JSONEncoder")
    func anyNumber() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<1500 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            #expect(text(value) == (try encoded(value)))
        }
        for value in [
            0, 1, -1, 0.1, 1e15, 0x1p53, 0x1p54, 1e16, 1e22, -1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        ] {
            #expect(text(value) == (try encoded(value)))
        }
    }

    @Test(
        "a number at the limits of what is written quickly is written correctly",
        arguments: [
            (0.0, "0"), (-0.0, "0"), (-0.00004, "0"), (0.00005, "0.0001"), (-0.00005, "-0.0001"), (0.9999, "0.9999"),
            (0.99996, "1"), (1e10, "10000000000"), (99_999_999_999.9999, "99999999999.9999"),
            (1e15, "1000000000000000"), (1e16, "1e+16"),
            (1e300, "1e+300"), (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.leastNonzeroMagnitude, "0"),
            (.nan, "0"), (.infinity, "0"), (-.infinity, "0"),
        ])
    func limits(value: Double, text: String) {
        #expect(self.text(Number(value: value, decimals: 4)) == text)
    }

    @Test(
        "a small number has an exponent, as with JSONEncoder",
        arguments: [(0.00001, "1e-05"), (-0.0000123, "-1.2e-05")])
    func small(value: Double, text: String) {
        #expect(self.text(Number(value: value, decimals: 6)) == text)
    }

    @Test("integers of every size are written in full")
    func integers() {
        #expect(
            text([Int.min, -10, 0, 9, 10, 99, 100, Int.max])
                == "[-9223372036854775808,-10,0,9,10,99,100,9223372036854775807]")
        #expect(text([UInt64.max, 0]) == "[18446744073709551615,0]")
    }

    @Test("a number without fixed decimals that is not finite is null")
    func notFinite() {
        #expect(text([Double.nan, .infinity, -.infinity]) == "[null,null,null]")
    }

    @Test("a text is escaped like JSONEncoder's")
    func strings() throws {
        let scalars = (0...0x2FF).compactMap(Unicode.Scalar.init).map(Character.init)
        #expect(text(String(scalars)) == (try encoded(String(scalars))))
        for scalar in scalars + ["\u{2028}", "\u{2029}", "📷", "e\u{301}", "\u{FFFD}"] {
            #expect(text("\(scalar)") == (try encoded("\(scalar)")))
        }
    }
}
