package import Configuration
package import Handoff
import Readings

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
                for await reading in shared.readings.updates() {
                    let current = reading.state.hasColor ? reading.camera : nil
                    guard current != camera.value else { continue }
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
    case setExposure
    /// Stops setting the exposure, and keeps the best values so far.
    case cancelExposure

    /// The state of the controls after the command.
    package typealias Value = ControlState

    package enum Refusal: Error, Equatable, Sendable {
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

package typealias ControlRequests = RequestQueue<ControlCommand>
