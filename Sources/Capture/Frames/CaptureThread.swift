package import Configuration
import Foundation
package import Handoff
package import Logging
package import Readings
import V4L2

/// Runs the capture loop on a thread of its own, so that nothing else ever waits for a camera, nor a camera for
/// anything else.
package struct CaptureThread: Sendable {
    private let config: Latest<Config>
    private let readings: Latest<Reading>
    private let directory: CameraDirectory
    private let memory: StateFile?
    private let bulletin: Bulletin
    private let demand: Demand?
    private let tap: PictureTap?
    private let requests: CameraRequests
    private let log: Logger

    /// - Parameters:
    ///   - memory: Where a choice of camera is kept; nil: nowhere.
    ///   - demand: Who wants the readings; nil: somebody always does.
    ///   - tap: Takes frames to be seen; nil if nobody can.
    ///   - requests: Where to ask for another camera.
    package init(
        config: Latest<Config>, readings: Latest<Reading>, directory: CameraDirectory, memory: StateFile? = nil,
        bulletin: Bulletin = Bulletin(), demand: Demand? = nil, tap: PictureTap? = nil, requests: CameraRequests,
        log: Logger
    ) {
        self.config = config
        self.readings = readings
        self.directory = directory
        self.memory = memory
        self.bulletin = bulletin
        self.demand = demand
        self.tap = tap
        self.requests = requests
        self.log = log
    }

    /// Captures and publishes until the task is cancelled; when it returns, the camera is released.
    package func run() async {
        let requests = requests
        await withTaskGroup { group in
            group.addTask { await directory.follow { requests.waker.wake() } }
            group.addTask { for await _ in config.updates() { requests.waker.wake() } }
            await Thread.run(named: "capture") {
                var loop = CaptureLoop(
                    config: config, readings: readings, directory: directory, memory: memory, bulletin: bulletin,
                    demand: demand, tap: tap, requests: requests, log: log)
                loop.run()
            } onCancel: {
                requests.stop()
            }
            group.cancelAll()
        }
    }
}
