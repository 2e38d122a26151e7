import CV4L2
import ModelCamera
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("The signal of the camera in use")
struct CaptureSignalTests {
    private let first = FakeCamera("A", number: 0)
    private let second = FakeCamera("B", number: 1)
    private let busy = V4L2Error.busy(path: "/dev/video0", holders: [])

    @Test("a receiver without a signal is asked again until it has one")
    func noSignal() throws {
        let fixture = try CaptureLoopFixture(first)
        first.addInput(on: fixture)
        first.signal = V4L2_IN_ST_NO_SIGNAL
        fixture.run({}, {}, { first.signal = 0 }, first.deliver)
        #expect(fixture.trace == ["starting usb-A", "open /dev/video0", "no-signal usb-A", "live usb-A"])
        #expect(
            fixture.messages.last == "A (/dev/video0): there is no signal. Connect a source and turn it on.")
        #expect(fixture.recorder.lines.first == fixture.messages.last)
    }

    @Test("a receiver's formats are read after its signal is adopted, which decides them")
    func formatsFollowSignal() throws {
        let fixture = try CaptureLoopFixture(first)
        first.addInput(on: fixture)
        first.signal = V4L2_IN_ST_NO_SIGNAL
        first.formats = []
        fixture.run({}, {}, { (first.signal, first.formats) = (0, ["YUYV"]) }, first.deliver)
        #expect(fixture.trace == ["starting usb-A", "open /dev/video0", "no-signal usb-A", "live usb-A"])
    }

    @Test("a request is carried out while there is no signal")
    func switchWithoutSignal() throws {
        let fixture = try CaptureLoopFixture(first, second)
        first.addInput(on: fixture)
        first.signal = V4L2_IN_ST_NO_SIGNAL
        fixture.run({}, {}, { fixture.ask(.device("usb-B")) }, {})
        #expect(
            fixture.trace == [
                "starting usb-A", "open /dev/video0", "no-signal usb-A", "starting usb-B", "open /dev/video1",
                "answer usb-B",
            ])
    }

    @Test("a request can switch to a receiver without a signal")
    func switchToNoSignal() throws {
        let fixture = try CaptureLoopFixture(first, second)
        second.addInput(on: fixture)
        second.signal = V4L2_IN_ST_NO_SIGNAL
        fixture.run(
            first.deliver, { fixture.ask(.device("usb-B")) }, {}, {}, { second.signal = 0 }, second.deliver)
        // A request that was answered twice would end the program.
        #expect(fixture.trace.suffix(4) == ["open /dev/video1", "answer usb-B", "no-signal usb-B", "live usb-B"])
    }

    @Test("a receiver that loses its signal while it delivers is reported as being without a signal")
    func lostSignal() throws {
        let fixture = try CaptureLoopFixture(first)
        first.addInput(on: fixture)
        fixture.run(
            first.deliver,
            {
                fixture.passSignalInterval()
                first.signal = V4L2_IN_ST_NO_SIGNAL
                first.deliver()
            }, {}, {})
        #expect(
            fixture.trace == [
                "starting usb-A", "open /dev/video0", "live usb-A", "starting usb-A", "open /dev/video0",
                "no-signal usb-A",
            ])
    }

    @Test("a camera whose source changes is opened again at once")
    func sourceChanged() throws {
        let fixture = try CaptureLoopFixture(first)
        fixture.run(first.deliver, first.changeSource, {})
        #expect(fixture.openings == [0, 0.5])
        #expect(!fixture.trace.contains("lost usb-A"))
    }

    @Test("a camera whose source changes after a failure is opened again after a wait")
    func sourceChangedAgain() throws {
        let fixture = try CaptureLoopFixture(first)
        first.problem = busy
        fixture.run({ first.problem = nil }, first.changeSource, {}, {})
        #expect(fixture.openings == [0, 0.25, 1])
        #expect(fixture.messages.last == "/dev/video0: the input signal has changed.")
    }
}
