import Logging
import Testing

@testable import Swatchcam

@Suite("Journal log handler")
struct JournalLogHandlerTests {
    @Test(
        "a line for the journal begins with the priority of syslog",
        arguments: zip(Logger.Level.allCases, ["<7>", "<7>", "<6>", "<5>", "<4>", "<3>", "<2>"]))
    func priority(level: Logger.Level, mark: String) {
        #expect(JournalLogHandler.text(level, "words", [:]) == "\(mark)words\n")
    }

    @Test("each line of a message for the journal has its priority, and empty lines are omitted")
    func lines() {
        #expect(
            JournalLogHandler.text(.error, "one\r\ntwo\n\n", ["b": "2", "a": "1"]) == "<3>one\n<3>two\n<3> a=1 b=2\n")
    }

    @Test(
        "the journal's format is not used if standard error is not the journal", arguments: ["", "0:0", "1", "words"])
    func elsewhere(stream: String) {
        #expect(!JournalLogHandler.isWanted(environment: ["JOURNAL_STREAM": stream]))
        #expect(!JournalLogHandler.isWanted(environment: [:]))
    }
}
