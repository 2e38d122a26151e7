import Logging
import TestSupport
import Testing

@testable import Dashboard
@testable import Swatchcam

@Suite("A line of the log")
struct SanitizedLogTests {
    private let recorder = LogRecorder()

    @Test("is one line and steers no terminal, even if nobody thought of it where it was written")
    func sink() {
        let log = Logger(label: "test") { _ in SanitizedLogHandler(recorder.handler) }
        log.info("GET /\n[error] forged\u{1B}[31m\u{9B}2J\u{202E}")
        log.info("\(String(repeating: "a", count: 100_000))")
        #expect(recorder.lines[0] == "GET /\u{FFFD}[error] forged\u{FFFD}[31m\u{FFFD}2J\u{FFFD}")
        #expect(recorder.lines[1].unicodeScalars.count == 4000)
    }

    @Test("of the web server's library has no more than 300 letters of what clients sent")
    func clients() {
        let log = FlyingFoxLog(log: recorder.log)
        log.logInfo("GET /\n[error] forged\u{1B}[31m")
        log.logError(String(repeating: "a", count: 100_000))
        #expect(recorder.lines[0] == "GET /\u{FFFD}[error] forged\u{FFFD}[31m")
        #expect(recorder.lines[1].unicodeScalars.count == 300)
    }
}
