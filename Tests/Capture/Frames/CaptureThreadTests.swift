import Foundation
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings

@Suite("The threads of the camera", .timeLimit(.minutes(20)))
struct CaptureThreadTests {
    @Test("the capture thread follows the configuration, and ends when its task is cancelled")
    func capture() async throws {
        var settings = Config()
        settings.camera.device = "none"
        let config = Latest(settings)
        let readings = Latest(Reading.none)
        let requests = try CameraRequests()
        let context = CaptureContext(
            config: config, readings: readings, directory: CameraDirectory(log: .silent, list: { [] }),
            requests: requests, log: .silent)
        let updates = readings.updates()
        let task = Task { await CaptureThread.run(context) }
        var hasEdited = false
        for await reading in updates {
            if reading.state == .testPattern { break }
            guard !hasEdited else { continue }
            hasEdited = true
            config.update { $0.camera.device = "test-pattern" }
        }
        task.cancel()
        await task.value
        #expect(requests.isStopped)
    }

    @Test("the control thread opens the camera that delivers frames, and ends when its task is cancelled")
    func controls() async throws {
        let readings = Latest(Reading.none)
        let requests = try ControlRequests()
        let opened = Latest<String?>(nil)
        let context = ControlContext(
            config: Latest(Config()), readings: readings, demand: Demand(), state: Latest(ControlState()),
            notices: Notices(), revisions: Latest(Revisions()), requests: requests, log: .silent,
            open: { path throws(V4L2Error) in
                opened.publish(path)
                throw .notACamera(path: path)
            })
        let updates = opened.updates()
        let task = Task { await ControlThread.run(context) }
        while !readings.isObserved { await Task.yield() }
        readings.publish(
            Reading.sample.with { reading in
                reading.state = .starting
                reading.camera = .init(id: "usb-A", name: "A", device: "/dev/video7")
            })
        readings.publish(Reading.sample)
        #expect(await updates.first { _ in true } == "/dev/video0")
        task.cancel()
        await task.value
        #expect(requests.isStopped)
    }
}
