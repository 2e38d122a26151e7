import CV4L2

/// A control by which the camera changes others of its own accord, and so the colours that it gives.
public struct AutoControl: Equatable, Sendable {
    /// What is controlled, for people.
    public enum Quantity: String, CaseIterable, Sendable {
        /// How long light is gathered.
        case exposure
        /// How much the signal is amplified; the sensitivity of a still camera.
        case gain
        /// Which grey is grey.
        case whiteBalance = "white balance"
        /// How far away things are sharp.
        case focus
        /// How much dark parts are lifted before a light background.
        case backlightCompensation = "backlight compensation"
        /// Anything else that colours follow from.
        case other = "picture"
    }

    /// `V4L2_CID_*` of the automatic.
    public let id: UInt32
    /// The value that switches it off.
    public let manual: Int64
    /// What it rules.
    public let quantity: Quantity
    /// `V4L2_CID_*` of what it sets.
    public let controlled: [UInt32]

    private init(_ id: Int32, manual: Int64 = 0, _ quantity: Quantity, _ controlled: [Int32]) {
        self.id = UInt32(bitPattern: id)
        self.manual = manual
        self.quantity = quantity
        self.controlled = controlled.map { UInt32(bitPattern: $0) }
    }

    /// Those that the kernel names (`linux/v4l2-controls.h`; kernel documentation, "User Controls" and "Camera Control
    /// Reference").
    public static let all = [
        AutoControl(
            V4L2_CID_EXPOSURE_AUTO, manual: Int64(V4L2_EXPOSURE_MANUAL.rawValue), .exposure,
            [V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_CID_EXPOSURE, V4L2_CID_IRIS_ABSOLUTE]),
        AutoControl(V4L2_CID_AUTOGAIN, .gain, [V4L2_CID_GAIN]),
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

    /// Values that a picture's colours follow from although no automatic need rule them.
    public static let measured: [(quantity: Quantity, id: UInt32)] =
        all.flatMap { automatic in automatic.controlled.map { (automatic.quantity, $0) } }
        + [(.backlightCompensation, UInt32(bitPattern: V4L2_CID_BACKLIGHT_COMPENSATION))]

    /// Whether it is on, as its control is set.
    public func isOn(_ control: Control) -> Bool {
        control.value.map { $0 != .number(manual) } ?? false
    }
}

extension [Control] {
    /// The automatics that are on.
    public var activeAutomatics: [(automatic: AutoControl, control: Control)] {
        AutoControl.all.compactMap { automatic in
            first { $0.id == automatic.id && automatic.isOn($0) }.map { (automatic, $0) }
        }
    }

    /// The automatic that has taken a control over; nil if none has.
    public func controller(of control: Control) -> Control? {
        activeAutomatics.first { $0.automatic.controlled.contains(control.id) }?.control
    }
}
