import FlyingSocks
import Logging
import Untrusted

/// A log that forwards FlyingFox's messages to the program's log, as debug messages.
///
/// They report connections that clients open, reset and misuse, with three lines each, and failures that `WebServer`
/// reports itself.
struct FlyingFoxLog: FlyingSocks.Logging {
    let log: Logger

    func logDebug(_ debug: @autoclosure () -> String) { forward(debug()) }
    func logInfo(_ info: @autoclosure () -> String) { forward(info()) }
    func logWarning(_ warning: @autoclosure () -> String) { forward(warning()) }
    func logError(_ error: @autoclosure () -> String) { forward(error()) }
    func logCritical(_ critical: @autoclosure () -> String) { forward(critical()) }

    private func forward(_ message: @autoclosure () -> String) {
        // Messages may contain text from clients.
        log.debug("\(message().sanitized())")
    }
}
