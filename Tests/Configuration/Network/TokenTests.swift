import Testing

@testable import Configuration

@Suite("Token")
struct TokenTests {
    private static let text = "0123456789abcdefghijklmnopqrstuv"

    @Test(
        "a token matches only exactly the same text",
        arguments: [
            ("0123456789abcdefghijklmnopqrstuv", true), ("0123456789abcdefghijklmnopqrstuw", false),
            ("1123456789abcdefghijklmnopqrstuv", false), ("0123456789abcdefghijklmnopqrstu", false),
            ("0123456789abcdefghijklmnopqrstuv0", false), ("0123456789abcdefghijklmnopqrstuv\0", false),
            ("0123456789ABCDEFGHIJKLMNOPQRSTUV", false), ("", false),
        ])
    func matches(shown: String, isIt: Bool) throws {
        #expect(try #require(Token(Self.text)).matches(shown) == isIt)
    }

    @Test(
        "a token has 32 to 256 characters that headers and cookies may contain",
        arguments: [
            (String(repeating: "a", count: 31), false), (String(repeating: "a", count: 32), true),
            (String(repeating: "a", count: 256), true), (String(repeating: "a", count: 257), false),
            (text + ";", false), (text + " ", false), (text + "\n", false), (text + "\u{e9}", false),
            (text + "-._~+/=", true),
        ])
    func form(text: String, isGood: Bool) {
        #expect((Token(text) != nil) == isGood)
    }

    @Test("printing or dumping a token does not show it")
    func hidden() throws {
        let token = try #require(Token(Self.text))
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!"\(token) \(String(reflecting: token)) \(dumped)".contains("0123"))
    }

    @Test("random tokens are valid and differ")
    func random() {
        let tokens = Set((0..<100).map { _ in Token.random() })
        #expect(tokens.count == 100)
        #expect(tokens.allSatisfy { $0.count == 43 && Token($0) != nil })
    }
}
