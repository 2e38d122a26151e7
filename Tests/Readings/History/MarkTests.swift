import FoundationEssentials
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

    @Test(
        "a mark that a table has kept from becoming a formula is read back as it was set",
        arguments: [
            "=1+1", "-5 °C", "a, +b", "'quoted'", "@", "a;=b|=c", "\"=x\"",
            "-" + String(repeating: "é", count: Mark.maxLength - 1),
            String(repeating: ",=", count: Mark.maxLength / 2),
        ])
    func formula(text: String) {
        let mark = Mark(time: Date(timeIntervalSince1970: 1_795_000_000), kind: .user, text: text)
        #expect(MarkCSV.mark(MarkCSV.line(mark)) == mark)
    }

    @Test("the mark of an event is read back from a table with its details")
    func event() {
        let event = Mark.Event(name: "=Fault, 1", from: "off", to: nil, picture: "api/events/1.jpg")
        let mark = Mark(
            time: Date(timeIntervalSince1970: 1_795_000_000), kind: .light, text: "off → on", event: event)
        #expect(MarkCSV.mark(MarkCSV.line(mark)) == mark)
    }
}
