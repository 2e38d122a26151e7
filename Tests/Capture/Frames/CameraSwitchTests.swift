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
@testable import State
@testable import Storage

@Suite("Switching to another camera")
struct CameraSwitchTests {
    private let first = FakeCamera("A", number: 0)
    private let second = FakeCamera("B", number: 1)
    private let third = FakeCamera("C", number: 2)
    private let liveA = ["starting usb-A", "open /dev/video0", "live usb-A"]

    @Test("a request releases the camera in use, and then switches to another")
    func device() throws {
        let fixture = try CaptureLoopFixture(first, second)
        var stopped = 0
        fixture.run(
            first.deliver, { fixture.ask(.device("usb-B")) },
            {
                stopped = first.stream.driver.count(of: FAKE_STREAMOFF)
                second.deliver()
            })
        #expect(fixture.trace == liveA + ["starting usb-B", "open /dev/video1", "answer usb-B", "live usb-B"])
        #expect(stopped == 1)
    }

    private static func chosenCamera(in folder: String) -> StoredValue<String> {
        StoredValue("camera", in: StateFolder(folder), log: .silent)
    }

    @Test("a camera that was chosen is the first choice of the next run")
    func remembered() async throws {
        let folder = try TemporaryFolder()
        let fixture = try CaptureLoopFixture(first, second)
        fixture.chosenCamera = Self.chosenCamera(in: folder.path)
        fixture.run(first.deliver, { fixture.ask(.next) }, second.deliver)
        await waitUntil("the choice is stored") {
            StoredFile<String>.value(of: "camera.json", in: StateFolder(folder.path)) == "usb-B"
        }
        let next = try CaptureLoopFixture(FakeCamera("A", number: 0), second)
        next.chosenCamera = fixture.chosenCamera
        next.run({})
        #expect(next.trace == ["starting usb-B", "open /dev/video1"])
    }

