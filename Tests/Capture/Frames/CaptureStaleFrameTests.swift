import ModelCamera
import TestSupport
import Testing

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("A camera that delivers an old frame")
struct CaptureStaleFrameTests {
    private let first = FakeCamera("A", number: 0)
    /// The last frame before the camera hung, which its driver has for every stream.
    private let old = ModelStream.Frame(
        sequence: 1, bytes: [UInt8](repeating: 128, count: 256), time: MonotonicTime(nanoseconds: 1_000_000))

    @Test("a camera that delivers the same old frame whenever it is opened stays lost until a new one arrives")
    func kept() throws {
        let fixture = try CaptureLoopFixture(first)
        fixture.run(
            first.deliver, first.deliver, { first.stream.kept = [old] }, fixture.until(30), first.deliver,
            fixture.until(33))
        let states = fixture.trace.filter { !$0.hasPrefix("open") }
        #expect(states == ["starting usb-A", "live usb-A", "lost usb-A", "live usb-A"])
        #expect(fixture.openings.count >= 5)
    }

    @Test("the message says that the frame is the same, and each line is logged once")
    func sentence() throws {
        let fixture = try CaptureLoopFixture(first)
        // Whenever the camera is opened, it refuses a control.
        fixture.config.update { $0.effective.camera.controls = ["nosuch": .integer(1)] }
        fixture.run(first.deliver, first.deliver, { first.stream.kept = [old] }, fixture.until(30))
        let silent =
            "Lost at TIME: /dev/video0: no new frame since TIME. "
            + "Swatchcam opens the camera again; if that does not help, unplug it and plug it in again."
        let repeating =
            "Lost at TIME: /dev/video0 delivers the same frame again and again, and no new one since TIME. "
            + "Restart the program or the network camera that feeds it, or unplug the camera and plug it in again."
        #expect(fixture.messages == ["Opening /dev/video0.", silent, repeating])
        // Once before the loss and once after it.
        #expect(fixture.recorder.lines.count { $0.contains("nosuch") } == 2)
        #expect(fixture.recorder.lines.count { $0.contains("Lost at") } == 2)
    }

    @Test("a camera that delivers nothing but an old frame from the start is never live")
    func fromTheStart() throws {
        first.stream.kept = [old]
        let fixture = try CaptureLoopFixture(first)
        fixture.run(fixture.until(20))
        #expect(fixture.trace.filter { !$0.hasPrefix("open") } == ["starting usb-A", "lost usb-A"])
        #expect(
            fixture.messages.last
                == "/dev/video0 delivers the same frame again and again, and no new one since it was opened. "
                + "Restart the program or the network camera that feeds it, or unplug the camera and plug it in again.")
    }

    @Test("the last frame before the loss is not a new one, even if the driver gives it another time")
    func restamped() throws {
        let fixture = try CaptureLoopFixture(first)
        let repeated = { first.stream.waiting.append(.init(sequence: 1, bytes: old.bytes)) }
        fixture.run(
            first.deliver, first.deliver, fixture.until(3), repeated, repeated, {}, fixture.until(12), first.deliver, {}
        )
        #expect(
            fixture.trace.filter { !$0.hasPrefix("open") } == [
                "starting usb-A", "live usb-A", "lost usb-A", "live usb-A",
            ])
        #expect(fixture.readings.value.frame?.sequence == 2)
    }
}
