import CV4L2

@testable package import V4L2

extension Control {
    /// Returns a control as a driver describes it.
    package static func sample(
        _ id: Int32 = V4L2_CID_CONTRAST, _ name: String = "contrast", _ kind: Kind = .integer,
        _ range: ClosedRange<Int64> = 0...255, step: Int64 = 1, value: Value? = .number(128), choices: [Choice] = [],
        isReadOnly: Bool = false, isInactive: Bool = false
    ) -> Control {
        Control(
            id: UInt32(bitPattern: id), name: name, label: name, kind: kind, minimum: range.lowerBound,
            maximum: range.upperBound, step: step, defaultValue: .number(128), value: value, choices: choices,
            isReadOnly: isReadOnly, isInactive: isInactive)
    }

    package static let exposures = [
        Choice(value: 1, name: "Manual Mode"), Choice(value: 3, name: "Aperture Priority Mode"),
    ]

    /// Returns a webcam's controls, with the automatic ones on or off.
    package static func webcam(automatic isOn: Bool, exposure: Int64 = 250, temperature: Int64 = 4000) -> [Control] {
        [
            sample(V4L2_CID_BRIGHTNESS, "brightness"),
            sample(
                V4L2_CID_AUTO_WHITE_BALANCE, "white_balance_automatic", .boolean, 0...1, value: .number(isOn ? 1 : 0)),
            sample(
                V4L2_CID_WHITE_BALANCE_TEMPERATURE, "white_balance_temperature", .integer, 2000...7500, step: 10,
                value: .number(temperature), isInactive: isOn),
            sample(V4L2_CID_BACKLIGHT_COMPENSATION, "backlight_compensation", .integer, 0...4, value: .number(1)),
            sample(
                V4L2_CID_EXPOSURE_AUTO, "auto_exposure", .menu, 0...3, value: .number(isOn ? 3 : 1), choices: exposures),
            sample(
                V4L2_CID_EXPOSURE_ABSOLUTE, "exposure_time_absolute", .integer, 3...2047, value: .number(exposure),
                isInactive: isOn),
        ]
    }
}

extension DeviceNode {
    package static let c920 = DeviceNode(
        path: "/dev/video0", id: "usb-C920", aliases: ["pci-1", "uvcvideo-1"], name: "HD Pro Webcam C920",
        driver: "uvcvideo", bus: "1", formats: ["H264", "YUYV"])
}
