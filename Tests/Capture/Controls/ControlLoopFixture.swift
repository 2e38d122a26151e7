import CV4L2
import FakeDriver
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

/// The surroundings of a control loop under test: a camera with controls, a clock and clients, all driven by the test.
///
/// Nothing waits in real time. Whenever the loop would wait, the next step of the test runs instead; after the last
/// one, the loop is stopped.
@safe final class ControlLoopFixture: @unchecked Sendable {
    static let brightness = UInt32(V4L2_CID_BRIGHTNESS)
    static let whiteBalance = UInt32(V4L2_CID_AUTO_WHITE_BALANCE)
    static let temperature = UInt32(V4L2_CID_WHITE_BALANCE_TEMPERATURE)
    static let exposureMode = UInt32(V4L2_CID_EXPOSURE_AUTO)

    let model = ModelControls()
    let recorder = LogRecorder()
    let shared: SharedState
    var config: Latest<Settings> { shared.config }
    var readings: Latest<Reading> { shared.readings }
    var demand: Demand { shared.demand }
    var state: Latest<ControlState> { shared.controls }
    var notices: Notices { shared.notices }
    var revisions: Latest<Revisions> { shared.revisions }
    var influence: Latest<ControlInfluence> { shared.influence }
    var requests: ControlRequests { shared.controlRequests }
    let camera = Latest<Reading.Camera?>(.init(id: "usb-A", name: "A", device: "/dev/video0"))
    /// Whether the camera can be opened.
    var isPluggedIn = true
    /// The steps of the test, of which one runs each time that the loop waits.
    var steps: [() -> Void] = []
    /// Whether the driver reports events at all; that of some sensors does not.
    var reportsEvents = true
    /// The controls for which the driver reports events next.
    var events: [UInt32] = []
    /// The answers to requests: "done", or the refusal; "unpublished" if the reply was not published before.
    private(set) var answers: [String] = []
    private(set) var opened: [String] = []
    /// The waits without a device, in seconds.
    private(set) var waits: [Double] = []
    private(set) var now = start
    /// Long ago by the real clock, so that no wait for a device lasts.
    private static let start = MonotonicTime(nanoseconds: -1_000_000_000_000_000)
    /// The other end of the socket pair that stands for the device, which keeps it open.
    private var far: Int32 = -1

    init() throws {
        shared = try SharedState(log: recorder.log)
        model.driver.on(FAKE_DQEVENT, v4l2_event.self) { [unowned self] event in
            guard !events.isEmpty else {
                // The device always has an event, so that the loop asks for it instead of waiting.
                rest()
                return ENOENT
            }
            (event.type, event.id) = (UInt32(V4L2_EVENT_CTRL), events.removeFirst())
            return 0
        }
    }

    deinit { close(far) }

    /// Adds the controls of a webcam whose automatic controls are on.
    func addWebcam() {
        model.add(V4L2_CID_BRIGHTNESS, "Brightness", value: 100)
        model.add(V4L2_CID_AUTO_WHITE_BALANCE, "White Balance, Automatic", V4L2_CTRL_TYPE_BOOLEAN, 0...1, value: 1)
        model.add(
            V4L2_CID_WHITE_BALANCE_TEMPERATURE, "White Balance Temperature", V4L2_CTRL_TYPE_INTEGER, 0...7500,
            flags: V4L2_CTRL_FLAG_INACTIVE, value: 4000)
        model.afterChange = { [unowned self] id in
            guard id == Self.whiteBalance else { return }
            let isOn = model.values[id] == .number(1)
            model.setFlags(isOn ? V4L2_CTRL_FLAG_INACTIVE : 0, of: V4L2_CID_WHITE_BALANCE_TEMPERATURE)
        }
    }

    /// Runs the loop from start to stop.
    func run(_ steps: (() -> Void)...) { run(steps) }

    /// Runs the loop from start to stop.
    func run(_ steps: [() -> Void]) {
        self.steps = steps
        var shared = shared
        shared.open = { [unowned self] path throws(V4L2Error) in try open(path) }
        shared.clocks.now = { [unowned self] in now }
        shared.clocks.wait = { [unowned self] in wait($0, until: $1) }
        var loop = ControlLoop(shared, camera: camera)
        loop.run()
        fake_driver_end()
    }

    /// Submits a command.
    func ask(_ command: ControlCommand) {
        let request = ControlRequests.Request(command: command) { [unowned self] reply in
            switch reply {
            // The client must get the published state.
            case .success(let state): answers.append(state == self.state.value ? "done" : "unpublished")
            case .failure(let refusal): answers.append("\(refusal)")
            }
        }
        requests.enqueue(request)
    }

    /// Makes a step that submits a command.
    func asking(_ command: ControlCommand) -> () -> Void { { [unowned self] in ask(command) } }

    func advance(_ seconds: Double) { now = now + seconds }

    /// The published value of a control.
    func value(_ name: String) -> Control.Value? { state.value.controls.first { $0.name == name }?.value }

    /// Simulates the removal of the open device.
    func hangUp() { shutdown(far, Int32(SHUT_RDWR)) }

    private func rest() {
        if steps.isEmpty { requests.stop() } else { steps.removeFirst()() }
    }

    private func open(_ path: String) throws(V4L2Error) -> Device {
        opened.append(path)
        guard isPluggedIn else { throw .notACamera(path: path) }
        var pair: [Int32] = [0, 0]
        guard reportsEvents else {
            // poll(2) reports an error alone if nobody reads a pipe, as it does of a device without events.
            unsafe pipe(&pair)
            close(pair[0])
            return try model.driver.open(path, pair[1])
        }
        unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
        close(far)
        far = pair[1]
        // poll(2) reports urgent data on a socket as it reports an event of a device.
        unsafe send(far, [1] as [UInt8], 1, Int32(MSG_OOB))
        return try model.driver.open(path, pair[0])
    }

    private func wait(_ waker: Waker, until deadline: MonotonicTime) -> Bool {
        if waker.wait(until: Self.start) { return true }
        waits.append(deadline - now)
        now = deadline
        rest()
        return waker.wait(until: Self.start)
    }
}
