import FlyingSocks
import Logging

/// FlyingFox's log, handed on to ours.
///
/// Everything is a detail to us: it speaks of connections that clients open, reset and misuse, three lines each, and of
/// failures that `WebServer` reports in words of its own.
struct FlyingFoxLog: FlyingSocks.Logging {
    private static let longest = 300

    let log: Logger

    func logDebug(_ debug: @autoclosure () -> String) { hand(on: debug()) }
    func logInfo(_ info: @autoclosure () -> String) { hand(on: info()) }
    func logWarning(_ warning: @autoclosure () -> String) { hand(on: warning()) }
    func logError(_ error: @autoclosure () -> String) { hand(on: error()) }
    func logCritical(_ critical: @autoclosure () -> String) { hand(on: critical()) }

    private func hand(on message: @autoclosure () -> String) {
        log.debug("\(Self.sanitized(message()))")
    }

    /// Text that clients had a hand in: one line, printable, of bounded length.
    static func sanitized(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(longest) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                line.append("\u{FFFD}")
            default:
                line.append(scalar)
            }
        }
        return String(line)
    }
}
