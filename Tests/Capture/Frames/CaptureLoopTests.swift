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

@Suite("The capture loop")
struct CaptureLoopTests {
    private let first = FakeCamera("A", number: 0)
    private let second = FakeCamera("B", number: 1)

    @Test("a camera has the state 'starting' until its first frame, and then 'live'")
    func live() throws {
        let fixture = try CaptureLoopFixture(first)
        fixture.run(first.deliver)
        #expect(fixture.trace == ["starting usb-A", "open /dev/video0", "live usb-A"])
        #expect(fixture.messages == ["Opening /dev/video0."])
        #expect(fixture.recorder.lines == ["Reading A (/dev/video0), YUYV 16x8 at 30.0 frames a second."])
        #expect(fixture.notices.all.isEmpty)
    }

    @Test("a camera that is gone is lost, and is read again when it is back")
    func back() throws {
        let fixture = try CaptureLoopFixture(first, second)
        fixture.run(
            first.deliver, { first.isPluggedIn = false }, fixture.until(2), { first.isPluggedIn = true },
            fixture.until(4),
            first.deliver)
        #expect(
            fixture.trace == [
                "starting usb-A", "open /dev/video0", "live usb-A", "lost usb-A", "open /dev/video0", "live usb-A",
            ])
        let gone = "Lost at TIME: /dev/video0: the camera is gone. Plug it in again."
        let missing =
            "Lost at TIME: A is gone. Plug it in again; Swatchcam then continues by itself. "
            + "Or choose another camera: B (/dev/video1, id usb-B)."
        #expect(fixture.messages == ["Opening /dev/video0.", gone, missing])
        #expect(fixture.readings.value.message == nil)
        #expect(fixture.recorder.lines.count == 4)
    }

    @Test("a lost camera has no device in the readings, and no other camera is offered if there is none")
    func lostDevice() throws {
        let fixture = try CaptureLoopFixture(first)
        fixture.run(first.deliver, { first.isPluggedIn = false }, fixture.until(2))
        #expect(fixture.readings.value.state == .lost)
        #expect(fixture.readings.value.camera == .init(id: "usb-A", name: "A", device: nil))
        #expect(
            fixture.messages.last
                == "Lost at TIME: A is gone. Plug it in again; Swatchcam then continues by itself.")
    }

    @Test("a camera that is unplugged before its first frame is missing, but not lost")
    func neverDelivered() throws {
        let fixture = try CaptureLoopFixture(first, device: "usb-A")
        fixture.run({ first.isPluggedIn = false }, {})
        #expect(fixture.trace == ["starting usb-A", "open /dev/video0", "no-camera usb-A", "no-camera -"])
    }

    @Test("a camera that falls silent is lost, and is opened again")
    func silent() throws {
        let fixture = try CaptureLoopFixture(first)
        fixture.run(first.deliver, first.deliver, fixture.until(4))
        #expect(
            fixture.trace == ["starting usb-A", "open /dev/video0", "live usb-A", "lost usb-A", "open /dev/video0"])
        #expect(
            fixture.messages.last == "Lost at TIME: /dev/video0: no new frame since TIME. "
                + "Swatchcam opens the camera again; if that does not help, unplug it and plug it in again.")
    }

    @Test("while a lost camera is open again, but silent, readings continue to say that it is lost")
    func silentAgain() throws {
        let fixture = try CaptureLoopFixture(first)
        fixture.run(first.deliver, first.deliver, fixture.until(20))
        let lost = fixture.readings.value
        #expect(fixture.openings.count == 3)
        #expect(lost.state == .lost && lost.hex == nil)
        #expect(lost.sequence > 4 * 17)
    }

    @Test("the capture loop waits for a configured camera that is missing")
    func missing() throws {
        let fixture = try CaptureLoopFixture(second, device: "usb-A")
        fixture.add(first)
        first.isPluggedIn = false
        fixture.run(fixture.until(2), { first.isPluggedIn = true }, fixture.until(4))
        #expect(fixture.trace == ["no-camera -", "open /dev/video0"])
        #expect(
            fixture.messages == [
                "No camera is called 'usb-A'. Plug it in, or correct camera.device; "
                    + "'swatchcam cameras' lists the cameras. Connected cameras: B (/dev/video1, id usb-B)."
            ])
        #expect(fixture.recorder.lines == fixture.messages)
    }

    @Test("without any camera the test pattern is shown, and a notice says so, until one is plugged in")
    func pattern() throws {
        let fixture = try CaptureLoopFixture(first)
        first.isPluggedIn = false
        var notices: [[Notice]] = []
        let look = { notices.append(fixture.readings.value.notices) }
        fixture.run(
            look,
            {
                look()
                first.isPluggedIn = true
                fixture.directory.refresh()
            }, first.deliver, look)
        #expect(fixture.trace == ["test-pattern test-pattern", "starting usb-A", "open /dev/video0", "live usb-A"])
        #expect(
            fixture.recorder.lines.first
                == "No camera found: showing the built-in test pattern until one is plugged in.")
        let notice = Notice(
            topic: .camera,
            message:
                "No camera was found. Plug one in: Swatchcam uses it at once. Until then it shows its test pattern.")
        #expect(notices.suffix(2) == [[notice], []])
    }

    @Test(
        "a test pattern that was chosen has no notice about a missing camera", arguments: ["configured", "requested"])
    func chosenPattern(by whom: String) throws {
        let fixture = try CaptureLoopFixture(device: whom == "configured" ? "test-pattern" : "auto")
        if whom == "requested" { fixture.ask(.device("test-pattern")) }
        fixture.run({}, {}, {})
        #expect(fixture.readings.value.state == .testPattern)
        #expect(fixture.readings.value.notices == [])
    }

    @Test("a configured test pattern stays when a camera is plugged in")
    func configuredPattern() throws {
        let fixture = try CaptureLoopFixture(first, device: "test-pattern")
        first.isPluggedIn = false
        fixture.run(
            {},
            {
                first.isPluggedIn = true
                fixture.directory.refresh()
            }, {}, {})
        #expect(fixture.trace == ["test-pattern test-pattern"])
        #expect(fixture.recorder.lines == ["Showing the built-in test pattern."])
    }
}

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
        #expect(fixture.openings.count >= 3)
    }

    @Test("the message says that the frame is an old one, and each line is logged once")
    func sentence() throws {
        let fixture = try CaptureLoopFixture(first)
        // Whenever the camera is opened, it refuses a control.
        fixture.config.update { $0.effective.camera.controls = ["nosuch": .integer(1)] }
        fixture.run(first.deliver, first.deliver, { first.stream.kept = [old] }, fixture.until(30))
        let silent =
            "Lost at TIME: /dev/video0: no new frame since TIME. "
            + "Swatchcam opens the camera again; if that does not help, unplug it and plug it in again."
        let stale =
            "Lost at TIME: /dev/video0 delivers only frames from before it was opened, and no usable frame since TIME. "
            + "Restart the program or the network camera that feeds it, or unplug the camera and plug it in again."
        #expect(fixture.messages == ["Opening /dev/video0.", silent, stale])
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
                == "/dev/video0 delivers only frames from before it was opened, and no usable frame since it was opened. "
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
