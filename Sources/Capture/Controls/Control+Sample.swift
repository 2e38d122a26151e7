package import Readings
import Untrusted
package import V4L2

extension Reading.Camera {
    /// Reads the values of the camera's controls from its device; none if it cannot be opened.
    package func readControls() -> [String: Sample.Setting] {
        guard let device, let device = try? Device(opening: device) else { return [:] }
        return device.controls().settings
    }
}

extension [Control] {
    /// The values that a sample carries, by the names of the controls.
    package var settings: [String: Sample.Setting] {
        let settings = compactMap { control in
            control.value.map { (control.name.sanitized(), Sample.Setting($0)) }
        }
        return Dictionary(settings) { first, _ in first }
    }

    /// Returns the label of the first of the ``changedControls(since:)``; nil if there is none.
    package func firstChangedLabel(since before: [Control]) -> String? { changedControls(since: before).first?.label }

    /// Returns the controls whose values have changed, except those that an automatic control may have changed and
    /// those that are read-only.
    func changedControls(since before: [Control]) -> [Control] {
        let controlled = activeAutoControls.flatMap { $0.automatic.controlled }
        return filter { control in
            !controlled.contains(control.id) && !control.isReadOnly
                && before.contains { $0.id == control.id && $0.value != control.value }
        }
    }
}

extension Sample.Setting {
    fileprivate init(_ value: Control.Value) {
        switch value {
        case .number(let number): self = .number(number)
        case .text(let text): self = .text(text.sanitized())
        }
    }
}
