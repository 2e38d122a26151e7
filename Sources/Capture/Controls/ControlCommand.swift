package import Configuration
package import Handoff

/// Asks the thread of the controls to set some.
package enum ControlCommand: Command {
    /// Sets a control; nil: to its default.
    case set(name: String, ConfigValue?)
    /// Sets every control to its default.
    case reset
    /// Locks the automatics, once they have settled.
    case lock
    /// Releases the automatics.
    case unlock

    /// The controls as they are then.
    package typealias Value = ControlState

    /// Why nothing was done.
    package enum Refusal: Error, Equatable, Sendable {
        /// There is no camera in use.
        case noCamera
        /// It has no control like that: a sentence.
        case unknown(String)
        /// The control takes no such value: a sentence.
        case badValue(String)
        /// The camera did not take it: a sentence.
        case refused(String)
        case unavailable
    }

    package static let capacity = 32
    package static let unavailable = Refusal.unavailable
}

package typealias ControlRequests = RequestQueue<ControlCommand>
