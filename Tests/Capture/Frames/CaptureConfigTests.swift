import ModelCamera
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("Edits to the configuration while a camera is read")
struct CaptureConfigTests {
    private let first = FakeCamera("A", number: 0)
    private let busy = V4L2Error.busy(path: "/dev/video0", holders: [])

    @Test(
        "an edit to the device, the format, the size or the rate opens the camera again",
        arguments: [
            { $0.device = "usb-A" }, { $0.format = "auto" }, { $0.width = 8 }, { $0.height = 4 }, { $0.fps = 15 },
        ] as [@Sendable (inout Config.Camera) -> Void])
    func edited(edit: @escaping @Sendable (inout Config.Camera) -> Void) throws {
        let fixture = try CaptureLoopFixture(first)
        fixture.run(first.deliver, { fixture.config.update { edit(&$0.effective.camera) } }, first.deliver)
        #expect(fixture.openings == [0, 0.5])
    }

    @Test("a camera that a client has chosen is kept when the frame rate is edited")
    func chosen() throws {
        let second = FakeCamera("B", number: 1)
        let fixture = try CaptureLoopFixture(first, second)
        fixture.run(
            first.deliver, { fixture.ask(.device("usb-B")) }, second.deliver,
            { fixture.config.update { $0.effective.camera.fps = 15 } }, second.deliver)
        #expect(fixture.readings.value.camera?.id == "usb-B")
    }

    @Test("an edit to another key leaves the camera open and takes effect")
    func editedElsewhere() throws {
        let fixture = try CaptureLoopFixture(first)
        fixture.run(
            first.deliver,
            {
                fixture.config.update {
                    ($0.effective.picture.effect, $0.effective.camera.rotate) = ("invert", 90)
                    $0.effective.camera.controls = ["brightness": .integer(1)]
                }
            }, first.deliver)
        #expect(fixture.openings == [0])
        #expect(fixture.readings.value.effect == "invert")
    }

    @Test("readings without a colour carry the newest settings, too")
    func settingsWithoutColor() throws {
        let fixture = try CaptureLoopFixture(first)
        first.problem = busy
        fixture.run({ fixture.config.update { $0.effective.picture.effect = "invert" } }, fixture.until(2))
        #expect(fixture.readings.value.effect == "invert")
    }
}
