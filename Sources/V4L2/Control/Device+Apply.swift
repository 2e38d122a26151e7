/// A control that could not be set to the wanted value.
public struct ControlRefusal: Error, Equatable, Sendable {
    /// The control's name.
    public var name: String
    /// The reason, in a few words that follow the name.
    public var reason: String

    /// Creates a refusal from the given values, unchecked.
    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }
}

extension Device {
    /// Sets several controls in the order that their dependencies require, and reads them back.
    ///
    /// Automatic controls come first, then other switches and menus, then the rest: a value that an automatic control
    /// adjusts can be set only while that control is off.
    /// - Returns: The controls that could not be set, were set to another value, or have no effect.
    /// - Throws: `V4L2Error.system` if the device is gone.
    public func apply(_ wanted: [(control: Control, value: Control.Value)]) throws(V4L2Error) -> [ControlRefusal] {
        var refusals: [ControlRefusal] = []
        var set: [(control: Control, value: Control.Value)] = []
        for (control, value) in wanted.sorted(by: { $0.control.rank < $1.control.rank }) {
            if let problem = control.problem(with: value) {
                refusals.append(ControlRefusal(name: control.name, reason: problem))
                continue
            }
            do throws(V4L2Error) {
                try self.set(control, to: value)
                set.append((control, value))
            } catch .control(_, let errno, _) {
                refusals.append(ControlRefusal(name: control.name, reason: V4L2Error.controlReason(errno)))
            }
        }
        let now = controls()
        for (control, value) in set where control.kind != .button {
            guard let current = now.first(where: { $0.id == control.id }) else { continue }
            if current.isInactive {
                let controller =
                    now.controller(of: current).map { "\($0.label) has taken it over" } ?? "something else controls it"
                refusals.append(ControlRefusal(name: control.name, reason: "has no effect: \(controller)"))
            } else if let read = current.value, read != value {
                refusals.append(
                    ControlRefusal(name: control.name, reason: "was set to \(value.brief), but is \(read.brief)"))
            }
        }
        return refusals
    }
}

extension Control {
    /// The position in the order of setting; lower ranks are set first.
    fileprivate var rank: Int {
        if AutoControl.all.contains(where: { $0.id == id }) { return 0 }
        return switch kind {
        case .boolean, .menu, .integerMenu: 1
        default: 2
        }
    }
}
