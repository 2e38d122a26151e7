package import Documents
import Metrology
package import Readings
import Untrusted
package import V4L2

/// The controls of the camera in use, as they were last read.
package struct ControlState: Equatable, Sendable {
    package var camera: Reading.Camera?
    /// The camera's controls; empty if there is no camera.
    package var controls: [Control] = [] {
        didSet {
            // A later change makes the outcome obsolete.
            if case .ended(let result) = exposure, !result.values.hold(among: controls) { exposure = nil }
        }
    }
    /// The lock for measuring; nil if the controls are neither locked nor about to be.
    package var lock: MeasuringLock?
    /// The exposure that is being set, or has been; nil if neither.
    package var exposure: ExposureState?

    /// The state before a camera is known.
    package static let none = ControlState()

    package init(camera: Reading.Camera? = nil, controls: [Control] = []) {
        (self.camera, self.controls) = (camera, controls)
    }
}

/// The document of `GET /api/controls`.
extension ControlState: JSONFields {
    package static let fields: JSONFieldList<Self> = [
        .value("automatics", .array(of: .string), "Names of the automatic controls that are on.") {
            $0.controls.activeAutoControls.map(\.control.name)
        },
        .value(
            "camera", .component("Camera").orNull,
            "Null while there is no picture. The test pattern has the controls of its scene."
        ) { $0.camera },
        .encoded("controls", .array(of: .component("Control"))) { state in
            state.controls.map { ControlDocument($0, among: state.controls) }
        },
        .value(
            "exposure", .component("Exposure").orNull, "Null if the camera has no control for its exposure."
        ) { $0.controls.exposureControl == nil ? nil : ExposureDocument($0.exposure) },
        .value("lock", .component("Lock").orNull, "Null while nothing is locked.") { $0.lock },
    ]
}

extension ControlState {
    /// The maximum number of controls that a mark names.
    private static let maxNames = 3

    package struct ChangeMark: Equatable {
        package var kind: Mark.Kind
        package var text: String
        /// The names of the controls that were set; nil for a lock.
        package var subject: String?
    }

    /// Returns the mark that a change of the controls calls for; nil if none does.
    ///
    /// A lock sets many controls, but has a single mark, and so has the search for an exposure when it ends. A change
    /// that an automatic control makes has none.
    package func mark(since before: ControlState) -> ChangeMark? {
        guard camera?.id == before.camera?.id, camera != nil else { return nil }
        switch (before.isLocked, isLocked) {
        case (false, true): return ChangeMark(kind: .lock, text: "The automatic controls were locked for measuring.")
        case (true, false): return ChangeMark(kind: .lock, text: "The automatic controls were unlocked.")
        default: break
        }
        guard !isSettingExposure else { return nil }
        let chosen = before.isSettingExposure ? exposure?.result?.values : nil
        let changes = chosen ?? controls.changedControls(since: before.controls)
        guard !changes.isEmpty else { return nil }
        let names = changes.prefix(Self.maxNames).map { "\($0.label): \($0.valueText)" }.joined(separator: ", ")
        let more = changes.count - Self.maxNames
        return ChangeMark(
            kind: .controls, text: (names + (more > 0 ? " and \(more) more" : "")).sanitized(limit: Mark.maxLength),
            subject: changes.map(\.name).joined(separator: " "))
    }

    package var isSettingExposure: Bool {
        if case .setting = exposure { true } else { false }
    }

    /// Whether the automatic controls are locked for measuring.
    package var isLocked: Bool {
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
        case .menu, .integerMenu:
            return choices.first { $0.value == number }?.name.sanitized(limit: 80) ?? "\(number)"
        default: return "\(number)"
        }
    }
}

extension Reading.Camera {
    /// Reads the values of the camera's controls from its device; none if it cannot be opened.
    package func readControls() -> [String: Sample.ControlValue] {
        guard let device, let device = try? Device(opening: device) else { return [:] }
        return device.controls().valuesByName
    }
}

extension [Control] {
    /// The values that a sample carries, by the names of the controls.
    package var valuesByName: [String: Sample.ControlValue] {
        let values = compactMap { control in
            control.value.map { (control.name, Sample.ControlValue($0)) }
        }
        return Dictionary(values) { first, _ in first }
    }

    /// A warning that the colour may drift, with the reason; nil while no automatic control is on.
    package var automaticWarning: String? {
        let names = activeAutoControls.map(\.control.label)
        guard !names.isEmpty else { return nil }
        return "\(names.list) \(names.count == 1 ? "is" : "are") on: the camera may change the colour by itself. "
            + "Lock it for measuring."
    }

    /// Returns the label of the first of the ``changedControls(since:)``; nil if there is none.
    package func firstChangedLabel(since before: [Control]) -> String? { changedControls(since: before).first?.label }

    /// Returns the controls whose values have changed, except those that an automatic control may have changed and
    /// those that are read-only.
    func changedControls(since before: [Control]) -> [Control] {
        let values = Dictionary(before.map { ($0.id, $0.value) }) { first, _ in first }
        let changed = filter { control in
            !control.isReadOnly && values[control.id].map { $0 != control.value } == true
        }
        let controlled = Set(automaticallySet.map(\.id))
        return changed.filter { !controlled.contains($0.id) }
    }
}

extension Sample.ControlValue {
    fileprivate init(_ value: Control.Value) {
        switch value {
        case .number(let number): self = .number(number)
        case .text(let text): self = .text(text.sanitized())
        }
    }
}
