import Configuration
import V4L2

/// Holds a camera's automatics still, so that it does not change the very colour that one wants to measure.
enum MeasuringLock: Equatable, Sendable {
    /// Waiting for the automatics to come to rest.
    case settling(Settling)
    /// Done; what came of it.
    case locked(Result)

    /// What could be locked, and what could not.
    struct Result: Equatable, Sendable {
        /// Whether the automatics had come to rest.
        var isSettled: Bool
        /// Values that hold from now on, as they were read back.
        var locked: [Control]
        /// What the camera has no control for.
        var missing: [AutoControl.Quantity]
        var refused: [ControlRefusal]
        /// The automatics as they were before, to be given back.
        var before: [Before]
    }

    /// An automatic that was on, and its value.
    struct Before: Equatable, Sendable {
        var control: Control
        var value: Control.Value
    }

    /// What is to be set: the automatics off, then what they controlled, at the values that they chose.
    static func plan(_ controls: [Control]) -> [(control: Control, value: Control.Value)] {
        let automatics = controls.activeAutomatics
        let off = automatics.map { ($0.control, Control.Value.number($0.automatic.manual)) }
        let controlled = automatics.flatMap { $0.automatic.controlled }
        let values = controls.filter { controlled.contains($0.id) && !$0.isReadOnly }.compactMap { control in
            control.value.map { (control, $0) }
        }
        return off + values
    }

    /// What came of the plan.
    /// - Parameters:
    ///   - before: The controls as they were before it.
    ///   - after: The controls as they were read back.
    static func result(
        isSettled: Bool, before: [Control], after: [Control], refused: [ControlRefusal]
    ) -> Result {
        let names = Set(refused.map(\.name))
        let automatics = after.filter { control in AutoControl.all.contains { $0.id == control.id && !$0.isOn(control) }
        }
        // Brightness and its like are a matter of measuring only where the camera changes them.
        let others = automatics.flatMap { control in AutoControl.all.first { $0.id == control.id }?.controlled ?? [] }
        let values = AutoControl.measured.filter { $0.quantity != .other || others.contains($0.id) }.compactMap {
            measured in after.first { $0.id == measured.id }
        }
        let locked = (automatics + values).filter { !$0.isInactive && $0.value != nil && !names.contains($0.name) }
        let quantities = AutoControl.Quantity.allCases.filter { quantity in
            quantity != .other
                && !AutoControl.measured.contains { measured in
                    measured.quantity == quantity && after.contains { $0.id == measured.id }
                }
                && !AutoControl.all.contains { automatic in
                    automatic.quantity == quantity && after.contains { $0.id == automatic.id }
                }
        }
        return Result(
            isSettled: isSettled, locked: locked, missing: quantities, refused: refused,
            before: before.activeAutomatics.compactMap { active in
                active.control.value.map { Before(control: active.control, value: $0) }
            })
    }
}

extension MeasuringLock.Result {
    /// The lines for `config.toml` that make the next start as it is now.
    var configuration: String {
        (["[camera.controls]"]
            + locked.compactMap { control in
                control.value.map { "\(control.name) = \($0)" }
            }).map { $0 + "\n" }.joined()
    }
}

extension MeasuringLock: Encodable {
    private enum CodingKeys: String, CodingKey { case phase, seconds, settled, locked, missing, refused, config }

    private struct Locked: Encodable {
        var name: String
        var label: String
        var value: ConfigValue?
    }

    private struct Refused: Encodable {
        var name: String
        var reason: String
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .settling(let settling):
            try container.encode("settling", forKey: .phase)
            try container.encode((settling.elapsed * 10).rounded() / 10, forKey: .seconds)
        case .locked(let result):
            try container.encode("locked", forKey: .phase)
            try container.encode(result.isSettled, forKey: .settled)
            try container.encode(
                result.locked.map { Locked(name: $0.name, label: $0.label, value: $0.value.map(ConfigValue.init)) },
                forKey: .locked)
            try container.encode(result.missing.map(\.rawValue), forKey: .missing)
            try container.encode(result.refused.map { Refused(name: $0.name, reason: $0.reason) }, forKey: .refused)
            try container.encode(result.configuration, forKey: .config)
        }
    }
}
