import Dispatch
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
        var settings = Settings()
        settings.effective.camera.device = "none"
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
            config.update { $0.effective.camera.device = "test-pattern" }
        }
        task.cancel()
        await task.value
        #expect(requests.isStopped)
    }

    /// A clock whose waits end only when the waker is woken.
    private let clock = ThreadClock(now: MonotonicTime.now) { waker, _ in waker.wait(until: .now() + 3600) }

    @Test("an edit to the configuration ends the capture thread's wait")
    func captureWoken() async throws {
        var settings = Settings()
        settings.effective.camera.device = "none"
        let (config, readings) = (Latest(settings), Latest(Reading.none))
        let context = CaptureContext(
            config: config, readings: readings, directory: CameraDirectory(log: .silent, list: { [] }),
            requests: try CameraRequests(), log: .silent, clock: clock)
        let updates = readings.updates()
        let task = Task { await CaptureThread.run(context) }
        #expect(await updates.first { $0.state == .noCamera }?.message?.contains("nothing") == false)
        await waitUntil("the thread follows the configuration") { config.isObserved }
        config.update { $0.effective.camera.device = "nothing" }
        await waitUntil("a reading names the new device") { readings.value.message?.contains("nothing") == true }
        task.cancel()
        await task.value
    }

    @Test("a camera that is plugged in ends the capture thread's wait")
    func pluggedIn() async throws {
        var settings = Settings()
        settings.effective.camera.device = SourceSelectionTests.c920.id
        let (folder, nodes, readings) = (try TemporaryFolder(), Latest<[DeviceNode]>([]), Latest(Reading.none))
        let directory = CameraDirectory(log: .silent, folder: folder.path, list: { nodes.value })
        let context = CaptureContext(
            config: Latest(settings), readings: readings, directory: directory, requests: try CameraRequests(),
            log: .silent, open: { path throws(V4L2Error) in throw .busy(path: path, holders: []) }, clock: clock)
        let updates = readings.updates()
        let task = Task { await CaptureThread.run(context) }
        #expect(await updates.first { $0.state == .noCamera } != nil)
        nodes.publish([SourceSelectionTests.c920])
        // Repeated, because the folder may not be watched yet.
        try await waitUntil("the thread tries to open the camera") {
            try folder.write("", to: "video0")
            try folder.remove("video0")
            return readings.value.state == .busy
        }
        task.cancel()
        await task.value
    }

    @Test(
        "readings go on while a device hangs as it is opened for the list",
        arguments: [("auto", Reading.State.starting), ("test-pattern", .testPattern)])
    func hanging(device: String, state: Reading.State) async throws {
        var settings = Config()
        settings.camera.device = device
        let (hang, readings) = (DispatchSemaphore(value: 0), Latest(Reading.none))
        let directory = CameraDirectory(
            log: .silent,
            list: {
                hang.wait()
                return []
            })
        let context = CaptureContext(
            config: Latest(Settings(settings)), readings: readings, directory: directory,
            requests: try CameraRequests(),
            log: .silent)
        let task = Task { await CaptureThread.run(context) }
        for sequence in 1...3 {
            await waitUntil("reading \(sequence) is published") { readings.value.sequence >= sequence }
            #expect(readings.value.state == state)
        }
        for _ in 1...1000 { hang.signal() }
        await waitUntil("the test pattern is shown") { readings.value.state == .testPattern }
        task.cancel()
        await task.value
    }

    @Test("an edit to the configuration and a new watcher end the control thread's wait")
    func controlsWoken() async throws {
        let (config, readings, demand) = (Latest(Settings()), Latest(Reading.none), Demand())
        let opened = Latest(0)
        let context = ControlContext(
            config: config, readings: readings, demand: demand, state: Latest(ControlState()),
            notices: Notices(), revisions: Latest(Revisions()), requests: try ControlRequests(), log: .silent,
            open: { path throws(V4L2Error) in
                opened.update { $0 += 1 }
                throw .notACamera(path: path)
            }, clock: clock)
        let task = Task { await ControlThread.run(context) }
        await waitUntil("the thread follows readings and configuration") {
            readings.isObserved && config.isObserved
        }
        readings.publish(.sample)
        await waitUntil("the camera is opened for the first reading") { opened.value >= 1 }
        config.update { $0.effective.camera.controls = [:] }
        await waitUntil("the camera is opened again after the edit") { opened.value >= 2 }
        // Repeated, because the demand may not be followed yet.
        var token: InterestToken?
        await waitUntil("the camera is opened again for the watcher") {
            token = nil
            token = demand.watch()
            return opened.value >= 3
        }
        withExtendedLifetime(token) {}
        task.cancel()
        await task.value
    }

    @Test("the control thread opens the camera that delivers frames, and ends when its task is cancelled")
    func controls() async throws {
        let readings = Latest(Reading.none)
        let requests = try ControlRequests()
        let opened = Latest<String?>(nil)
        let context = ControlContext(
            config: Latest(Settings()), readings: readings, demand: Demand(), state: Latest(ControlState()),
            notices: Notices(), revisions: Latest(Revisions()), requests: requests, log: .silent,
            open: { path throws(V4L2Error) in
                opened.publish(path)
                throw .notACamera(path: path)
            })
        let updates = opened.updates()
        let task = Task { await ControlThread.run(context) }
        await waitUntil("the thread follows the readings") { readings.isObserved }
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
