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
        let observe = { scenes.append(self.fixture.shared.scene.value) }
        fixture.run(
            fixture.asking(.set(name: "nudge", .integer(3))), fixture.asking(.set(name: "lamp_drift", .boolean(false))),
            fixture.asking(.set(name: "nudge", .integer(101))), fixture.asking(.set(name: "brightness", .integer(1))),
            fixture.asking(.lock), observe, fixture.asking(.set(name: "nudge", nil)), observe,
            fixture.asking(.reset), observe)
        #expect(scenes.map(\.nudge) == [3, 0, 0])
        #expect(scenes.map(\.lampDrifts) == [false, false, true])
        #expect(
            fixture.answers == [
                "done", "done", #"badValue("nudge takes 0...100, not 101.")"#,
                #"unknown("brightness is not a control of this camera.")"#, "noCamera", "done", "done",
            ])
        #expect(fixture.opened.isEmpty)
        #expect(fixture.state.value.camera == TestPattern.camera)
    }

    @Test("readings know whether the lamp of the test pattern drifts", arguments: [true, false])
    func lampDrift(isOn: Bool) {
        fixture.camera.publish(TestPattern.camera)
        fixture.run(fixture.asking(.set(name: "lamp_drift", .boolean(isOn))))
        #expect(fixture.influence.value.adjustable == (isOn ? [.lampDrift] : []))
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
