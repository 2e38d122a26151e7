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
        stage.state.publish(ControlState(camera: .init(id: "old", name: "old")))
        stage.camera.publish(nil)
        stage.run(stage.asking(.reset), {})
        #expect(stage.answers == ["noCamera"])
        #expect(stage.state.value == ControlState())
        #expect(stage.opened.isEmpty)
        #expect(stage.waits == [3600, 3600, 3600])
    }

    @Test("the test pattern, which has no device, has no controls")
    func testPattern() {
        stage.camera.publish(.init(id: "test-pattern", name: "Test pattern", device: nil))
        stage.run({})
        #expect(stage.opened.isEmpty)
    }

    @Test("a camera that cannot be opened is tried again after 5 s")
    func retry() {
        stage.isPluggedIn = false
        stage.run(stage.asking(.reset), {})
        #expect(stage.answers == ["noCamera"])
        #expect(stage.waits == [5, 5, 5])
        #expect(stage.opened.count == 3)
    }

    @Test("when the camera is unplugged, the published control state becomes empty")
    func hungUp() {
        stage.run(
            {
                stage.isPluggedIn = false
                stage.hangUp()
            }, {})
        #expect(stage.state.value == ControlState())
        #expect(stage.notices.all.isEmpty)
    }

    @Test("when another camera is in use, its controls are published")
    func anotherCamera() {
        stage.run(
            {
                stage.camera.publish(.init(id: "usb-B", name: "B", device: "/dev/video1"))
                stage.model.values[ControlStage.brightness] = .number(9)
            }, {})
        #expect(stage.opened == ["/dev/video0", "/dev/video1"])
        #expect(stage.state.value.camera?.id == "usb-B")
        #expect(stage.value("brightness") == .number(9))
    }

    @Test("when the camera in use gets another id, its device stays open")
    func anotherID() {
        stage.run({ stage.camera.publish(.init(id: "usb-better", name: "A", device: "/dev/video0")) }, {})
        #expect(stage.opened.count == 1)
    }

    @Test("stopping the control loop refuses the waiting requests")
    func stop() {
        stage.run({
            stage.ask(.reset)
            stage.requests.stop()
        })
        #expect(stage.answers == ["unavailable"])
    }
}
