import Untrusted
import V4L2

/// The controls that do not have the values that the configuration or a client wanted, because the camera refused them.
struct RefusedControls {
    /// What wanted the values: the beginning of the sentence about such controls, which a colon follows.
    enum Origin: String, CaseIterable {
        case configuration = "camera.controls"
        case reset = "Not all controls were reset"
        case lock = "Not all controls were locked"
        case unlock = "Not all controls were unlocked"
    }

    private struct Entry {
        let origin: Origin
        let refusal: ControlRefusal
        /// The control as it was read after the refusal; nil if the camera has no such control.
        let control: Control?

        /// Whether nothing has changed the control since.
        func isCurrent(among controls: [Control]) -> Bool {
            guard let now = controls.first(where: { $0.name == refusal.name }) else { return control == nil }
            guard let control, now.isInactive == control.isInactive else { return false }
            // While an automatic control adjusts it, its value means nothing.
            return now.isInactive || now.value == control.value
        }
    }

    private var entries: [Entry] = []

    /// A sentence for the page; nil if no control was refused.
    var sentence: String? {
        let sentences = Origin.allCases.compactMap { origin in
            entries.filter { $0.origin == origin }.map(\.refusal).sentence(beginning: origin.rawValue)
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// Records the outcome of setting controls, in place of what was known about them.
    /// - Parameters:
    ///   - names: The names of the controls that were set, or that the configuration no longer sets.
    ///   - controls: The controls as they were read back.
    /// - Returns: A sentence about the new refusals for the log; nil if there are none.
    mutating func record(
        _ refusals: [ControlRefusal], of names: some Sequence<String>, from origin: Origin, among controls: [Control]
    ) -> String? {
        forget(names)
        let refused = refusals.map { refusal in
            Entry(origin: origin, refusal: refusal, control: controls.first { $0.name == refusal.name })
        }
        // While automatic controls are on, a reset cannot set what they adjust, and nobody expects it to.
        let reported = origin == .configuration ? refused : refused.filter { $0.control?.isInactive != true }
        entries += reported
        return reported.map(\.refusal).sentence(beginning: origin.rawValue)
    }

    /// Forgets what is known about controls that were set.
    mutating func forget(_ names: some Sequence<String>) {
        // Refusals name unknown controls in this form.
        let names = Set(names.map { $0.sanitized(limit: 64) })
        entries.removeAll { names.contains($0.refusal.name) }
    }

    /// Forgets the controls that have changed since.
    mutating func update(_ controls: [Control]) { entries.removeAll { !$0.isCurrent(among: controls) } }
}
