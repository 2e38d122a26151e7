package import Configuration
package import Handoff

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

    /// The state of the controls after the command.
    package typealias Value = ControlState

    /// The reason why a command was refused.
    package enum Refusal: Error, Equatable, Sendable {
        /// No camera is in use.
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
    package static let unavailable = Refusal.unavailable
}

/// The queue of commands to the control thread.
package typealias ControlRequests = RequestQueue<ControlCommand>
