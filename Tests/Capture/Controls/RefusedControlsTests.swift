import CV4L2
import Color
import Glibc
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

@Suite("The notice about controls that the camera refused to set")
struct RefusedControlsTests {
    private static let message = "Not all controls were reset: brightness cannot be changed at the moment."

    private let fixture: ControlLoopFixture

    init() throws {
        fixture = try ControlLoopFixture()
        fixture.model.add(V4L2_CID_BRIGHTNESS, "Brightness", value: 100)
        fixture.model.refusals = [ControlLoopFixture.brightness: EBUSY]
    }

    /// The messages about controls.
    private var messages: [String] { fixture.notices.all.filter { $0.topic == .controls }.map(\.message) }

    @Test("a control that the camera refuses to reset is named in a notice and in the log, and the reset is answered")
    func reset() {
        fixture.run(fixture.asking(.reset), {})
        #expect(messages == [Self.message])
        #expect(fixture.recorder.lines == [Self.message])
        #expect(fixture.answers == ["done"])
    }

    @Test("an automatic control that the camera refuses to unlock is named in a notice")
    func unlock() {
        fixture.addWebcam()
        fixture.readings.update { $0.mean = .init(r: 1, g: 2, b: 3) }
        fixture.run(
            fixture.asking(.lock), { fixture.advance(1.5) },
            {
                fixture.model.refusals = [ControlLoopFixture.whiteBalance: EBUSY]
                fixture.ask(.unlock)
            }, {})
        #expect(
            messages == [
                "Not all controls were unlocked: "
                    + "white_balance_automatic cannot be changed at the moment."
            ])
    }

    @Test("a control that an automatic control has taken over is not reported when it is reset")
    func takenOver() {
        fixture.addWebcam()
        fixture.model.refusals = [:]
        for index in fixture.model.list.indices where fixture.model.list[index].id == ControlLoopFixture.whiteBalance {
            fixture.model.list[index].default_value = 1
        }
        fixture.run(fixture.asking(.reset), {})
        #expect(messages.isEmpty)
    }

    @Test(
        "the notice is withdrawn when the control is reset or set after all, or when the camera is another or gone",
        arguments: [
            { fixture in
                fixture.model.refusals = [:]
                fixture.ask(.reset)
            },
            { fixture in
                fixture.model.values[ControlLoopFixture.brightness] = .number(128)
                fixture.events = [ControlLoopFixture.brightness]
            },
            { fixture in
                fixture.model.refusals = [:]
                fixture.ask(.set(name: "brightness", .integer(7)))
            },
            { $0.camera.publish(.init(id: "usb-B", name: "B", device: "/dev/video1")) },
            { fixture in
                fixture.isPluggedIn = false
                fixture.hangUp()
            },
        ] as [@Sendable (ControlLoopFixture) -> Void])
    func withdrawn(by event: @escaping @Sendable (ControlLoopFixture) -> Void) {
        fixture.run(fixture.asking(.reset), { event(fixture) }, {}, {})
        #expect(messages.isEmpty)
    }

    @Test("an edit that sets one control leaves the notice about another one")
    func anotherEdit() {
        fixture.model.refusals = [:]
        fixture.config.update { $0.effective.camera.controls = ["nosuch": .integer(1)] }
        fixture.run(
            { [fixture] in fixture.config.update { $0.effective.camera.controls["brightness"] = .integer(7) } }, {})
        #expect(messages == ["camera.controls: nosuch is not a control of this camera."])
    }

    @Test(
        "the notice about a configured control is withdrawn when its key is deleted",
        arguments: ["nosuch", "no\u{1B}such", String(repeating: "n", count: 100)])
    func deleted(name: String) {
        fixture.config.update { $0.effective.camera.controls = [name: .integer(1)] }
        fixture.run({ [fixture] in fixture.config.update { $0.effective.camera.controls = [:] } }, {})
        #expect(messages.isEmpty)
    }

    @Test("refusals of configured controls and of a reset are both named")
    func both() {
        fixture.config.update { $0.effective.camera.controls = ["nosuch": .integer(1)] }
        fixture.run(fixture.asking(.reset), {})
        #expect(messages == ["camera.controls: nosuch is not a control of this camera. " + Self.message])
    }
}

@Suite("The controls that a camera refused to set")
struct ControlRefusalTests {
    @Test(
        "the sentence about refused controls names three and counts the others, and ends with one mark",
        arguments: [
            (0, "x", nil), (1, "is read-only", "a0 is read-only."), (1, "is gian; gain?", "a0 is gian; gain?"),
            (3, "is read-only", "a0 is read-only; a1 is read-only; a2 is read-only."),
            (4, "is read-only", "a0 is read-only; a1 is read-only; a2 is read-only; and 1 more."),
        ] as [(Int, String, String?)])
    func sentence(count: Int, reason: String, list: String?) {
        let refusals = (0..<count).map { ControlRefusal(name: "a\($0)", reason: reason) }
        #expect(refusals.sentence() == list.map { "camera.controls: " + $0 })
    }
}
