import CV4L2
import FakeDriver
import ModelCamera
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("Attempts to open a camera")
struct CaptureAttemptTests {
    private let first = FakeCamera("A", number: 0)
    private let second = FakeCamera("B", number: 1)
    private let busy = V4L2Error.busy(path: "/dev/video0", holders: [])

    @Test("the wait between attempts grows to 2 s")
    func backoff() throws {
        let fixture = try CaptureLoopFixture(first)
        first.problem = busy
        fixture.run(fixture.until(8))
        #expect(fixture.openings == [0, 0.25, 0.75, 1.75, 3.75, 5.75, 7.75])
        #expect(Set(fixture.trace) == ["starting usb-A", "open /dev/video0", "busy usb-A"])
        #expect(fixture.recorder.lines.count == 1)
    }

    @Test("the wait between attempts starts over after a frame")
    func backoffReset() throws {
        let fixture = try CaptureLoopFixture(first)
        first.problem = busy
        fixture.run(
            fixture.until(2), { first.problem = nil }, fixture.until(4), first.deliver, { first.isPluggedIn = false },
            { first.isPluggedIn = true }, {})
        #expect(fixture.openings == [0, 0.25, 0.75, 1.75, 3.75, 4.75])
    }

    @Test("the wait between attempts starts over after an edit to the configuration")
    func backoffAfterEdit() throws {
        let fixture = try CaptureLoopFixture(first)
        first.problem = busy
        fixture.run(
            fixture.until(2),
            {
                fixture.config.update { $0.effective.camera.fps = 15 }
                fixture.requests.waker.wake()
            }, fixture.until(3))
        #expect(fixture.openings == [0, 0.25, 0.75, 1.75, 2.25, 2.5, 3])
    }

    @Test("a program that can never open its camera again is restarted after a minute, if somebody restarts it")
    func restart() throws {
        let fixture = try CaptureLoopFixture(first)
        first.problem = .lostByLayer(path: "/dev/video0")
        fixture.run(fixture.until(55), { #expect(fixture.restarts == 0) }, fixture.until(60))
        #expect(fixture.restarts > 0)
    }

    @Test("a program is not restarted because of a camera that may come back")
    func noRestart() throws {
        let fixture = try CaptureLoopFixture(first)
        first.problem = busy
        fixture.run(fixture.until(600))
        #expect(fixture.restarts == 0)
    }

    @Test("the next camera is used if the first cannot be opened")
    func nextCandidate() throws {
        let fixture = try CaptureLoopFixture(first, second)
        first.problem = busy
        fixture.run(second.deliver)
        #expect(
            fixture.trace == [
                "starting usb-A", "open /dev/video0", "starting usb-B", "open /dev/video1", "live usb-B",
            ])
    }

    @Test("if no camera can be opened, the reading says why the first cannot")
    func noCandidate() throws {
        let fixture = try CaptureLoopFixture(first, second)
        first.problem = busy
        second.problem = .denied(path: "/dev/video1", group: "video")
        fixture.run({})
        #expect(fixture.readings.value.state == .busy)
        #expect(fixture.readings.value.camera?.id == "usb-A")
    }

    @Test("a camera without a format that can be read is unsupported")
    func unsupported() throws {
        let camera = FakeCamera("A", number: 0, formats: ["H264"])
        let fixture = try CaptureLoopFixture(camera)
        fixture.run({})
        #expect(fixture.readings.value.state == .unsupported)
        #expect(
            fixture.messages.last
                == "/dev/video0: The camera does not offer the format YUYV. The camera offers: H264.")
        #expect(camera.stream.driver.count(of: FAKE_STREAMON) == 0)
    }

    @Test("that no format can be read is logged once, however often the camera is opened")
    func unsupportedOnce() throws {
        let fixture = try CaptureLoopFixture(FakeCamera("A", number: 0, formats: ["H264"]))
        fixture.run(fixture.until(8))
        #expect(fixture.openings.count > 5)
        #expect(fixture.recorder.lines.count { $0.contains("The camera offers: H264.") } == 1)
    }

    @Test("a camera whose driver grants a format that cannot be read is unsupported")
    func unsupportedGrant() throws {
        let fixture = try CaptureLoopFixture(first, second)
        unsafe first.stream.driver.on(FAKE_S_FMT, v4l2_format.self) { format in
            unsafe format.fmt.pix.pixelformat = FourCC("H264").rawValue
            return 0
        }
        fixture.run({})
        #expect(fixture.trace == ["starting usb-A", "open /dev/video0", "unsupported usb-A", "open /dev/video0"])
        #expect(
            fixture.messages.last
                == "The driver granted H264 16x8 at 30.0 frames a second, which cannot be read: "
                + "Swatchcam does not know this pixel format.")
    }
}

@Suite("The wait before the next attempt")
struct BackoffTests {
    @Test("the wait grows from 0.25 to 2 s with each consecutive failure, and starts over after a success")
    func growth() {
        var backoff = Backoff()
        #expect(backoff.isFresh)
        #expect((1...6).map { _ in backoff.next() } == [0.25, 0.5, 1, 2, 2, 2])
        #expect(!backoff.isFresh)
        backoff.reset()
        #expect(backoff.isFresh)
        #expect(backoff.next() == 0.25)
    }
}
