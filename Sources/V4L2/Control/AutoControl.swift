import CV4L2

/// A control that lets the camera change other controls by itself, and with them the colours it delivers.
public struct AutoControl: Equatable, Sendable {
    /// The quantity that an automatic control adjusts, in words for people.
    public enum Quantity: String, CaseIterable, Sendable {
        /// The time for which the sensor collects light.
        case exposure
        /// The amplification of the signal, which a still camera calls its sensitivity.
        case gain
        /// The colour of light that counts as neutral.
        case whiteBalance = "white balance"
        /// The distance at which objects are sharp.
        case focus
        /// The brightening of dark parts in front of a bright background.
        case backlightCompensation = "backlight compensation"
        /// Anything else that affects colours.
        case other = "picture"
    }

    /// The `V4L2_CID_*` of the automatic control.
    public let id: UInt32
    /// The value that turns it off.
    public let offValue: Int64
    /// The quantity that it adjusts.
    public let quantity: Quantity
    /// The `V4L2_CID_*` of the controls that it sets, as the kernel documents it. A driver may let it set more, and
    /// then marks those as inactive or volatile: see ``Swift/Array/automaticallySet``.
    public let controlled: [UInt32]

    private init(_ id: Int32, offValue: Int64 = 0, _ quantity: Quantity, _ controlled: [Int32]) {
        self.id = UInt32(bitPattern: id)
        self.offValue = offValue
        self.quantity = quantity
        self.controlled = controlled.map { UInt32(bitPattern: $0) }
    }

    /// The automatic controls that the kernel defines (`linux/v4l2-controls.h`; kernel documentation, "User Controls"
    /// and "Camera Control Reference").
    public static let all = [
        AutoControl(
            V4L2_CID_EXPOSURE_AUTO, offValue: Int64(V4L2_EXPOSURE_MANUAL.rawValue), .exposure,
            [V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_CID_EXPOSURE, V4L2_CID_IRIS_ABSOLUTE]),
        AutoControl(V4L2_CID_AUTOGAIN, .gain, [V4L2_CID_GAIN, V4L2_CID_ANALOGUE_GAIN, V4L2_CID_DIGITAL_GAIN]),
        AutoControl(V4L2_CID_ISO_SENSITIVITY_AUTO, .gain, [V4L2_CID_ISO_SENSITIVITY]),
        AutoControl(
            V4L2_CID_AUTO_WHITE_BALANCE, .whiteBalance,
            [V4L2_CID_WHITE_BALANCE_TEMPERATURE, V4L2_CID_RED_BALANCE, V4L2_CID_BLUE_BALANCE]),
        AutoControl(
            V4L2_CID_AUTO_N_PRESET_WHITE_BALANCE, .whiteBalance, [V4L2_CID_RED_BALANCE, V4L2_CID_BLUE_BALANCE]),
        AutoControl(V4L2_CID_FOCUS_AUTO, .focus, [V4L2_CID_FOCUS_ABSOLUTE]),
        AutoControl(V4L2_CID_AUTOBRIGHTNESS, .other, [V4L2_CID_BRIGHTNESS]),
        AutoControl(V4L2_CID_HUE_AUTO, .other, [V4L2_CID_HUE]),
        AutoControl(V4L2_CID_CHROMA_AGC, .other, [V4L2_CID_CHROMA_GAIN]),
    ]

    fileprivate static let ids = Set(all.map(\.id))

    /// The controls that affect a picture's colours, whether or not an automatic control sets them.
    public static let colorControls: [(quantity: Quantity, id: UInt32)] =
        all.flatMap { automatic in automatic.controlled.map { (automatic.quantity, $0) } }
        + [(.backlightCompensation, UInt32(bitPattern: V4L2_CID_BACKLIGHT_COMPENSATION))]

    /// Returns whether the value of the control turns it on.
    public func isOn(_ control: Control) -> Bool {
        control.value.map { $0 != .number(offValue) } ?? false
    }
}

extension [Control] {
    /// The automatic controls that are turned on.
    public var activeAutoControls: [(automatic: AutoControl, control: Control)] {
        let automatics = filter { AutoControl.ids.contains($0.id) }
        return AutoControl.all.compactMap { automatic in
            automatics.first { $0.id == automatic.id && automatic.isOn($0) }.map { (automatic, $0) }
        }
    }

    /// The controls that automatic controls may set now: those that are documented, and while any is on, the numbers
    /// that the driver marks as inactive or volatile. For example, gspca's automatic gain sets the exposure too.
    public var automaticallySet: [Control] {
        let active = activeAutoControls
        guard !active.isEmpty else { return [] }
        let documented = Set(active.flatMap(\.automatic.controlled))
        return filter { control in
            documented.contains(control.id)
                || (control.isInactive || control.isVolatile) && control.kind == .integer
        }
    }

    /// Returns the automatic control that has taken over a control; nil if none has.
    public func controller(of control: Control) -> Control? {
        activeAutoControls.first { $0.automatic.controlled.contains(control.id) }?.control
    }
}

extension [Control] {
    /// The control that sets how long the sensor collects light; nil if there is none that can be set.
    public var exposureControl: Control? { firstNumber(of: [V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_CID_EXPOSURE]) }

    /// The control that amplifies the signal of every channel; nil if there is none that can be set. The gain in the
    /// sensor comes first, because a gain after it adds noise.
    public var gainControl: Control? { firstNumber(of: [V4L2_CID_ANALOGUE_GAIN, V4L2_CID_GAIN]) }

    /// The control that makes colours paler or stronger; nil if there is none that can be set.
    public var saturationControl: Control? { firstNumber(of: [V4L2_CID_SATURATION]) }

    private func firstNumber(of ids: [Int32]) -> Control? {
        ids.lazy.compactMap { id in first { $0.id == UInt32(bitPattern: id) } }
            .first { $0.kind == .integer && !$0.isReadOnly && $0.value != nil && $0.minimum < $0.maximum }
    }
}
