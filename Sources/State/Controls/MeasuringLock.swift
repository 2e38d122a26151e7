package import Color
import Configuration
package import Documents
package import Handoff
import Readings
package import V4L2

/// A lock on a camera's automatic controls, which would otherwise change the very colour that is measured.
package enum MeasuringLock: Equatable, Sendable {
    case settling(Settling)
    /// The automatic controls are locked, as far as the camera allows.
    case locked(Result)

    /// The outcome of locking: what is locked, and what is not.
    package struct Result: Equatable, Sendable {
        var isSettled: Bool
        /// The locked controls with their values, as they were read back.
        package var locked: [Control]
        /// The quantities that the camera has no control for.
        var missing: [AutoControl.Quantity]
        var refused: [ControlRefusal]
        /// The automatic controls before the lock, which unlocking restores.
        package var before: [Before]
    }

    /// An automatic control that was on, and its value.
    package struct Before: Equatable, Sendable {
        package var control: Control
        package var value: Control.Value

        package init(control: Control, value: Control.Value) { (self.control, self.value) = (control, value) }
    }

    /// Lists the values to set: first those that turn the automatic controls off, then, for the controls that these
    /// adjusted, the values that they had chosen.
    package static func plan(_ controls: [Control]) -> [(control: Control, value: Control.Value)] {
        let off = controls.activeAutoControls.map { ($0.control, Control.Value.number($0.automatic.offValue)) }
        let values = controls.automaticallySet.filter { !$0.isReadOnly }.compactMap { control in
            control.value.map { (control, control.settable($0)) }
        }
        return off + values
    }

    /// Describes the outcome of the plan.
    /// - Parameters:
    ///   - before: The controls before the plan was carried out.
    ///   - after: The controls as they were read back.
    package static func result(
        isSettled: Bool, before: [Control], after: [Control], refused: [ControlRefusal]
    ) -> Result {
        let controls = Dictionary(after.map { ($0.id, $0) }) { first, _ in first }
        let present = AutoControl.all.filter { controls[$0.id] != nil }
        let off = present.filter { automatic in controls[automatic.id].map(automatic.isOn) == false }
        // Brightness and similar controls matter only if the camera changes them by itself.
        let colorControls = AutoControl.colorControls.filter { $0.quantity != .other }
        let values = Set(
            colorControls.map(\.id) + off.flatMap(\.controlled)
                + before.automaticallySet.filter { !$0.isReadOnly }.map(\.id))
        let names = Set(refused.map(\.name))
        let documented = Set(before.activeAutoControls.flatMap(\.automatic.controlled))
        let locked =
            (after.filter { control in off.contains { $0.id == control.id } }
            + after.filter { values.contains($0.id) })
            .filter { !$0.isInactive && $0.value != nil && !names.contains($0.name) }
        let quantities = Set(present.map(\.quantity) + colorControls.filter { controls[$0.id] != nil }.map(\.quantity))
        return Result(
            isSettled: isSettled, locked: locked,
            missing: AutoControl.Quantity.allCases.filter { $0 != .other && !quantities.contains($0) },
            // A control that is still inactive, and that no automatic control is documented to adjust, is inactive for
            // another reason.
            refused: refused.filter { refusal in
                !after.contains { $0.name == refusal.name && $0.isInactive && !documented.contains($0.id) }
            },
            before: before.activeAutoControls.compactMap { active in
                active.control.value.map { Before(control: active.control, value: $0) }
            })
    }
}

extension [Control] {
    /// Returns whether the camera's controls still have these values.
    package func hold(among controls: [Control]) -> Bool {
        allSatisfy { control in controls.first { $0.id == control.id }?.value == control.value }
    }
}

extension MeasuringLock: JSONObject {
    package static let schema = JSONSchema.object(whileSettling.map(\.property)).with(
        "title", "Waiting for the automatic controls to settle"
    ).or(JSONSchema.object(onceLocked.map(\.property)).with("title", "Locked"))

    private static let whileSettling: JSONFieldList<Settling> = [
        .value("phase", ["const": "settling"]) { _ in "settling" },
        .number(
            "seconds", .number(from: 0), decimals: 1, "How long the lock has been waiting for the automatic controls."
        ) { $0.elapsed },
    ]
    private static let onceLocked: JSONFieldList<Result> = [
        .value("config", .string, "The lines for `config.toml` that restore these values at every start.") {
            $0.locked.configuration
        },
        .objects("locked", "", Control.settings) { $0.locked },
        .value(
            "missing", .array(of: .words(AutoControl.Quantity.allCases.filter { $0 != .other }.map(\.rawValue))),
            "The quantities for which the camera has no control."
        ) { $0.missing.map(\.rawValue) },
        .value("phase", ["const": "locked"]) { _ in "locked" },
        .objects(
            "refused", "", [.value("name", .string) { $0.name }, .value("reason", .string) { $0.reason }]
        ) { $0.refused },
        .value("settled", .boolean, "Whether they had settled when they were locked.") { $0.isSettled },
    ]

    package func writeFields(to json: inout JSONWriter) {
        switch self {
        case .settling(let settling): for field in Self.whileSettling { field.write(&json, settling) }
        case .locked(let result): for field in Self.onceLocked { field.write(&json, result) }
        }
    }
}

/// A detector of when a camera's automatic controls have settled: neither their values nor the colour has changed for a
/// while.
package struct Settling: Equatable, Sendable {
    /// The time without a change after which the controls count as settled, in seconds.
    static let stableTime = 1.5
    /// The time after which controls that never settle are locked anyway, in seconds.
    static let maxTime = 10.0
    /// The largest change of a channel's mean that counts as noise, in code values.
    static let tolerance = 0.5

    private struct Sample: Equatable {
        var mean: RGB?
        var values: [Control.Value?]
    }

    private let start: MonotonicTime
    private var now: MonotonicTime
    private var reference: Sample?
    private var stableSince: MonotonicTime

    package init(at start: MonotonicTime) {
        self.start = start
        now = start
        stableSince = start
    }

    var elapsed: Double { now - start }
    /// Whether nothing has changed for long enough.
    package var isSettled: Bool { reference != nil && now - stableSince >= Self.stableTime }
    package var isOver: Bool { isSettled || elapsed >= Self.maxTime }

    /// Records the values that the automatic controls have set, and the colour.
    package mutating func observe(_ controls: [Control], mean: RGB?, at time: MonotonicTime) {
        now = time
        let sample = Sample(
            mean: mean,
            values: AutoControl.colorControls.map { measured in controls.first { $0.id == measured.id }?.value })
        guard let reference, reference.values == sample.values, let mean,
            reference.mean?.isEqual(to: mean, within: Self.tolerance) == true
        else {
            reference = sample
            stableSince = time
            return
        }
    }
}
