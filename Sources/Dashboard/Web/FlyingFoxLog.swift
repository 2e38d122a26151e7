import FlyingSocks
import Logging
import Untrusted
import V4L2

/// FlyingFox's log, handed on to ours.
///
/// Everything is a detail to us: it speaks of connections that clients open, reset and misuse, three lines each, and of
/// failures that `WebServer` reports in words of its own.
struct FlyingFoxLog: FlyingSocks.Logging {
    let log: Logger

    func logDebug(_ debug: @autoclosure () -> String) { hand(on: debug()) }
    func logInfo(_ info: @autoclosure () -> String) { hand(on: info()) }
    func logWarning(_ warning: @autoclosure () -> String) { hand(on: warning()) }
    func logError(_ error: @autoclosure () -> String) { hand(on: error()) }
    func logCritical(_ critical: @autoclosure () -> String) { hand(on: critical()) }

    private func hand(on message: @autoclosure () -> String) {
        // Clients had a hand in it.
        log.debug("\(message().sanitized())")
    }
}
