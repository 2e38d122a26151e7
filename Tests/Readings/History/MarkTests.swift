import Testing

@testable import Readings

@Suite("The text of a mark")
struct MarkTests {
    @Test("the text of a mark is one printable line without white space at its ends")
    func text() {
        #expect(Mark.text(" Reagent\nadded\u{202E}\t") == "Reagent\u{FFFD}added\u{FFFD}")
    }

    @Test("the text of a mark has 1 to 200 characters")
    func length() {
        #expect(Mark.text("") == nil && Mark.text(" \n") == nil)
        #expect(Mark.text(String(repeating: "é", count: 200)) == String(repeating: "é", count: 200))
        #expect(Mark.text(String(repeating: "é", count: 201)) == nil)
    }
}
