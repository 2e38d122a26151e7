import CV4L2
import Color
import Glibc
import Metrology
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
        fixture.run(
            {
                fixture.model.values[ControlLoopFixture.brightness] = .number(55)
                fixture.model.values[ControlLoopFixture.whiteBalance] = .number(0)
                fixture.events = [ControlLoopFixture.brightness]
            }, {})
        #expect(fixture.value("brightness") == .number(55))
        #expect(fixture.value("white_balance_automatic") == .number(1))
        #expect(fixture.revisions.value.controls == 2)
    }

    @Test("an event does not give a control the name of another with the same label")
    func sameName() {
        fixture.model.add(V4L2_CID_CONTRAST, "Brightness", value: 1)
        let name = "brightness_0x980901"
        fixture.run(
            {
                #expect(fixture.value(name) == .number(1))
                fixture.model.values[UInt32(V4L2_CID_CONTRAST)] = .number(2)
                fixture.events = [UInt32(V4L2_CID_CONTRAST)]
            }, {})
        #expect(fixture.value(name) == .number(2))
        #expect(fixture.value("brightness") == .number(100))
    }

    @Test("a value that an automatic control changes does not count, if the driver's flags say that it does")
    func flagged() {
        fixture.model.add(V4L2_CID_EXPOSURE, "Exposure", flags: V4L2_CTRL_FLAG_VOLATILE, value: 1)
        fixture.run(
            {
                fixture.model.values[UInt32(V4L2_CID_EXPOSURE)] = .number(2)
                fixture.events = [UInt32(V4L2_CID_EXPOSURE)]
            }, {})
        #expect(fixture.value("exposure") == .number(2))
        #expect(fixture.influence.value.changeCount == 0)
    }

    @Test("a control set by another program counts as a possible change of the colour")
    func influence() {
        fixture.run(
            {
                fixture.model.values[ControlLoopFixture.brightness] = .number(55)
                fixture.events = [ControlLoopFixture.brightness]
            }, {})
        #expect(fixture.influence.value.changeCount == 1)
        #expect(fixture.influence.value.camera == fixture.shared.controls.value.camera?.id)
        #expect(fixture.influence.value.controls["brightness"] == .number(55))
    }

    @Test("readings know which of exposure, gain and saturation can be set")
    func adjustable() {
        fixture.model.add(V4L2_CID_EXPOSURE_ABSOLUTE, "Exposure", value: 1)
        fixture.model.add(V4L2_CID_GAIN, "Gain", flags: V4L2_CTRL_FLAG_READ_ONLY, value: 1)
        fixture.model.add(V4L2_CID_SATURATION, "Saturation", value: 1)
        fixture.run({})
        #expect(fixture.influence.value.adjustable == [.exposure, .saturation])
    }

    @Test("a value that the camera itself changes is published, but does not start statistics again")
    func noInfluence() {
        fixture.model.add(V4L2_CID_CONTRAST, "Frames", flags: V4L2_CTRL_FLAG_READ_ONLY, value: 1)
        fixture.run(
            {
                fixture.model.values[ControlLoopFixture.temperature] = .number(4100)
                fixture.events = [ControlLoopFixture.temperature]
            },
            {
                fixture.model.values[UInt32(V4L2_CID_CONTRAST)] = .number(2)
                fixture.events = [UInt32(V4L2_CID_CONTRAST)]
            }, {}, {})
        #expect(fixture.value("white_balance_temperature") == .number(4100))
        #expect(fixture.value("frames") == .number(2))
        #expect(fixture.revisions.value.controls == 3)
        #expect(fixture.influence.value.changeCount == 0)
    }

    @Test("an event that names no control of the camera, or one that is gone, changes nothing")
    func strangeEvent() {
        fixture.run(
            {
                fixture.model.list.removeAll { $0.id == ControlLoopFixture.brightness }
                fixture.events = [ControlLoopFixture.brightness, 12345]
            }, {})
        #expect(fixture.value("brightness") == .number(100))
        #expect(fixture.revisions.value.controls == 1)
    }

    @Test("while somebody watches, the control loop waits for 0.3 s after an event before it reads the next")
    func quietTime() {
        let token = fixture.demand.watch()
        fixture.run({ fixture.events = [ControlLoopFixture.brightness] }, {}, {})
        #expect(fixture.waits == [0.3])
        withExtendedLifetime(token) {}
    }

    @Test("while nobody watches, the control loop waits for 10 s after an event before it reads the next")
    func longQuietTime() {
        fixture.run({ fixture.events = [ControlLoopFixture.brightness] }, {}, {})
        #expect(fixture.waits == [10])
    }

    @Test("while a calibration depends on the controls, each event is read soon, even if nobody watches")
    func calibrated() throws {
        let id = try #require(fixture.camera.value?.id)
        let card = CalibrationMeasurements.Card(
            measured: PatchMeasurement(linear: .init(r: 0.4, g: 0.3, b: 0.2)), luminance: 0.18)
        let conditions = MeasuringConditions(camera: id, format: "YUYV", width: 640, height: 480)
        let calibration = try Calibration(.init(card: card), conditions: conditions, time: "")
        fixture.shared.calibrations.calibrations.publish([id: calibration])
        fixture.run({ fixture.events = [ControlLoopFixture.brightness] }, {}, {})
        #expect(fixture.waits == [0.3])
    }

    @Test("an edit to the configuration sets the controls that changed and no others")
    func edited() {
        fixture.model.add(V4L2_CID_CONTRAST, "Contrast", value: 2)
        fixture.config.update { $0.effective.camera.controls = ["brightness": .integer(100), "contrast": .integer(2)] }
        fixture.run(
            { fixture.config.update { $0.effective.camera.controls["brightness"] = .integer(3) } },
            { fixture.config.update { $0.effective.camera.controls["nosuch"] = .integer(1) } }, {})
        #expect(fixture.model.changes == [ControlLoopFixture.brightness])
        #expect(fixture.value("brightness") == .number(3))
        let sentence = "camera.controls: nosuch is not a control of this camera."
        #expect(fixture.notices.all.first == Notice(topic: .controls, message: sentence))
        #expect(fixture.recorder.lines == [sentence])
    }

    @Test("the control loop does not set again what opening the camera has set")
    func setBefore() {
        fixture.config.update { $0.effective.camera.controls = ["brightness": .integer(100)] }
        fixture.run({})
        #expect(fixture.model.changes.isEmpty)
    }

    @Test("the control loop applies an edit that was made after the camera was opened and before it delivered")
    func editedBefore() {
        fixture.camera.publish(nil)
        fixture.run(
            {
                fixture.config.update { $0.effective.camera.controls = ["brightness": .integer(3)] }
                fixture.camera.publish(.init(id: "usb-A", name: "A", device: "/dev/video0"))
            }, {})
        #expect(fixture.model.changes == [ControlLoopFixture.brightness])
        #expect(fixture.opened.count == 1)
    }

    @Test("the notice about drift names the automatic controls that are on", arguments: 1...3)
    func drift(count: Int) {
        fixture.model.list = []
        let automatics = [
            (V4L2_CID_AUTO_WHITE_BALANCE, "White"), (V4L2_CID_AUTOGAIN, "Gain"), (V4L2_CID_HUE_AUTO, "Hue"),
        ]
        for (id, name) in automatics.prefix(count) {
            fixture.model.add(id, name, V4L2_CTRL_TYPE_BOOLEAN, 0...1, value: 1)
        }
        let names = ["White is on", "Gain and White are on", "Gain, White and Hue are on"][count - 1]
        fixture.run({})
        #expect(
            fixture.notices.all == [
                Notice(
                    topic: .automatic,
                    message: "\(names): the camera may change the colour by itself. Lock it for measuring.")
            ])
    }
}
