package import Configuration
import Foundation
package import Handoff
package import Logging
package import Readings

/// What the capture thread works with.
package struct CaptureContext: Sendable {
    let config: Latest<Config>
    let readings: Latest<Reading>
    let directory: CameraDirectory
    let requests: CameraRequests
    let stateFile: StateFile?
    let notices: Notices
    let revisions: Latest<Revisions>
    let demand: Demand?
    let tap: PictureTap?
    let log: Logger

    /// - Parameters:
    ///   - readings: Where readings are published.
    ///   - requests: Where clients ask for another camera.
    ///   - stateFile: Where the choice of a camera is kept; nil: nowhere.
    ///   - revisions: Carried by every reading.
    ///   - demand: Who wants the readings; nil: somebody always does.
    ///   - tap: Takes frames that somebody wants to see; nil: nobody can.
    package init(
        config: Latest<Config>, readings: Latest<Reading>, directory: CameraDirectory, requests: CameraRequests,
        stateFile: StateFile? = nil, notices: Notices = Notices(), revisions: Latest<Revisions> = Latest(Revisions()),
        demand: Demand? = nil, tap: PictureTap? = nil, log: Logger
    ) {
        self.config = config
        self.readings = readings
        self.directory = directory
        self.requests = requests
        self.stateFile = stateFile
        self.notices = notices
        self.revisions = revisions
        self.demand = demand
        self.tap = tap
        self.log = log
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
            await Thread.run(named: "capture") {
                var loop = CaptureLoop(context)
                loop.run()
            } onCancel: {
                requests.stop()
            }
            group.cancelAll()
        }
    }
}
