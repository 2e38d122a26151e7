package import Configuration
import Documents
package import Handoff
import Untrusted
package import V4L2

/// A command to the control thread.
package enum ControlCommand: Command {
    /// Sets a control to a value, or to its default if the value is nil.
    case set(name: String, ConfigValue?)
    /// Sets every control to its default, and ends the lock.
    case reset
    /// Locks the automatic controls once they have settled.
    case lock
    /// Restores the automatic controls that the lock turned off, or stops waiting for them to settle.
    case unlock
    case setExposure
    /// Stops setting the exposure, and keeps the best values so far.
    case cancelExposure

    /// The state of the controls after the command.
    package typealias Value = ControlState

    package enum Refusal: Error, Equatable, Sendable {
        case noCamera
        /// The camera has no such control: a sentence.
        case unknown(String)
        /// The control does not accept the value: a sentence.
        case badValue(String)
        /// The camera refused the change: a sentence.
        case refused(String)
        /// The queue is full or has been stopped.
        case unavailable
    }

    package static let capacity = 32
    package static func unavailable(isStopped: Bool) -> Refusal { .unavailable }
}

package typealias ControlRequests = RequestQueue<ControlCommand>

extension [Control] {
    /// Returns the control with a name and the value that a written one, or nil for the default, sets it to.
    /// - Throws: The reason why it cannot be set.
    package func setting(
        _ name: String, to written: ConfigValue?
    ) throws(ControlCommand.Refusal) -> (Control, Control.Value) {
        guard let control = first(where: { $0.name == name }) else {
            throw .unknown("\(name.sanitized(limit: 64)) \(unknownControlReason(for: name))".withFullStop)
        }
        let value: Control.Value?
        if let written {
            value = control.value(from: written)
        } else {
            value = control.kind == .button ? nil : control.defaultValue
        }
        guard let value else {
            throw .badValue(
                written.map { "\(name): \($0.sentence), which no control accepts." } ?? "\(name) has no default.")
        }
        if control.isReadOnly { throw .refused("\(name) is read-only.") }
        if control.isInactive, let controller = controller(of: control) {
            throw .refused("\(name) cannot be set: \(controller.label) has taken it over.")
        }
        if let problem = control.problem(with: value) { throw .badValue("\(name) \(problem).") }
        return (control, value)
    }
}
