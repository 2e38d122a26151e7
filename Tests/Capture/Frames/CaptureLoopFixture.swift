import FakeDriver
import Foundation
import Glibc
import Logging
import ModelCamera
import TestSupport
import V4L2

@testable import Capture
@testable import Configuration
@testable import Documents
@testable import Handoff
@testable import Readings
@testable import State
@testable import Storage

/// The surroundings of a capture loop under test: cameras, a clock and clients, all driven by the test.
///
/// Nothing waits in real time. Whenever the loop would wait, the next step of the test runs instead; after the last
/// one, the loop is stopped.
@safe final class CaptureLoopFixture: @unchecked Sendable {
    let recorder = LogRecorder()
    private let shared: SharedState
    var config: Latest<Settings> { shared.config }
    var readings: Latest<Reading> { shared.readings }
    var notices: Notices { shared.notices }
    var revisions: Latest<Revisions> { shared.revisions }
    var requests: CameraRequests { shared.cameraRequests }
    private var cameras: [FakeCamera] = []
    var chosenCamera: StoredValue<String>?
    /// The steps of the test, of which one runs each time that the loop waits.
    var steps: [() -> Void] = []
    /// The visible events in order: the devices that were opened, the changes of state, and the answers to requests.
    private(set) var trace: [String] = []
    /// The messages of the readings, without repetitions, and with TIME in place of the time of day.
    private(set) var messages: [String] = []
    /// The times at which devices were opened, in seconds from the start.
    private(set) var openings: [Double] = []
    private(set) var now = start
    /// How often the loop asked for a restart of the program.
    private(set) var restarts = 0
    /// Long ago by the real clock, so that no wait for a device lasts.
    private static let start = MonotonicTime(nanoseconds: -1_000_000_000_000_000)
    private var seen = ""
    private(set) lazy var directory = CameraDirectory(
        revisions: revisions, log: recorder.log,
        list: { [unowned self] in cameras.filter(\.isPluggedIn).map(\.node) }, patience: .seconds(3600))

    init(_ cameras: FakeCamera..., device: String = "auto") throws {
        shared = try SharedState(log: recorder.log)
        config.update { config in
            (config.effective.camera.device, config.effective.camera.format) = (device, "YUYV")
            (config.effective.camera.width, config.effective.camera.height, config.effective.camera.fps) = (16, 8, 30)
        }
        for camera in cameras { add(camera) }
    }

    func add(_ camera: FakeCamera) {
        cameras.append(camera)
        camera.stream.onWait = { [unowned self, unowned camera] in wait(for: camera) }
    }

    /// Runs the loop from start to stop.
    func run(_ steps: (() -> Void)...) { run(steps: steps) }

    func run(steps: [() -> Void]) {
        self.steps = steps
        var shared = shared
        shared.directory = directory
        if let chosenCamera { shared.chosenCamera = chosenCamera }
        shared.restart = { [unowned self] in restarts += 1 }
        shared.open = { [unowned self] path throws(V4L2Error) in try open(path) }
        shared.clocks.now = { [unowned self] in now }
        shared.clocks.wait = { [unowned self] in wait($0, until: $1) }
        // The readings are always wanted.
        let interest = shared.demand.watch()
        defer { withExtendedLifetime(interest) {} }
        var loop = CaptureLoop(shared)
        loop.run()
        fake_driver_end()
        observe()
    }

    /// Submits a command; the answer goes to the trace, unless the choice is stored.
    func ask(_ command: CameraCommand) {
        if chosenCamera != nil {
            return requests.enqueue(CameraRequests.Request(command: command) { _ in })
        }
        let request = CameraRequests.Request(command: command) { [unowned self] reply in
            switch reply {
            case .success(let camera): trace.append("answer \(camera.id)")
            case .failure(let refusal): trace.append("answer \(refusal)")
            }
        }
        requests.enqueue(request)
    }

    /// Makes a step that lasts until a time, in seconds from the start.
    func until(_ seconds: Double) -> () -> Void {
        { [unowned self] in
            if now - Self.start < seconds { steps.insert(until(seconds), at: 0) }
        }
    }

    /// Moves the clock to a time at which a camera that started before asks for its signal.
    func passSignalInterval() { now = .now() + 1.5 }

    /// Waits for a tick, as for a camera's frame or signal.
    func tick() {
        now = now + 0.25
        rest()
    }

    /// Runs the next step.
    private func rest() {
        observe()
        if steps.isEmpty { requests.stop() } else { steps.removeFirst()() }
    }

    /// Adds a change of state to the trace, and a new message to the messages.
    private func observe() {
        let reading = readings.value
        let now = "\(reading.state.rawValue) \(reading.camera?.id ?? "-")"
        if reading.sequence > 0, now != seen { trace.append(now) }
        seen = now
        if let message = reading.message {
            let timeless = message.replacing(/[0-9]{2}:[0-9]{2}:[0-9]{2}/, with: "TIME")
            if timeless != messages.last { messages.append(timeless) }
        }
    }

    private func open(_ path: String) throws(V4L2Error) -> Device {
        observe()
        openings.append(now - Self.start)
        trace.append("open \(path)")
        guard let camera = cameras.first(where: { $0.isPluggedIn && $0.node.path == path }) else {
            throw .notACamera(path: path)
        }
        if let problem = camera.problem { throw problem }
        camera.descriptor = camera.stream.makeDescriptor()
        return try camera.stream.driver.open(path, camera.descriptor)
    }

    /// Waits for a frame.
    private func wait(for camera: FakeCamera) -> Int32 {
        tick()
        if !camera.stream.waiting.isEmpty { return 0 }
        if !camera.isPluggedIn { return ENODEV }
        // The time is up.
        requests.waker.wake()
        return EAGAIN
    }

    /// Waits without a camera.
    private func wait(_ waker: Waker, until deadline: MonotonicTime) -> Bool {
        if deadline > now, !waker.wait(until: Self.start) {
            now = deadline
            rest()
        }
        return waker.wait(until: Self.start)
    }
}
