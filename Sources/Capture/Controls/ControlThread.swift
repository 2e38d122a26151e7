package import Configuration
import Foundation
package import Handoff
package import Logging
package import Readings
import V4L2

/// Reads and sets the camera's controls on a thread of its own, by a second file: what a USB camera takes its time for
/// never delays a frame.
package struct ControlThread: Sendable {
    private let config: Latest<Config>
    private let readings: Latest<Reading>
    private let demand: Demand
    private let state: Latest<ControlState>
    private let bulletin: Bulletin
    private let requests: ControlRequests
    private let log: Logger

    /// - Parameters:
    ///   - demand: Of the readings; also who looks at the controls.
    ///   - state: What was read last.
    package init(
        config: Latest<Config>, readings: Latest<Reading>, demand: Demand, state: Latest<ControlState>,
        bulletin: Bulletin,
        requests: ControlRequests, log: Logger
    ) {
        self.config = config
        self.readings = readings
        self.demand = demand
        self.state = state
        self.bulletin = bulletin
        self.requests = requests
        self.log = log
    }

    /// Follows the camera in use until the task is cancelled.
    package func run() async {
        let requests = requests
        let camera = Latest<Reading.Camera?>(nil)
        await withTaskGroup { group in
            group.addTask {
                for await reading in readings.updates() {
                    let delivers = reading.state == .live ? reading.camera : nil
                    guard delivers != camera.value else { continue }
                    camera.publish(delivers)
                    requests.waker.wake()
                }
            }
            group.addTask { for await _ in config.updates() { requests.waker.wake() } }
            group.addTask { for await count in demand.changes() where count > 0 { requests.waker.wake() } }
            await Thread.run(named: "controls") {
                var loop = ControlLoop(
                    config: config, readings: readings, demand: demand, camera: camera, state: state,
                    bulletin: bulletin, requests: requests, log: log)
                loop.run()
            } onCancel: {
                requests.stop()
            }
            group.cancelAll()
        }
    }
}
