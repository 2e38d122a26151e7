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

@Suite("The control loop")
struct ControlLoopTests {
    let stage: ControlStage

    init() throws {
        stage = try ControlStage()
        stage.addWebcam()
    }

    @Test("the controls of the camera in use are published")
    func published() {
        stage.run({})
        #expect(stage.opened == ["/dev/video0"])
        #expect(stage.state.value.camera?.id == "usb-A")
        #expect(
            stage.state.value.controls.map(\.name) == [
                "brightness", "white_balance_automatic", "white_balance_temperature",
            ])
        #expect(stage.revisions.value.controls == 1)
        let document = String(decoding: JSONText.data(of: stage.state.value), as: UTF8.self)
        #expect(
            document.contains(#""controls":[{"controlledBy":null,"default":128,"inactive":false,"label":"Brightness""#))
        #expect(document.contains(#""automatics":["white_balance_automatic"]"#))
    }

    @Test("the names of the automatic controls that are on are published for the readings")
    func automatics() {
        var names: [[String]] = []
        stage.run(
            { [stage] in
                names.append(stage.influence.value.activeAutoControls)
                stage.ask(.set(name: "white_balance_automatic", .boolean(false)))
            }, { [stage] in names.append(stage.influence.value.activeAutoControls) })
        #expect(names == [["White Balance, Automatic"], []])
    }

    @Test("a control is set, and its new value is published before the answer")
    func set() {
        stage.run(stage.asking(.set(name: "brightness", .integer(7))), {})
        #expect(stage.answers == ["done"])
        #expect(stage.model.values[ControlStage.brightness] == .number(7))
        #expect(stage.value("brightness") == .number(7))
        #expect(stage.revisions.value.controls == 2)
    }

    @Test("a control is set to its default if no value is given")
    func setDefault() {
        stage.run(stage.asking(.set(name: "brightness", nil)), {})
        #expect(stage.answers == ["done"])
        #expect(stage.value("brightness") == .number(128))
    }

    @Test("all waiting requests are answered in order")
    func several() {
        stage.run(
            {
                stage.ask(.set(name: "brightness", .integer(1)))
                stage.ask(.set(name: "nosuch", nil))
                stage.ask(.set(name: "brightness", .integer(2)))
            }, {})
        #expect(stage.answers == ["done", #"unknown("nosuch is not a control of this camera.")"#, "done"])
        #expect(stage.value("brightness") == .number(2))
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
                #"badValue("brightness: \#(ConfigValue.list([]).sentence), which no control accepts.")"#
            ),
            (
                "white_balance_temperature", .integer(5000),
                #"refused("white_balance_temperature cannot be set: White Balance, Automatic has taken it over.")"#
            ),
            ("gain", .integer(1), #"refused("gain is read-only.")"#),
            ("press", nil, #"badValue("press has no default.")"#),
        ] as [(String, ConfigValue?, String)])
    func refused(name: String, value: ConfigValue?, answer: String) {
        stage.model.add(V4L2_CID_GAIN, "Gain", flags: V4L2_CTRL_FLAG_READ_ONLY, value: 5)
        stage.model.add(V4L2_CID_DO_WHITE_BALANCE, "Press", V4L2_CTRL_TYPE_BUTTON, 0...0, value: 0)
        stage.run(stage.asking(.set(name: name, value)), {})
        #expect(stage.answers == [answer])
        #expect(stage.model.changes.isEmpty)
    }

    @Test("an inactive control that no automatic control governs is set")
    func inactive() {
        stage.model.add(V4L2_CID_GAMMA, "Gamma", flags: V4L2_CTRL_FLAG_INACTIVE, value: 5)
        stage.run(stage.asking(.set(name: "gamma", .integer(9))), {})
        #expect(stage.answers == ["done"])
        #expect(stage.value("gamma") == .number(9))
    }

    @Test("a button is pressed")
    func button() {
        stage.model.add(V4L2_CID_DO_WHITE_BALANCE, "Press", V4L2_CTRL_TYPE_BUTTON, 0...0, value: 0)
        stage.run(stage.asking(.set(name: "press", .boolean(true))), {})
        #expect(stage.model.changes == [UInt32(V4L2_CID_DO_WHITE_BALANCE)])
    }

    @Test("a value that the driver refuses is refused with its reason, and the loop continues")
    func refusedByDriver() {
        stage.model.refusals = [ControlStage.brightness: EBUSY]
        stage.run(
            stage.asking(.set(name: "brightness", .integer(7))),
            {
                stage.model.refusals = [:]
                stage.ask(.set(name: "brightness", .integer(7)))
            }, {})
        #expect(
            stage.answers == [
                #"refused("/dev/video0: brightness cannot be set while the camera is in use.")"#, "done",
            ])
        #expect(stage.opened.count == 1)
    }

    @Test("if the camera is gone when a control is set, the answer is that there is no camera")
    func goneWhenSet() {
        stage.model.refusals = [ControlStage.brightness: ENODEV]
        stage.run(
            {
                stage.isPluggedIn = false
                stage.ask(.set(name: "brightness", .integer(7)))
                stage.ask(.reset)
            })
        #expect(stage.answers == ["noCamera", "noCamera"])
        #expect(stage.state.value == ControlState())
    }

    @Test("a reset sets only the controls that differ from their defaults and are not read-only")
    func reset() {
        stage.model.add(V4L2_CID_GAIN, "Gain", flags: V4L2_CTRL_FLAG_READ_ONLY, value: 5)
        stage.model.add(V4L2_CID_CONTRAST, "Contrast", value: 128)
        stage.model.add(V4L2_CID_GAMMA, "Gamma", value: 127)
        stage.model.list.removeAll { $0.id == ControlStage.whiteBalance || $0.id == ControlStage.temperature }
        stage.run(stage.asking(.reset), {})
        #expect(stage.answers == ["done"])
        #expect(stage.model.changes == [ControlStage.brightness, UInt32(V4L2_CID_GAMMA)])
        #expect(stage.value("brightness") == .number(128))
    }
}
