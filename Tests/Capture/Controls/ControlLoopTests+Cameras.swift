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

    @Test("the test pattern, which has no device, has no controls")
    func testPattern() {
        fixture.camera.publish(.init(id: "test-pattern", name: "Test pattern", device: nil))
        fixture.run({})
        #expect(fixture.opened.isEmpty)
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

    @Test("stopping the control loop refuses the waiting requests")
    func stop() {
        fixture.run({
            fixture.ask(.reset)
            fixture.requests.stop()
        })
        #expect(fixture.answers == ["unavailable"])
    }
}
