package import Configuration
import FoundationEssentials
package import Handoff
package import Logging
package import Readings
package import V4L2

/// The values that the capture thread shares with the rest of the program.
package struct CaptureContext: Sendable {
    let config: Latest<Settings>
    let readings: Latest<Reading>
    let directory: CameraDirectory
    let requests: CameraRequests
    let stateFile: StateFile?
    let notices: Notices
    let revisions: Latest<Revisions>
    let influence: Latest<ControlInfluence>
    let demand: Demand?
    let tap: PictureTap?
    let history: History?
    let log: Logger
    let open: @Sendable (_ path: String) throws(V4L2Error) -> Device
    let clock: ThreadClock

    /// - Parameters:
    ///   - readings: The place where readings are published.
    ///   - requests: The queue of the clients' commands.
    ///   - stateFile: The file that keeps the choice of a camera; nil to forget it at exit.
    ///   - revisions: The revisions that every reading carries.
    ///   - influence: The influence of the camera's controls on the colour.
    ///   - demand: The demand for readings; nil if readings are always wanted.
    ///   - tap: Takes the frames that viewers want to see; nil if there are no pictures.
    ///   - history: Keeps the readings; nil if nobody asks for old ones.
    ///   - open: Opens the device at a path.
    ///   - clock: The clock by which the thread waits.
    package init(
        config: Latest<Settings>, readings: Latest<Reading>, directory: CameraDirectory, requests: CameraRequests,
        stateFile: StateFile? = nil, notices: Notices = Notices(), revisions: Latest<Revisions> = Latest(Revisions()),
        influence: Latest<ControlInfluence> = Latest(.init()), demand: Demand? = nil, tap: PictureTap? = nil,
        history: History? = nil, log: Logger,
        open: @escaping @Sendable (_ path: String) throws(V4L2Error) -> Device = Device.init(opening:),
        clock: ThreadClock = .system
    ) {
        self.config = config
        self.readings = readings
        self.directory = directory
        self.requests = requests
        self.stateFile = stateFile
        self.notices = notices
        self.revisions = revisions
        self.influence = influence
        self.demand = demand
        self.tap = tap
        self.history = history
        self.log = log
        self.open = open
        self.clock = clock
    }
}

/// The thread that opens the camera, waits for its frames and publishes readings.
package enum CaptureThread {
    /// Captures and publishes until the task is cancelled. When it returns, the camera is released.
    package static func run(_ context: CaptureContext) async {
        let requests = context.requests
        await withTaskGroup { group in
            group.addTask { await context.directory.follow { requests.waker.wake() } }
            group.addTask { for await _ in context.config.updates() { requests.waker.wake() } }
            await BlockingThread.run(named: "capture") {
                var loop = CaptureLoop(context)
                loop.run()
            } onCancel: {
                requests.stop()
            }
            group.cancelAll()
        }
    }
}
