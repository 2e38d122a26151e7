import Dispatch
import Foundation
import TestSupport
import Testing
import V4L2

@testable import Capture
@testable import Configuration
@testable import Handoff
@testable import Readings
@testable import State

@Suite("The threads of the camera", .timeLimit(.minutes(20)))
struct CaptureThreadTests {
    /// Clocks by which threads wait until the waker is woken.
    private static let untilWoken = {
        var clocks = Clocks()
        clocks.wait = { waker, _ in waker.wait(until: .now() + 3600) }
        return clocks
    }()

    private static func shared(
        _ settings: Settings = Settings(), clocks: Clocks = Clocks(),
        directory: CameraDirectory = CameraDirectory(log: .silent, list: { [] })
    ) throws -> SharedState {
        var shared = try SharedState(config: Latest(settings), log: .silent)
        (shared.directory, shared.clocks) = (directory, clocks)
        return shared
    }

    @Test("an edit to the configuration ends the capture thread's wait, and cancelling its task ends the thread")
    func captureWoken() async throws {
        var settings = Settings()
        settings.effective.camera.device = "none"
        let shared = try Self.shared(settings, clocks: Self.untilWoken)
        let (config, readings) = (shared.config, shared.readings)
        let updates = readings.updates()
        let task = Task { await CaptureThread.run(shared) }
        #expect(await updates.first { $0.state == .noCamera }?.message?.contains("nothing") == false)
        await waitUntil("the thread follows the configuration") { config.isObserved }
        config.update { $0.effective.camera.device = "nothing" }
        await waitUntil("a reading names the new device") { readings.value.message?.contains("nothing") == true }
        task.cancel()
        await task.value
        #expect(shared.cameraRequests.isStopped)
    }

    @Test("a camera that is plugged in ends the capture thread's wait")
    func pluggedIn() async throws {
        var settings = Settings()
        settings.effective.camera.device = DeviceNode.c920.id
        let (folder, nodes) = (try TemporaryFolder(), Latest<[DeviceNode]>([]))
        let directory = CameraDirectory(log: .silent, folder: folder.path, list: { nodes.value })
        var shared = try Self.shared(settings, clocks: Self.untilWoken, directory: directory)
        shared.open = { path throws(V4L2Error) in throw .busy(path: path, holders: []) }
        let updates = shared.readings.updates()
        let task = Task { [shared] in await CaptureThread.run(shared) }
        #expect(await updates.first { $0.state == .noCamera } != nil)
        nodes.publish([DeviceNode.c920])
        // Repeated, because the folder may not be watched yet.
        try await waitUntil("the thread tries to open the camera") {
            try folder.write("", to: "video0")
            try folder.remove("video0")
            return shared.readings.value.state == .busy
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
        let hang = DispatchSemaphore(value: 0)
        let directory = CameraDirectory(
            log: .silent,
            list: {
                hang.wait()
                return []
            })
        let shared = try Self.shared(Settings(settings), directory: directory)
        let interest = shared.demand.watch()
        defer { withExtendedLifetime(interest) {} }
        let readings = shared.readings
        let task = Task { await CaptureThread.run(shared) }
        for sequence in 1...3 {
            await waitUntil("reading \(sequence) is published") { readings.value.sequence >= sequence }
            #expect(readings.value.state == state)
        }
        for _ in 1...1000 { hang.signal() }
        await waitUntil("the test pattern is shown") { readings.value.state == .testPattern }
        task.cancel()
        await task.value
    }

    @Test("a first list that arrives while a camera is being looked for in it is not taken for an empty one")
    func listedMeanwhile() throws {
        var settings = Settings()
        settings.effective.camera.device = DeviceNode.c920.id
        // Nothing makes the list arrive at the critical moment, but in some of so many attempts it does.
        for _ in 1...5000 {
            let directory = CameraDirectory(
                log: .silent, list: { [DeviceNode.c920] }, patience: .nanoseconds(0))
            var shared = try Self.shared(settings, directory: directory)
            shared.open = { path throws(V4L2Error) in throw .busy(path: path, holders: []) }
            shared.clocks.wait = { [requests = shared.cameraRequests] _, _ in
                requests.stop()
                return true
            }
            var loop = CaptureLoop(shared)
            loop.run()
            #expect([.starting, .busy].contains(shared.readings.value.state))
        }
    }

    @Test("an edit to the configuration and a new watcher end the control thread's wait")
    func controlsWoken() async throws {
        let opened = Latest(0)
        var shared = try Self.shared(clocks: Self.untilWoken)
        shared.open = { path throws(V4L2Error) in
            opened.update { $0 += 1 }
            throw .notACamera(path: path)
        }
        let (config, readings, demand) = (shared.config, shared.readings, shared.demand)
        let task = Task { [shared] in await ControlThread.run(shared) }
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
        let opened = Latest<String?>(nil)
        var shared = try Self.shared()
        shared.open = { path throws(V4L2Error) in
            opened.publish(path)
            throw .notACamera(path: path)
        }
        let readings = shared.readings
        let updates = opened.updates()
        let task = Task { [shared] in await ControlThread.run(shared) }
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
        #expect(shared.controlRequests.isStopped)
    }
}
