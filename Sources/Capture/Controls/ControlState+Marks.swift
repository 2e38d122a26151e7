import Readings
import Untrusted
import V4L2

extension ControlState {
    /// The greatest number of controls that a mark names.
    private static let mostNames = 3

    /// A mark for a change.
    struct ChangeMark: Equatable {
        var kind: Mark.Kind
        var text: String
        /// The names of the controls that were set; nil for a lock.
        var subject: String?
    }

    /// Returns the mark that a change of the controls calls for; nil if none does.
    ///
    /// A lock sets many controls, but has a single mark. A change that an automatic control makes has none.
    func mark(since before: ControlState) -> ChangeMark? {
        guard camera?.id == before.camera?.id, camera != nil else { return nil }
        switch (before.isLocked, isLocked) {
        case (false, true): return ChangeMark(kind: .lock, text: "The automatic controls were locked for measuring.")
        case (true, false): return ChangeMark(kind: .lock, text: "The automatic controls were unlocked.")
        default: break
        }
        let changes = controls.changedControls(since: before.controls)
        guard !changes.isEmpty else { return nil }
        let names = changes.prefix(Self.mostNames).map { "\($0.label): \($0.valueText)" }.joined(separator: ", ")
        let more = changes.count - Self.mostNames
        return ChangeMark(
            kind: .controls, text: (names + (more > 0 ? " and \(more) more" : "")).sanitized(limit: Mark.maxLength),
            subject: changes.map(\.name).joined(separator: " "))
    }

    /// Whether the automatic controls are locked for measuring.
    var isLocked: Bool {
        if case .locked = lock { true } else { false }
    }
}

extension Control {
    /// The value as a person reads it: the name of a choice, on or off, or the number.
    fileprivate var valueText: String {
        guard let value else { return "" }
        guard case .number(let number) = value else { return "\(value)".sanitized(limit: 80) }
        switch kind {
        case .boolean: return number == 0 ? "off" : "on"
        case .menu: return choices.first { $0.value == number }?.name.sanitized(limit: 80) ?? "\(number)"
        default: return "\(number)"
        }
    }
}
