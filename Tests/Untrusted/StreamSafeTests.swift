import Testing
import Untrusted

@Suite("Text that is safe to compare")
struct StreamSafeTests {
    @Test(
        "a text has at most 30 combining marks in a row",
        arguments: [("", true), ("Blatt", true), ("e\u{301}\u{316}", true)]
            + [(30, true), (31, false)].map {
                ("x" + String(repeating: "\u{301}", count: $0.0), $0.1)
            })
    func limit(text: String, isSafe: Bool) {
        #expect(text.isStreamSafe == isSafe)
        #expect(text.dropFirst(0).isStreamSafe == isSafe)
    }

    @Test("marks are counted from one letter to the next")
    func letters() {
        #expect(String(repeating: "e\u{301}\u{316}", count: 1000).isStreamSafe)
    }

    @Test("a file of a mebibyte is looked at in one pass, whatever it has")
    func length() {
        #expect(!String(repeating: "\u{301}\u{316}\u{327}", count: 1 << 18).isStreamSafe)
        #expect(String(repeating: "x\u{301}", count: 1 << 18).isStreamSafe)
    }
}
