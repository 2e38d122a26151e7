import FakeDriver
import Foundation
import ModelCamera
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("Switching to another camera")
struct CameraSwitchTests {
    private let first = StagedCamera("A", number: 0)
    private let second = StagedCamera("B", number: 1)
    private let third = StagedCamera("C", number: 2)
    private let liveA = ["starting usb-A", "open /dev/video0", "live usb-A"]

    @Test("a request releases the camera in use, and then switches to another")
    func device() throws {
        let stage = try CaptureStage(first, second)
        var stopped = 0
        stage.run(
            first.deliver, { stage.ask(.device("usb-B")) },
            {
                stopped = first.stream.driver.count(of: FAKE_STREAMOFF)
                second.deliver()
            })
        #expect(stage.trace == liveA + ["starting usb-B", "open /dev/video1", "answer usb-B", "live usb-B"])
        #expect(stopped == 1)
    }

    @Test("a camera that was chosen is the first choice of the next run")
    func remembered() throws {
        let folder = try TemporaryFolder()
        let stage = try CaptureStage(first, second)
        stage.stateFile = StateFile(folder: folder.path)
        stage.run(first.deliver, { stage.ask(.next) }, second.deliver)
        #expect(try stage.stateFile?.camera() == "usb-B")
        let next = try CaptureStage(StagedCamera("A", number: 0), second)
        next.stateFile = stage.stateFile
        next.run({})
        #expect(next.trace == ["starting usb-B", "open /dev/video1"])
    }

