package import Configuration
package import Handoff

/// Asking the thread of the controls to set some.
package enum ControlSetting: Conversation {
    package enum Wish: Sendable {
        /// Sets a control; nil: to its default.
        case set(name: String, ConfigValue?)
        /// Sets every control to its default.
        case reset
        /// Holds the automatics still, once they have come to rest.
        case lock
        /// Gives the automatics back.
        case unlock
    }

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

package typealias ControlDesk = Desk<ControlSetting>
