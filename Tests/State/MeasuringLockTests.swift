import CV4L2
import TestSupport
import Testing
import V4L2

@testable import Documents
@testable import Handoff
@testable import Readings
@testable import State

@Suite("Locking for measuring")
struct MeasuringLockTests {
    /// Returns the steps by which controls are locked.
    private func steps(_ controls: [Control]) -> [String] {
        MeasuringLock.plan(controls).map { "\($0.control.name) = \($0.value)" }
    }

    @Test("the lock turns automatic controls off before it sets what they adjusted to the values that they chose")
    func plan() {
        let first = ["auto_exposure = 1", "white_balance_automatic = 0"]
        let controls = Control.webcam(automatic: true, exposure: 333, temperature: 5000)
        #expect(
            steps(controls) == first + ["white_balance_temperature = 5000", "exposure_time_absolute = 333"])
        // A value that was read between two steps, or beyond the range, becomes the nearest that may be set.
        #expect(
            steps(Control.webcam(automatic: true, exposure: 9999, temperature: 4007))
                == first + ["white_balance_temperature = 4010", "exposure_time_absolute = 2047"])
        let readOnly = controls.map { control in
            var control = control
            control.isReadOnly = control.name == "exposure_time_absolute"
            return control
        }
        #expect(steps(readOnly) == first + ["white_balance_temperature = 5000"])
        #expect(steps(Control.webcam(automatic: false)).isEmpty)
    }

    @Test("the result of a lock lists what is locked, what the camera lacks, and the lines that restore the lock")
    func result() {
        let refused = [ControlRefusal(name: "exposure_time_absolute", reason: "was set to 333, and is 332")]
        let result = MeasuringLock.result(
            isSettled: true, before: Control.webcam(automatic: true), after: Control.webcam(automatic: false),
            refused: refused)
        #expect(result.missing == [.gain, .focus])
        #expect(result.refused == refused)
        #expect(
            result.locked.configuration == """
                [camera.controls]
                white_balance_automatic = 0
                auto_exposure = 1
                white_balance_temperature = 4000
                backlight_compensation = 1

                """)
        #expect(result.before.map(\.value) == [.number(3), .number(1)])
    }

    @Test("what an automatic control sets, as the driver's flags say, is locked, and each control once")
    func flagged() {
        let exposure = Control.sample(V4L2_CID_EXPOSURE, "exposure", value: .number(9), isInactive: true)
        let saturation = Control.sample(V4L2_CID_SATURATION, "saturation", value: .number(8), isInactive: true)
        let red = Control.sample(V4L2_CID_RED_BALANCE, "red_balance", value: .number(7))
        func automatic(_ value: Int64) -> Control {
            .sample(V4L2_CID_AUTOGAIN, "gain_automatic", .boolean, 0...1, value: .number(value))
        }
        let before = [exposure, saturation, red, automatic(1)]
        #expect(steps(before) == ["gain_automatic = 0", "exposure = 9", "saturation = 8"])
        let after = [exposure, saturation, red, automatic(0)].map { control in
            var control = control
            control.isInactive = false
            return control
        }
        let result = MeasuringLock.result(isSettled: true, before: before, after: after, refused: [])
        #expect(result.locked.map(\.name) == ["gain_automatic", "exposure", "saturation", "red_balance"])
    }

    @Test("a control that is inactive for another reason is neither locked nor reported as refused")
    func otherReason() {
        let signal = Control.sample(V4L2_CID_SHARPNESS, "sharpness", isInactive: true)
        let mode = Control.sample(V4L2_CID_COLORFX, "mode", .menu, isInactive: true)
        let before = [signal, mode] + Control.webcam(automatic: true)
        #expect(!MeasuringLock.plan(before).contains { $0.control.name == "mode" })
        let refused = ["sharpness", "exposure_time_absolute"].map { ControlRefusal(name: $0, reason: "has no effect") }
        let after = [signal, mode] + Control.webcam(automatic: false)
        let result = MeasuringLock.result(isSettled: true, before: before, after: after, refused: refused)
        #expect(result.refused.map(\.name) == ["exposure_time_absolute"])
        #expect(!result.locked.contains { ["sharpness", "mode"].contains($0.name) })
    }

    @Test("brightness is part of the lock only if an automatic control changes it", arguments: [true, false])
    func brightness(isAutomatic: Bool) {
        var controls = Control.webcam(automatic: false)
        if isAutomatic {
            controls.append(
                .sample(V4L2_CID_AUTOBRIGHTNESS, "brightness_automatic", .boolean, 0...1, value: .number(0)))
        }
        let result = MeasuringLock.result(isSettled: true, before: controls, after: controls, refused: [])
        #expect(result.locked.contains { $0.name == "brightness" } == isAutomatic)
    }

    @Test("a lock's document lists what is locked, missing and refused, and the lines for the configuration")
    func document() {
        let result = MeasuringLock.Result(
            isSettled: true, locked: [.sample(value: .number(7))], missing: [.gain],
            refused: [ControlRefusal(name: "gamma", reason: "is read-only")], before: [])
        let document = String(decoding: JSONWriter.data(MeasuringLock.locked(result)), as: UTF8.self)
        #expect(
            document == #"{"config":"[camera.controls]\ncontrast = 7\n","#
                + #""locked":[{"label":"contrast","name":"contrast","value":7}],"missing":["gain"],"phase":"locked","#
                + #""refused":[{"name":"gamma","reason":"is read-only"}],"settled":true}"#)
    }
}
