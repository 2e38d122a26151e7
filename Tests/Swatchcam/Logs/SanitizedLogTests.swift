import Logging
import TestSupport
import Testing

@testable import Dashboard
@testable import Swatchcam

@Suite("Sanitized log")
struct SanitizedLogTests {
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
}
