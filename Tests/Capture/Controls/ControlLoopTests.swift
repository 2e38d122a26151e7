import CV4L2
import Color
import Glibc
import Metrology
import ModelCamera
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Documents
@testable import Handoff
@testable import Readings
@testable import State
@testable import Storage

@Suite("The control loop")
struct ControlLoopTests {
    let fixture: ControlLoopFixture

    init() throws {
        fixture = try ControlLoopFixture()
        fixture.addWebcam()
    }

    @Test("the controls of the camera in use are published")
    func published() {
        fixture.run({})
        #expect(fixture.opened == ["/dev/video0"])
        #expect(fixture.state.value.camera?.id == "usb-A")
        #expect(
            fixture.state.value.controls.map(\.name) == [
                "brightness", "white_balance_automatic", "white_balance_temperature",
            ])
        #expect(fixture.revisions.value.controls == 1)
        let document = String(decoding: JSONWriter.data(fixture.state.value), as: UTF8.self)
        #expect(
            document.contains(#""controls":[{"controlledBy":null,"default":128,"inactive":false,"label":"Brightness""#))
        #expect(document.contains(#""automatics":["white_balance_automatic"]"#))
    }

    @Test("the names of the automatic controls that are on are published for the readings")
    func automatics() {
        var names: [[String]] = []
        fixture.run(
            { [fixture] in
                names.append(fixture.influence.value.activeAutoControls)
                fixture.ask(.set(name: "white_balance_automatic", .boolean(false)))
            }, { [fixture] in names.append(fixture.influence.value.activeAutoControls) })
        #expect(names == [["White Balance, Automatic"], []])
    }

    @Test("waiting requests are answered in order, and a control's new value is published before the answer")
    func set() {
        fixture.run(
            {
                fixture.ask(.set(name: "brightness", .integer(1)))
                fixture.ask(.set(name: "nosuch", nil))
                fixture.ask(.set(name: "brightness", .integer(7)))
            }, {})
        #expect(fixture.answers == ["done", #"unknown("nosuch is not a control of this camera.")"#, "done"])
        #expect(fixture.model.values[ControlLoopFixture.brightness] == .number(7))
        #expect(fixture.value("brightness") == .number(7))
        #expect(fixture.revisions.value.controls == 3)
    }

