package import Configuration
import FoundationEssentials
package import Handoff
package import Logging
package import Readings
package import V4L2

/// The values that the control thread shares with the rest of the program.
package struct ControlContext: Sendable {
    let config: Latest<Settings>
    let readings: Latest<Reading>
    let demand: Demand
    let state: Latest<ControlState>
    let notices: Notices
    let revisions: Latest<Revisions>
    let influence: Latest<ControlInfluence>
    let requests: ControlRequests
    let log: Logger
    let open: @Sendable (_ path: String) throws(V4L2Error) -> Device
    let clock: ThreadClock

    /// - Parameters:
    ///   - readings: Name the camera whose controls are followed, and show whether its automatic controls have settled.
    ///   - demand: The demand for readings, which also says whether anybody watches the controls.
    ///   - state: The place where the controls are published.
    ///   - revisions: Counts the changes of the controls.
    ///   - influence: Receives the influence of the controls on the colour.
    ///   - requests: The queue of the clients' commands.
    ///   - open: Opens the device at a path.
    ///   - clock: The clock by which the thread waits.
    package init(
        config: Latest<Settings>, readings: Latest<Reading>, demand: Demand, state: Latest<ControlState>,
        notices: Notices, revisions: Latest<Revisions>, influence: Latest<ControlInfluence> = Latest(.init()),
        requests: ControlRequests, log: Logger,
        open: @escaping @Sendable (_ path: String) throws(V4L2Error) -> Device = Device.init(opening:),
        clock: ThreadClock = .system
    ) {
        self.config = config
        self.readings = readings
        self.demand = demand
        self.state = state
        self.notices = notices
        self.revisions = revisions
        self.influence = influence
        self.requests = requests
        self.log = log
        self.open = open
        self.clock = clock
    }
}

/// The thread that reads and sets the camera's controls.
///
/// It opens the device a second time, so that a USB camera that is slow to answer never delays a frame.
package enum ControlThread {
    /// Follows the controls of the camera in use until the task is cancelled.
    package static func run(_ context: ControlContext) async {
        let requests = context.requests
        let camera = Latest<Reading.Camera?>(nil)
        await withTaskGroup { group in
            group.addTask {
                for await reading in context.readings.updates() {
                    let liveCamera = reading.state == .live ? reading.camera : nil
                    guard liveCamera != camera.value else { continue }
                    camera.publish(liveCamera)
                    requests.waker.wake()
                }
            }
            group.addTask { for await _ in context.config.updates() { requests.waker.wake() } }
            group.addTask { for await count in context.demand.changes() where count > 0 { requests.waker.wake() } }
            await BlockingThread.run(named: "controls") {
                var loop = ControlLoop(context, camera: camera)
                loop.run()
            } onCancel: {
                requests.stop()
            }
            group.cancelAll()
        }
    }
}

/// A command to the control thread.
package enum ControlCommand: Command {
    /// Sets a control to a value, or to its default if the value is nil.
    case set(name: String, ConfigValue?)
    /// Sets every control to its default, and ends the lock.
    case reset
    /// Locks the automatic controls once they have settled.
    case lock
    /// Restores the automatic controls that the lock turned off, or stops waiting for them to settle.
    case unlock

    /// The state of the controls after the command.
    package typealias Value = ControlState

    package enum Refusal: Error, Equatable, Sendable {
        /// No camera is in use.
        case noCamera
        /// The camera has no such control: a sentence.
        case unknown(String)
        /// The control does not accept the value: a sentence.
        case badValue(String)
        /// The camera refused the change: a sentence.
        case refused(String)
        /// The queue is full or has been stopped.
        case unavailable
    }

    package static let capacity = 32
    package static let unavailable = Refusal.unavailable
}

/// The queue of commands to the control thread.
package typealias ControlRequests = RequestQueue<ControlCommand>
