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
        let document = String(decoding: JSONText.data(of: fixture.state.value), as: UTF8.self)
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

    @Test("a control is set, and its new value is published before the answer")
    func set() {
        fixture.run(fixture.asking(.set(name: "brightness", .integer(7))), {})
        #expect(fixture.answers == ["done"])
        #expect(fixture.model.values[ControlLoopFixture.brightness] == .number(7))
        #expect(fixture.value("brightness") == .number(7))
        #expect(fixture.revisions.value.controls == 2)
    }

    @Test("a control is set to its default if no value is given")
    func setDefault() {
        fixture.run(fixture.asking(.set(name: "brightness", nil)), {})
        #expect(fixture.answers == ["done"])
        #expect(fixture.value("brightness") == .number(128))
    }

    @Test("all waiting requests are answered in order")
    func several() {
        fixture.run(
            {
                fixture.ask(.set(name: "brightness", .integer(1)))
                fixture.ask(.set(name: "nosuch", nil))
                fixture.ask(.set(name: "brightness", .integer(2)))
            }, {})
        #expect(fixture.answers == ["done", #"unknown("nosuch is not a control of this camera.")"#, "done"])
        #expect(fixture.value("brightness") == .number(2))
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

    @Test("an inactive control that no automatic control governs is set")
    func inactive() {
        fixture.model.add(V4L2_CID_GAMMA, "Gamma", flags: V4L2_CTRL_FLAG_INACTIVE, value: 5)
        fixture.run(fixture.asking(.set(name: "gamma", .integer(9))), {})
        #expect(fixture.answers == ["done"])
        #expect(fixture.value("gamma") == .number(9))
    }

    @Test("a button is pressed")
    func button() {
        fixture.model.add(V4L2_CID_DO_WHITE_BALANCE, "Press", V4L2_CTRL_TYPE_BUTTON, 0...0, value: 0)
        fixture.run(fixture.asking(.set(name: "press", .boolean(true))), {})
        #expect(fixture.model.changes == [UInt32(V4L2_CID_DO_WHITE_BALANCE)])
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
