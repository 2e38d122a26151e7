import Configuration
import Handoff
import Readings
package import State

/// The thread that reads and sets the camera's controls.
///
/// It opens the device a second time, so that a USB camera that is slow to answer never delays a frame. The driver's
/// events keep its list of controls current when another program changes one. `Settling` and `MeasuringLock` implement
/// the lock as plain values, without a device.
package enum ControlThread {
    /// Follows the controls of the camera in use until the task is cancelled.
    package static func run(_ shared: SharedState) async {
        let requests = shared.controlRequests
        let camera = Latest<Reading.Camera?>(nil)
        await withTaskGroup { group in
            group.addTask {
                for await current in shared.readings.changes(of: { $0.state.hasColor ? $0.camera : nil }) {
                    camera.publish(current)
                    requests.waker.wake()
                }
            }
            group.addTask { for await _ in shared.config.updates() { requests.waker.wake() } }
            group.addTask { for await count in shared.demand.changes() where count > 0 { requests.waker.wake() } }
            await BlockingThread.run(named: "controls") {
                var loop = ControlLoop(shared, camera: camera)
                loop.run()
            } onCancel: {
                requests.stop()
            }
            group.cancelAll()
        }
    }
}
