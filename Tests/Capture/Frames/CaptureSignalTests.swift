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
    private let first = StagedCamera("A", number: 0)
    private let second = StagedCamera("B", number: 1)
    private let busy = V4L2Error.busy(path: "/dev/video0", holders: [])

    @Test("a receiver without a signal is asked again until it has one")
    func noSignal() throws {
        let stage = try CaptureStage(first)
        first.addInput(on: stage)
        first.signal = V4L2_IN_ST_NO_SIGNAL
        stage.run({}, {}, { first.signal = 0 }, first.deliver)
        #expect(stage.trace == ["starting usb-A", "open /dev/video0", "no-signal usb-A", "live usb-A"])
        #expect(
            stage.messages.last == "A (/dev/video0): there is no signal. Connect a source and turn it on.")
        #expect(stage.recorder.lines.first == stage.messages.last)
    }

    @Test("a request is carried out while there is no signal")
    func switchWithoutSignal() throws {
        let stage = try CaptureStage(first, second)
        first.addInput(on: stage)
        first.signal = V4L2_IN_ST_NO_SIGNAL
        stage.run({}, {}, { stage.ask(.device("usb-B")) }, {})
        #expect(
            stage.trace == [
                "starting usb-A", "open /dev/video0", "no-signal usb-A", "starting usb-B", "open /dev/video1",
                "answer usb-B",
            ])
    }

    @Test("a request can switch to a receiver without a signal")
    func switchToNoSignal() throws {
        let stage = try CaptureStage(first, second)
        second.addInput(on: stage)
        second.signal = V4L2_IN_ST_NO_SIGNAL
        stage.run(
            first.deliver, { stage.ask(.device("usb-B")) }, {}, {}, { second.signal = 0 }, second.deliver)
        // A request that was answered twice would end the program.
        #expect(stage.trace.suffix(4) == ["open /dev/video1", "answer usb-B", "no-signal usb-B", "live usb-B"])
    }

    @Test("a receiver that loses its signal while it delivers is reported as being without a signal")
    func lostSignal() throws {
        let stage = try CaptureStage(first)
        first.addInput(on: stage)
        stage.run(
            first.deliver,
            {
                stage.passSignalInterval()
                first.signal = V4L2_IN_ST_NO_SIGNAL
                first.deliver()
            }, {}, {})
        #expect(
            stage.trace == [
                "starting usb-A", "open /dev/video0", "live usb-A", "starting usb-A", "open /dev/video0",
                "no-signal usb-A",
            ])
    }

    @Test("a camera whose source changes is opened again at once")
    func sourceChanged() throws {
        let stage = try CaptureStage(first)
        stage.run(first.deliver, first.changeSource, {})
        #expect(stage.openings == [0, 0.5])
        #expect(!stage.trace.contains("lost usb-A"))
    }

    @Test("a camera whose source changes after a failure is opened again after a wait")
    func sourceChangedAgain() throws {
        let stage = try CaptureStage(first)
        first.problem = busy
        stage.run({ first.problem = nil }, first.changeSource, {}, {})
        #expect(stage.openings == [0, 0.25, 1])
        #expect(stage.messages.last == "/dev/video0: the input signal has changed.")
    }
}
