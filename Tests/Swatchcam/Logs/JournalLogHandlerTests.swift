import Logging
import Testing

@testable import Swatchcam

@Suite("The journal's log")
struct JournalLogHandlerTests {
    @Test(
        "has the priorities of syslog",
        arguments: zip(Logger.Level.allCases, ["<7>", "<7>", "<6>", "<5>", "<4>", "<3>", "<2>"]))
    func priority(level: Logger.Level, mark: String) {
        #expect(JournalLogHandler.text(level, "words", [:]) == "\(mark)words\n")
    }

    @Test("gives each line of a message its priority, and leaves empty ones away")
    func lines() {
        #expect(
            JournalLogHandler.text(.error, "one\r\ntwo\n\n", ["b": "2", "a": "1"]) == "<3>one\n<3>two\n<3> a=1 b=2\n")
    }

    @Test("is for the file that the journal is, and no other", arguments: ["", "0:0", "1", "words"])
    func elsewhere(stream: String) {
        #expect(!JournalLogHandler.isWanted(environment: ["JOURNAL_STREAM": stream]))
        #expect(!JournalLogHandler.isWanted(environment: [:]))
    }
}
