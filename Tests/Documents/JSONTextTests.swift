import Foundation
import Testing

@testable import Documents

@Suite("JSON that the program writes")
struct JSONTextTests {
    private struct Document: Encodable {
        var b = "a/b"
        var a = 1.5
        @Nullable var d: Int?
        @Nullable var c: Int? = 7
        var omitted: Int?
    }

    private func text(_ document: some Encodable, isPretty: Bool = false) -> String {
        String(decoding: JSONText.data(of: document, isPretty: isPretty), as: UTF8.self)
    }

    @Test("a document is one line with its keys in alphabetical order, explicit nulls and plain slashes")
    func line() {
        #expect(text(Document()) == #"{"a":1.5,"b":"a/b","c":7,"d":null}"#)
    }

    @Test("a document for people is indented")
    func pretty() {
        #expect(text(["b": "/", "a": ""], isPretty: true) == "{\n  \"a\" : \"\",\n  \"b\" : \"/\"\n}")
    }

    @Test("a document with a number that is not finite is null")
    func notFinite() {
        #expect(text([Double.nan]) == "null")
    }
}