    @Test("a camera that was chosen is the first choice again once the configuration names no other")
    func rememberedAcrossEdits() throws {
        let stage = try CaptureStage(first, second)
        stage.run(
            first.deliver, { stage.ask(.device("usb-B")) }, second.deliver,
            { stage.config.update { $0.camera.device = "usb-A" } }, first.deliver,
            { stage.config.update { $0.camera.device = "auto" } }, second.deliver)
        #expect(
            stage.trace.suffix(6) == [
                "starting usb-A", "open /dev/video0", "live usb-A", "starting usb-B", "open /dev/video1", "live usb-B",
            ])
    }

    @Test("a choice that cannot be stored is carried out and reported")
    func forgotten() throws {
        let folder = try TemporaryFolder(["file": ""])
        let stage = try CaptureStage(first, second)
        stage.stateFile = StateFile(folder: folder.path + "/file")
        stage.run(first.deliver, { stage.ask(.next) }, second.deliver)
        #expect(stage.trace.last == "live usb-B")
        #expect(
            stage.recorder.lines.contains {
                $0.hasPrefix("The choice of B will not be remembered for the next start: ")
            })
    }

    @Test("a request for the next camera skips cameras that cannot be opened, and wraps around at the end of the list")
    func next() throws {
        let stage = try CaptureStage(first, second, third)
        second.problem = .busy(path: "/dev/video1", holders: [])
        stage.run(
            first.deliver, { stage.ask(.next) }, third.deliver, { stage.ask(.next) }, first.deliver)
        #expect(
            stage.trace == liveA + [
                "starting usb-B", "open /dev/video1", "starting usb-C", "open /dev/video2", "answer usb-C",
                "live usb-C", "starting usb-A", "open /dev/video0", "answer usb-A", "live usb-A",
            ])
    }

    @Test("a request that cannot be met is refused, and the camera in use stays open")
    func refused() throws {
        let stage = try CaptureStage(first)
        stage.run(first.deliver, { stage.ask(.device("nosuch")) }, { stage.ask(.next) }, first.deliver)
        #expect(
            stage.trace == liveA + [
                #"answer notFound("There is no such camera. /api/cameras lists the cameras.")"#,
                #"answer unusable("There is no other camera.")"#,
            ])
        #expect(stage.openings == [0])
    }

    @Test("the first request that can be met is carried out, and those before it are refused")
    func severalRequests() throws {
        let stage = try CaptureStage(first, second)
        stage.run(
            first.deliver,
            {
                stage.ask(.device("nosuch"))
                stage.ask(.device("usb-B"))
            }, {})
        #expect(
            stage.trace.filter { $0.hasPrefix("answer") } == [
                #"answer notFound("There is no such camera. /api/cameras lists the cameras.")"#, "answer usb-B",
            ])
    }

    @Test("a request for the next camera is refused if there is no camera")
    func none() throws {
        let stage = try CaptureStage(first)
        first.isPluggedIn = false
        stage.run({ stage.ask(.next) }, {})
        #expect(stage.trace.last == #"answer unusable("There is no camera.")"#)
    }

    @Test("if the other camera cannot be opened, the request is refused and the old camera is used again")
    func unusable() throws {
        let stage = try CaptureStage(first, second)
        second.problem = .denied(path: "/dev/video1", group: nil)
        stage.run(first.deliver, { stage.ask(.device("usb-B")) }, first.deliver)
        #expect(
            stage.trace == liveA + [
                "starting usb-B", "open /dev/video1",
                #"answer unusable("/dev/video1: permission denied. To see who may use it, run: ls -l /dev/video1")"#,
                "starting usb-A", "open /dev/video0", "live usb-A",
            ])
    }

    @Test("a chosen camera that is unplugged before its first frame counts as lost, and is not replaced")
    func lostAtOnce() throws {
        let stage = try CaptureStage(first, second)
        stage.run(
            first.deliver, { stage.ask(.device("usb-B")) }, { second.isPluggedIn = false }, stage.until(4),
            { second.isPluggedIn = true }, stage.until(7), second.deliver)
        #expect(
            stage.trace == liveA + [
                "starting usb-B", "open /dev/video1", "answer usb-B", "lost usb-B", "open /dev/video1", "live usb-B",
            ])
    }

    @Test("one request switches to the test pattern, and another switches back")
    func pattern() throws {
        let stage = try CaptureStage(first)
        stage.run(
            first.deliver, { stage.ask(.device("test-pattern")) }, {}, { stage.ask(.device("usb-A")) },
            first.deliver)
        #expect(
            stage.trace == liveA + ["answer test-pattern", "test-pattern test-pattern"]
                + ["starting usb-A", "open /dev/video0", "answer usb-A", "live usb-A"])
        #expect(stage.recorder.lines.dropFirst().first == "Showing the built-in test pattern.")
    }

    @Test("a request ends the wait for a camera that is missing")
    func whileWaiting() throws {
        let stage = try CaptureStage(first, device: "usb-Z")
        stage.run(stage.until(2), { stage.ask(.device("usb-A")) }, first.deliver)
        #expect(
            stage.trace == ["no-camera -", "starting usb-A", "open /dev/video0", "answer usb-A", "live usb-A"])
    }

    @Test("another camera stands in for the one that was chosen in an earlier run, until that one is back")
    func standIn() throws {
        let folder = try TemporaryFolder()
        let stage = try CaptureStage(first, second)
        stage.stateFile = StateFile(folder: folder.path)
        try stage.stateFile?.store("usb-B")
        second.isPluggedIn = false
        stage.run(
            first.deliver,
            {
                second.isPluggedIn = true
                second.node.problem = .denied(path: "/dev/video1", group: nil)
                stage.directory.refresh()
            }, first.deliver,
            {
                second.node.problem = nil
                stage.directory.refresh()
            }, second.deliver)
        #expect(stage.trace == liveA + ["starting usb-B", "open /dev/video1", "live usb-B"])
        #expect(stage.openings == [0, 1])
    }

    @Test("a camera that was used because the chosen one could not be opened stays in use")
    func noStandIn() throws {
        let folder = try TemporaryFolder()
        let stage = try CaptureStage(first, second)
        stage.stateFile = StateFile(folder: folder.path)
        try stage.stateFile?.store("usb-B")
        second.problem = .busy(path: "/dev/video1", holders: [])
        stage.run(first.deliver, { stage.directory.refresh() }, first.deliver)
        #expect(stage.openings == [0, 0])
        #expect(stage.trace.last == "live usb-A")
    }

    @Test("a request's choice is forgotten when the configuration names another device, and only then")
    func configured() throws {
        let stage = try CaptureStage(first, second, third)
        stage.run(
            first.deliver, { stage.ask(.device("usb-B")) }, second.deliver,
            { stage.config.update { $0.camera.fps = 15 } }, second.deliver,
            { stage.config.update { $0.camera.device = "usb-C" } }, third.deliver)
        #expect(
            stage.trace.filter { $0.hasPrefix("live") || $0.hasPrefix("open") } == [
                "open /dev/video0", "live usb-A", "open /dev/video1", "live usb-B", "open /dev/video1", "live usb-B",
                "open /dev/video2", "live usb-C",
            ])
    }

    @Test("a camera that the configuration names by its device node is replaced by the next camera at that node")
    func samePlace() throws {
        let stage = try CaptureStage(first, device: "/dev/video0")
        let other = StagedCamera("Z", number: 0)
        stage.run(
            first.deliver,
            {
                first.isPluggedIn = false
                stage.add(other)
            }, {}, other.deliver)
        #expect(stage.trace == liveA + ["lost usb-A", "open /dev/video0", "live usb-Z"])
    }

    @Test("stopping the capture loop refuses the waiting requests, and the one that was about to be carried out")
    func stop() throws {
        let stage = try CaptureStage(first, second)
        first.stream.driver.on(FAKE_STREAMOFF, Int32.self) { _ in
            stage.ask(.next)
            stage.requests.stop()
            return 0
        }
        stage.run(first.deliver, { stage.ask(.device("usb-B")) }, {})
        #expect(stage.trace == liveA + ["answer unavailable", "answer unavailable"])
    }
}