    @Test(
        "a control that cannot be set is refused with the reason, and nothing is set",
        arguments: [
            (
                "brightnes", .integer(1),
                #"unknown("brightnes is not a control of this camera; did you mean brightness?")"#
            ),
            ("brightness", .integer(256), #"badValue("brightness takes 0...255, not 256.")"#),
            (
                "brightness", .list([]),
                #"badValue("brightness: this is a list, which no control accepts.")"#
            ),
            (
                "white_balance_temperature", .integer(5000),
                #"refused("white_balance_temperature cannot be set: White Balance, Automatic has taken it over.")"#
            ),
            ("gain", .integer(1), #"refused("gain is read-only.")"#),
            ("press", nil, #"badValue("press has no default.")"#),
        ] as [(String, ConfigValue?, String)])
    func refused(name: String, value: ConfigValue?, answer: String) {
        fixture.model.add(V4L2_CID_GAIN, "Gain", flags: V4L2_CTRL_FLAG_READ_ONLY, value: 5)
        fixture.model.add(V4L2_CID_DO_WHITE_BALANCE, "Press", V4L2_CTRL_TYPE_BUTTON, 0...0, value: 0)
        fixture.run(fixture.asking(.set(name: name, value)), {})
        #expect(fixture.answers == [answer])
        #expect(fixture.model.changes.isEmpty)
    }

    @Test(
        "a control is set to a value or to its default, if it is a button, or inactive without an automatic control",
        arguments: [
            ("brightness", nil, .number(128)), ("gamma", .integer(9), .number(9)),
            ("press", .boolean(true), .number(0)),
        ] as [(String, ConfigValue?, ModelControls.Value)])
    func taken(name: String, value: ConfigValue?, result: ModelControls.Value) {
        fixture.model.add(V4L2_CID_GAMMA, "Gamma", flags: V4L2_CTRL_FLAG_INACTIVE, value: 5)
        fixture.model.add(V4L2_CID_DO_WHITE_BALANCE, "Press", V4L2_CTRL_TYPE_BUTTON, 0...0, value: 0)
        fixture.run(fixture.asking(.set(name: name, value)), {})
        #expect(fixture.answers == ["done"])
        let id = fixture.model.changes.first
        #expect(fixture.model.changes.count == 1 && id.flatMap { fixture.model.values[$0] } == result)
    }

    @Test("a value that the driver refuses is refused with its reason, and the loop continues")
    func refusedByDriver() {
        fixture.model.refusals = [ControlLoopFixture.brightness: EBUSY]
        fixture.run(
            fixture.asking(.set(name: "brightness", .integer(7))),
            {
                fixture.model.refusals = [:]
                fixture.ask(.set(name: "brightness", .integer(7)))
            }, {})
        #expect(
            fixture.answers == [
                #"refused("/dev/video0: brightness cannot be changed at the moment.")"#, "done",
            ])
        #expect(fixture.opened.count == 1)
    }

    @Test("if the camera is gone when a control is set, the answer is that there is no camera")
    func goneWhenSet() {
        fixture.model.refusals = [ControlLoopFixture.brightness: ENODEV]
        fixture.run(
            {
                fixture.isPluggedIn = false
                fixture.ask(.set(name: "brightness", .integer(7)))
                fixture.ask(.reset)
            })
        #expect(fixture.answers == ["noCamera", "noCamera"])
        #expect(fixture.state.value == ControlState())
    }

    @Test("a reset sets only the controls that differ from their defaults and are not read-only")
    func reset() {
        fixture.model.add(V4L2_CID_GAIN, "Gain", flags: V4L2_CTRL_FLAG_READ_ONLY, value: 5)
        fixture.model.add(V4L2_CID_CONTRAST, "Contrast", value: 128)
        fixture.model.add(V4L2_CID_GAMMA, "Gamma", value: 127)
        fixture.model.list.removeAll {
            $0.id == ControlLoopFixture.whiteBalance || $0.id == ControlLoopFixture.temperature
        }
        fixture.run(fixture.asking(.reset), {})
        #expect(fixture.answers == ["done"])
        #expect(fixture.model.changes == [ControlLoopFixture.brightness, UInt32(V4L2_CID_GAMMA)])
        #expect(fixture.value("brightness") == .number(128))
    }
}

/// Tests of cameras that come and go.
extension ControlLoopTests {
    @Test("without a camera, the published control state is empty and requests are refused")
    func noCamera() {
        fixture.state.publish(ControlState(camera: .init(id: "old", name: "old")))
        fixture.camera.publish(nil)
        fixture.run(fixture.asking(.reset), {})
        #expect(fixture.answers == ["noCamera"])
        #expect(fixture.state.value == ControlState())
        #expect(fixture.opened.isEmpty)
        #expect(fixture.waits == [3600, 3600, 3600])
    }

    @Test("the controls of the test pattern set its scene, without a device")
    func testPattern() {
        fixture.camera.publish(TestPattern.camera)
        var scenes: [SceneControls] = []
        // Readings know whether the lamp drifts.
        var adjustable: [Set<ControlInfluence.Quantity>] = []
        let observe = {
            scenes.append(self.fixture.shared.scene.value)
            adjustable.append(self.fixture.influence.value.adjustable)
        }
        fixture.run(
            fixture.asking(.set(name: "nudge", .integer(3))), fixture.asking(.set(name: "lamp_drift", .boolean(false))),
            fixture.asking(.set(name: "nudge", .integer(101))), fixture.asking(.set(name: "brightness", .integer(1))),
            fixture.asking(.lock), observe, fixture.asking(.set(name: "nudge", nil)), observe,
            fixture.asking(.reset), observe)
        #expect(scenes.map(\.nudge) == [3, 0, 0])
        #expect(scenes.map(\.lampDrifts) == [false, false, true])
        #expect(adjustable == [[], [], [.lampDrift]])
        #expect(
            fixture.answers == [
                "done", "done", #"badValue("nudge takes 0...100, not 101.")"#,
                #"unknown("brightness is not a control of this camera.")"#, "noCamera", "done", "done",
            ])
        #expect(fixture.opened.isEmpty)
        #expect(fixture.state.value.camera == TestPattern.camera)
    }

    @Test("the configured controls set the scene of the test pattern, and those of cameras are no problem there")
    func configuredScene() {
        fixture.camera.publish(TestPattern.camera)
        fixture.config.update { $0.effective.camera.controls = ["nudge": .integer(2), "gain": .integer(7)] }
        var nudges: [Int] = []
        let observe = { nudges.append(self.fixture.shared.scene.value.nudge) }
        fixture.run(
            observe,
            {
                self.fixture.config.update { $0.effective.camera.controls = ["nudge": .integer(5)] }
                self.fixture.requests.waker.wake()
            }, observe)
        #expect(nudges == [2, 5])
        #expect(fixture.notices.all.isEmpty)
    }

    @Test("the scene of the test pattern is as configured before there is a control thread")
    func configuredFromTheStart() throws {
        var settings = Settings()
        settings.effective.camera.controls = ["lamp_drift": .boolean(false), "gain": .integer(7)]
        let shared = try SharedState(config: Latest(settings), log: .silent)
        #expect(shared.scene.value.lampDrifts == false)
    }

    @Test("a camera that cannot be opened is tried again after 5 s")
    func retry() {
        fixture.isPluggedIn = false
        fixture.run(fixture.asking(.reset), {})
        #expect(fixture.answers == ["noCamera"])
        #expect(fixture.waits == [5, 5, 5])
        #expect(fixture.opened.count == 3)
    }

    @Test("when the camera is unplugged, the published control state becomes empty")
    func hungUp() {
        fixture.run(
            {
                fixture.isPluggedIn = false
                fixture.hangUp()
            }, {})
        #expect(fixture.state.value == ControlState())
        #expect(fixture.notices.all.isEmpty)
    }

    @Test("when another camera is in use, its controls are published")
    func anotherCamera() {
        fixture.run(
            {
                fixture.camera.publish(.init(id: "usb-B", name: "B", device: "/dev/video1"))
                fixture.model.values[ControlLoopFixture.brightness] = .number(9)
            }, {})
        #expect(fixture.opened == ["/dev/video0", "/dev/video1"])
        #expect(fixture.state.value.camera?.id == "usb-B")
        #expect(fixture.value("brightness") == .number(9))
    }

    @Test("when the camera in use gets another id, its device stays open and the controls are published with it")
    func anotherID() {
        fixture.run({ fixture.camera.publish(.init(id: "usb-better", name: "A", device: "/dev/video0")) }, {})
        #expect(fixture.opened.count == 1)
        #expect(fixture.state.value.camera?.id == "usb-better")
    }

    @Test("the controls of a camera whose driver reports no events are read again and again, and can be set")
    func withoutEvents() {
        fixture.reportsEvents = false
        fixture.run(
            { fixture.model.values[ControlLoopFixture.brightness] = .number(9) },
            {
                #expect(fixture.value("brightness") == .number(9))
                fixture.ask(.set(name: "brightness", .integer(7)))
            }, {})
        #expect(fixture.opened.count == 1)
        #expect(fixture.answers == ["done"])
        #expect(fixture.value("brightness") == .number(7))
    }

    @Test("stopping the control loop refuses the waiting requests")
    func stop() {
        fixture.run({
            fixture.ask(.reset)
            fixture.requests.stop()
        })
        #expect(fixture.answers == ["unavailable"])
    }
}

/// Tests of changes without a request: events and edits to the configuration.
extension ControlLoopTests {
    @Test("an event refreshes the control that it names and no other, and counts as a possible change of the colour")
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
        #expect(fixture.influence.value.changeCount == 1)
        #expect(fixture.influence.value.camera == fixture.shared.controls.value.camera?.id)
        #expect(fixture.influence.value.controls["brightness"] == .number(55))
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

    @Test(
        "after an event, the next is read in 0.3 s if somebody watches or a calibration depends on it, or else in 10 s",
        arguments: [(true, false, 0.3), (false, true, 0.3), (false, false, 10)])
    func quietTime(isWatched: Bool, isCalibrated: Bool, seconds: Double) throws {
        let token = isWatched ? fixture.demand.watch() : nil
        if isCalibrated {
            let id = try #require(fixture.camera.value?.id)
            let card = CalibrationMeasurements.Card(
                measured: PatchMeasurement(linear: .init(r: 0.4, g: 0.3, b: 0.2)), luminance: 0.18)
            let conditions = MeasuringConditions(camera: id, format: "YUYV", width: 640, height: 480)
            let calibration = try Calibration(.init(card: card), conditions: conditions, time: "")
            fixture.shared.calibrations.calibrations.publish([id: calibration])
        }
        fixture.run({ fixture.events = [ControlLoopFixture.brightness] }, {}, {})
        #expect(fixture.waits == [seconds])
        withExtendedLifetime(token) {}
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
