import Logging
import TestSupport
import Testing

@testable import Configuration
@testable import Dashboard
@testable import Handoff
@testable import Swatchcam

@Suite("Handlers of the log")
struct LogHandlerTests {
    private let recorder = LogRecorder()

    @Test("a log message is one line that cannot control a terminal, even if its text was not sanitized before")
    func sink() {
        let log = Logger(label: "test") { _ in SanitizedLogHandler(recorder.handler) }
        log.info("GET /\n[error] forged\u{1B}[31m\u{9B}2J\u{202E}")
        log.info("\(String(repeating: "a", count: 100_000))")
        #expect(recorder.lines[0] == "GET /\u{FFFD}[error] forged\u{FFFD}[31m\u{FFFD}2J\u{FFFD}")
        #expect(recorder.lines[1].unicodeScalars.count == 4000)
    }

    @Test("a log line of the web server's library has at most 300 letters of what clients sent")
    func clients() {
        let log = FlyingFoxLog(log: recorder.log)
        log.logInfo("GET /\n[error] forged\u{1B}[31m")
        log.logError(String(repeating: "a", count: 100_000))
        #expect(recorder.lines[0] == "GET /\u{FFFD}[error] forged\u{FFFD}[31m")
        #expect(recorder.lines[1].unicodeScalars.count == 300)
    }

    @Test("every copy of a logger follows log.level while the program runs")
    func level() {
        let config = Latest(Settings())
        let log = Logger(following: config)
        var copy = log
        copy.logLevel = .critical
        #expect((log.logLevel, copy.logLevel) == (.info, .info))
        config.update { $0.effective.log.level = .trace }
        #expect((log.logLevel, copy.logLevel) == (.trace, .trace))
    }

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
