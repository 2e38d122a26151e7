import CV4L2
import Glibc
import ModelCamera
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("The notice about controls that the camera refused to set")
struct RefusedControlsTests {
    private static let message = "Not all controls were reset: brightness cannot be set while the camera is in use."

    private let stage: ControlStage

    init() throws {
        stage = try ControlStage()
        stage.model.add(V4L2_CID_BRIGHTNESS, "Brightness", value: 100)
        stage.model.refusals = [ControlStage.brightness: EBUSY]
    }

    /// The messages about controls.
    private var messages: [String] { stage.notices.all.filter { $0.topic == .controls }.map(\.message) }

    @Test("a control that the camera refuses to reset is named in a notice")
    func reset() {
        stage.run(stage.asking(.reset), {})
        #expect(messages == [Self.message])
    }

    @Test("a control that the camera refuses to reset is named in the log")
    func log() {
        stage.run(stage.asking(.reset), {})
        #expect(stage.recorder.lines == [Self.message])
    }

    @Test("a reset that the camera refuses in part returns the state of the controls")
    func answer() {
        stage.run(stage.asking(.reset), {})
        #expect(stage.answers == ["done"])
    }

    @Test("an automatic control that the camera refuses to unlock is named in a notice")
    func unlock() {
        stage.addWebcam()
        stage.readings.update { $0.mean = .init(r: 1, g: 2, b: 3) }
        stage.run(
            stage.asking(.lock), { stage.advance(1.5) },
            {
                stage.model.refusals = [ControlStage.whiteBalance: EBUSY]
                stage.ask(.unlock)
            }, {})
        #expect(
            messages == [
                "Not all controls were unlocked: "
                    + "white_balance_automatic cannot be set while the camera is in use."
            ])
    }

    @Test("a control that an automatic control has taken over is not reported when it is reset")
    func takenOver() {
        stage.addWebcam()
        stage.model.refusals = [:]
        for index in stage.model.list.indices where stage.model.list[index].id == ControlStage.whiteBalance {
            stage.model.list[index].default_value = 1
        }
        stage.run(stage.asking(.reset), {})
        #expect(messages.isEmpty)
    }

    @Test("the notice is withdrawn when the controls are reset after all")
    func resetAgain() {
        stage.run(
            stage.asking(.reset),
            {
                stage.model.refusals = [:]
                stage.ask(.reset)
            }, {})
        #expect(messages.isEmpty)
    }

    @Test("the notice is withdrawn when another program has set the control to its default")
    func setByAnother() {
        stage.run(
            stage.asking(.reset),
            {
                stage.model.values[ControlStage.brightness] = .number(128)
                stage.events = [ControlStage.brightness]
            }, {}, {})
        #expect(messages.isEmpty)
    }

    @Test("the notice is withdrawn when a client has set the control to another value")
    func setByClient() {
        stage.run(
            stage.asking(.reset),
            {
                stage.model.refusals = [:]
                stage.ask(.set(name: "brightness", .integer(7)))
            }, {})
        #expect(messages.isEmpty)
    }

    @Test("the notice is withdrawn when another camera is in use")
    func anotherCamera() {
        stage.run(
            stage.asking(.reset), { stage.camera.publish(.init(id: "usb-B", name: "B", device: "/dev/video1")) }, {})
        #expect(messages.isEmpty)
    }

    @Test("the notice is withdrawn when the camera is gone")
    func gone() {
        stage.run(
            stage.asking(.reset),
            {
                stage.isPluggedIn = false
                stage.hangUp()
            }, {})
        #expect(messages.isEmpty)
    }

    @Test("a configured control that the camera lacks is named in a notice")
    func configured() {
        stage.config.update { $0.camera.controls = ["nosuch": .integer(1)] }
        stage.run({})
        #expect(messages == ["camera.controls: nosuch is not a control of this camera."])
    }

    @Test("an edit that sets one control leaves the notice about another one")
    func anotherEdit() {
        stage.model.refusals = [:]
        stage.config.update { $0.camera.controls = ["nosuch": .integer(1)] }
        stage.run({ [stage] in stage.config.update { $0.camera.controls["brightness"] = .integer(7) } }, {})
        #expect(messages == ["camera.controls: nosuch is not a control of this camera."])
    }

    @Test("the notice about a configured control is withdrawn when its key is deleted")
    func deleted() {
        stage.config.update { $0.camera.controls = ["nosuch": .integer(1)] }
        stage.run({ [stage] in stage.config.update { $0.camera.controls = [:] } }, {})
        #expect(messages.isEmpty)
    }

    @Test("refusals of configured controls and of a reset are both named")
    func both() {
        stage.config.update { $0.camera.controls = ["nosuch": .integer(1)] }
        stage.run(stage.asking(.reset), {})
        #expect(messages == ["camera.controls: nosuch is not a control of this camera. " + Self.message])
    }
}