    @Test("a camera that was chosen is the first choice again once the configuration names no other")
    func rememberedAcrossEdits() throws {
        let fixture = try CaptureLoopFixture(first, second)
        fixture.run(
            first.deliver, { fixture.ask(.device("usb-B")) }, second.deliver,
            { fixture.config.update { $0.effective.camera.device = "usb-A" } }, first.deliver,
            { fixture.config.update { $0.effective.camera.device = "auto" } }, second.deliver)
        #expect(
            fixture.trace.suffix(6) == [
                "starting usb-A", "open /dev/video0", "live usb-A", "starting usb-B", "open /dev/video1", "live usb-B",
            ])
    }

    @Test("a choice that cannot be stored is carried out and reported")
    func forgotten() async throws {
        let folder = try TemporaryFolder(["file": ""])
        let fixture = try CaptureLoopFixture(first, second)
        fixture.chosenCamera = Self.chosenCamera(in: folder.path + "/file")
        fixture.run(first.deliver, { fixture.ask(.next) }, second.deliver)
        #expect(fixture.trace.last == "live usb-B")
        await waitUntil("the problem is known") {
            fixture.chosenCamera?.problem?.hasPrefix("The camera will not be remembered for the next start: ") == true
        }
    }

    @Test("a request for the next camera skips cameras that cannot be opened, and wraps around at the end of the list")
    func next() throws {
        let fixture = try CaptureLoopFixture(first, second, third)
        second.problem = .busy(path: "/dev/video1", holders: [])
        fixture.run(
            first.deliver, { fixture.ask(.next) }, third.deliver, { fixture.ask(.next) }, first.deliver)
        #expect(
            fixture.trace == liveA + [
                "starting usb-B", "open /dev/video1", "starting usb-C", "open /dev/video2", "answer usb-C",
                "live usb-C", "starting usb-A", "open /dev/video0", "answer usb-A", "live usb-A",
            ])
    }

    @Test("a request that cannot be met is refused, and the camera in use stays open")
    func refused() throws {
        let fixture = try CaptureLoopFixture(first)
        fixture.run(first.deliver, { fixture.ask(.device("nosuch")) }, { fixture.ask(.next) }, first.deliver)
        #expect(
            fixture.trace == liveA + [
                #"answer notFound("There is no such camera. /api/cameras lists the cameras.")"#,
                #"answer unusable("There is no other camera.")"#,
            ])
        #expect(fixture.openings == [0])
    }

    @Test("the first request that can be met is carried out, and those before it are refused")
    func severalRequests() throws {
        let fixture = try CaptureLoopFixture(first, second)
        fixture.run(
            first.deliver,
            {
                fixture.ask(.device("nosuch"))
                fixture.ask(.device("usb-B"))
            }, {})
        #expect(
            fixture.trace.filter { $0.hasPrefix("answer") } == [
                #"answer notFound("There is no such camera. /api/cameras lists the cameras.")"#, "answer usb-B",
            ])
    }

    @Test("a request for the next camera is refused if there is no camera")
    func none() throws {
        let fixture = try CaptureLoopFixture(first)
        first.isPluggedIn = false
        fixture.run({ fixture.ask(.next) }, {})
        #expect(fixture.trace.last == #"answer unusable("There is no camera.")"#)
    }

    @Test("if the other camera cannot be opened, the request is refused and the old camera is used again")
    func unusable() throws {
        let fixture = try CaptureLoopFixture(first, second)
        second.problem = .denied(path: "/dev/video1", group: nil)
        fixture.run(first.deliver, { fixture.ask(.device("usb-B")) }, first.deliver)
        #expect(
            fixture.trace == liveA + [
                "starting usb-B", "open /dev/video1",
                #"answer unusable("/dev/video1: permission denied. To see who may use it, run: ls -l /dev/video1")"#,
                "starting usb-A", "open /dev/video0", "live usb-A",
            ])
    }

    @Test("a chosen camera that is unplugged before its first frame counts as lost, and is not replaced")
    func lostAtOnce() throws {
        let fixture = try CaptureLoopFixture(first, second)
        fixture.run(
            first.deliver, { fixture.ask(.device("usb-B")) }, { second.isPluggedIn = false }, fixture.until(4),
            { second.isPluggedIn = true }, fixture.until(7), second.deliver)
        #expect(
            fixture.trace == liveA + [
                "starting usb-B", "open /dev/video1", "answer usb-B", "lost usb-B", "open /dev/video1", "live usb-B",
            ])
    }

    @Test("one request switches to the test pattern, and another switches back")
    func pattern() throws {
        let fixture = try CaptureLoopFixture(first)
        fixture.run(
            first.deliver, { fixture.ask(.device("test-pattern")) }, {}, { fixture.ask(.device("usb-A")) },
            first.deliver)
        #expect(
            fixture.trace == liveA + ["answer test-pattern", "test-pattern test-pattern"]
                + ["starting usb-A", "open /dev/video0", "answer usb-A", "live usb-A"])
        #expect(fixture.recorder.lines.dropFirst().first == "Showing the built-in test pattern.")
    }

    @Test("a request ends the wait for a camera that is missing")
    func whileWaiting() throws {
        let fixture = try CaptureLoopFixture(first, device: "usb-Z")
        fixture.run(fixture.until(2), { fixture.ask(.device("usb-A")) }, first.deliver)
        #expect(
            fixture.trace == ["no-camera -", "starting usb-A", "open /dev/video0", "answer usb-A", "live usb-A"])
    }

    @Test("another camera stands in for the one that was chosen in an earlier run, until that one is back")
    func standIn() throws {
        let folder = try TemporaryFolder()
        let fixture = try CaptureLoopFixture(first, second)
        fixture.chosenCamera = Self.chosenCamera(in: folder.path)
        fixture.chosenCamera?.latest.publish("usb-B")
        second.isPluggedIn = false
        fixture.run(
            first.deliver,
            {
                second.isPluggedIn = true
                second.node.problem = .denied(path: "/dev/video1", group: nil)
                fixture.directory.refresh()
            }, first.deliver,
            {
                second.node.problem = nil
                fixture.directory.refresh()
            }, second.deliver)
        #expect(fixture.trace == liveA + ["starting usb-B", "open /dev/video1", "live usb-B"])
        #expect(fixture.openings == [0, 1])
    }

    @Test("a camera that was used because the chosen one could not be opened stays in use")
    func noStandIn() throws {
        let folder = try TemporaryFolder()
        let fixture = try CaptureLoopFixture(first, second)
        fixture.chosenCamera = Self.chosenCamera(in: folder.path)
        fixture.chosenCamera?.latest.publish("usb-B")
        second.problem = .busy(path: "/dev/video1", holders: [])
        fixture.run(first.deliver, { fixture.directory.refresh() }, first.deliver)
        #expect(fixture.openings == [0, 0])
        #expect(fixture.trace.last == "live usb-A")
    }

    @Test("a request's choice is forgotten when the configuration names another device, and only then")
    func configured() throws {
        let fixture = try CaptureLoopFixture(first, second, third)
        fixture.run(
            first.deliver, { fixture.ask(.device("usb-B")) }, second.deliver,
            { fixture.config.update { $0.effective.camera.fps = 15 } }, second.deliver,
            { fixture.config.update { $0.effective.camera.device = "usb-C" } }, third.deliver)
        #expect(
            fixture.trace.filter { $0.hasPrefix("live") || $0.hasPrefix("open") } == [
                "open /dev/video0", "live usb-A", "open /dev/video1", "live usb-B", "open /dev/video1", "live usb-B",
                "open /dev/video2", "live usb-C",
            ])
    }

    @Test("a camera that the configuration names by its device node is replaced by the next camera at that node")
    func samePlace() throws {
        let fixture = try CaptureLoopFixture(first, device: "/dev/video0")
        let other = FakeCamera("Z", number: 0)
        fixture.run(
            first.deliver,
            {
                first.isPluggedIn = false
                fixture.add(other)
            }, {}, other.deliver)
        #expect(fixture.trace == liveA + ["lost usb-A", "open /dev/video0", "live usb-Z"])
    }

    @Test("stopping the capture loop refuses the waiting requests, and the one that was about to be carried out")
    func stop() throws {
        let fixture = try CaptureLoopFixture(first, second)
        first.stream.driver.on(FAKE_STREAMOFF, Int32.self) { _ in
            fixture.ask(.next)
            fixture.requests.stop()
            return 0
        }
        fixture.run(first.deliver, { fixture.ask(.device("usb-B")) }, {})
        #expect(fixture.trace == liveA + ["answer unavailable", "answer unavailable"])
    }
}
