import CV4L2
import Glibc
import ModelCamera
import TestSupport
import Testing
import Untrusted
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

/// Tests of changes without a request: events and edits to the configuration.
extension ControlLoopTests {
    @Test("an event refreshes the control that it names and no other")
    func event() {
        stage.run(
            {
                stage.model.values[ControlStage.brightness] = .number(55)
                stage.model.values[ControlStage.whiteBalance] = .number(0)
                stage.events = [ControlStage.brightness]
            }, {})
        #expect(stage.value("brightness") == .number(55))
        #expect(stage.value("white_balance_automatic") == .number(1))
        #expect(stage.revisions.value.controls == 2)
    }

    @Test("a control set by another program counts as a possible change of the colour")
    func influence() {
        stage.run(
            {
                stage.model.values[ControlStage.brightness] = .number(55)
                stage.events = [ControlStage.brightness]
            }, {})
        #expect(stage.influence.value.changeCount == 1)
    }

    @Test("a value that the camera itself changes is published, but does not start statistics again")
    func noInfluence() {
        stage.model.add(V4L2_CID_CONTRAST, "Frames", flags: V4L2_CTRL_FLAG_READ_ONLY, value: 1)
        stage.run(
            {
                stage.model.values[ControlStage.temperature] = .number(4100)
                stage.events = [ControlStage.temperature]
            },
            {
                stage.model.values[UInt32(V4L2_CID_CONTRAST)] = .number(2)
                stage.events = [UInt32(V4L2_CID_CONTRAST)]
            }, {}, {})
        #expect(stage.value("white_balance_temperature") == .number(4100))
        #expect(stage.value("frames") == .number(2))
        #expect(stage.revisions.value.controls == 3)
        #expect(stage.influence.value.changeCount == 0)
    }

    @Test("an event that names no control of the camera, or one that is gone, changes nothing")
    func strangeEvent() {
        stage.run(
            {
                stage.model.list.removeAll { $0.id == ControlStage.brightness }
                stage.events = [ControlStage.brightness, 12345]
            }, {})
        #expect(stage.value("brightness") == .number(100))
        #expect(stage.revisions.value.controls == 1)
    }

    @Test("while somebody watches, the control loop waits for 0.3 s after an event before it reads the next")
    func quietTime() {
        let token = stage.demand.watch()
        stage.run({ stage.events = [ControlStage.brightness] }, {}, {})
        #expect(stage.waits == [0.3])
        withExtendedLifetime(token) {}
    }

    @Test("while nobody watches, the control loop waits for 10 s after an event before it reads the next")
    func longQuietTime() {
        stage.run({ stage.events = [ControlStage.brightness] }, {}, {})
        #expect(stage.waits == [10])
    }

    @Test("an edit to the configuration sets the controls that changed and no others")
    func edited() {
        stage.model.add(V4L2_CID_CONTRAST, "Contrast", value: 2)
        stage.config.update { $0.camera.controls = ["brightness": .integer(100), "contrast": .integer(2)] }
        stage.run(
            { stage.config.update { $0.camera.controls["brightness"] = .integer(3) } },
            { stage.config.update { $0.camera.controls["nosuch"] = .integer(1) } }, {})
        #expect(stage.model.changes == [ControlStage.brightness])
        #expect(stage.value("brightness") == .number(3))
        let sentence = "camera.controls: nosuch is not a control of this camera."
        #expect(stage.notices.all.first == Notice(topic: .controls, message: sentence))
        #expect(stage.recorder.lines == [sentence])
    }

    @Test("the control loop does not set again what opening the camera has set")
    func setBefore() {
        stage.config.update { $0.camera.controls = ["brightness": .integer(100)] }
        stage.run({})
        #expect(stage.model.changes.isEmpty)
    }

    @Test("the control loop applies an edit that was made after the camera was opened and before it delivered")
    func editedBefore() {
        stage.camera.publish(nil)
        stage.run(
            {
                stage.config.update { $0.camera.controls = ["brightness": .integer(3)] }
                stage.camera.publish(.init(id: "usb-A", name: "A", device: "/dev/video0"))
            }, {})
        #expect(stage.model.changes == [ControlStage.brightness])
        #expect(stage.opened.count == 1)
    }

    @Test("the notice about drift names the automatic controls that are on", arguments: 1...3)
    func drift(count: Int) {
        stage.model.list = []
        let automatics = [
            (V4L2_CID_AUTO_WHITE_BALANCE, "White"), (V4L2_CID_AUTOGAIN, "Gain"), (V4L2_CID_HUE_AUTO, "Hue"),
        ]
        for (id, name) in automatics.prefix(count) {
            stage.model.add(id, name, V4L2_CTRL_TYPE_BOOLEAN, 0...1, value: 1)
        }
        let names = ["White is on", "Gain and White are on", "Gain, White and Hue are on"][count - 1]
        stage.run({})
        #expect(
            stage.notices.all == [
                Notice(
                    topic: .drift,
                    message: "\(names): the camera may change the colour by itself. Lock it for measuring.")
            ])
    }
}
