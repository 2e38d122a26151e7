import Foundation
import Logging
import V4L2

/// Reads and sets the camera's controls on a thread of its own, by a second file: what a USB camera takes its time for
/// never delays a frame.
struct ControlThread: Sendable {
    private let config: Latest<Config>
    private let readings: Latest<Reading>
    private let state: Latest<ControlState>
    private let bulletin: Bulletin
    private let desk: ControlDesk
    private let log: Logger

    /// - Parameter state: What was read last.
    init(
        config: Latest<Config>, readings: Latest<Reading>, state: Latest<ControlState>, bulletin: Bulletin,
        desk: ControlDesk, log: Logger
    ) {
        self.config = config
        self.readings = readings
        self.state = state
        self.bulletin = bulletin
        self.desk = desk
        self.log = log
    }

    /// Follows the camera in use until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            group.addTask {
                for await reading in readings.updates() {
                    desk.camera = reading.state == .live ? reading.camera : nil
                }
            }
            group.addTask { for await _ in config.updates() { desk.waker.wake() } }
            await work()
            group.cancelAll()
        }
    }

    private func work() async {
        let desk = desk
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let thread = Thread {
                    var loop = ControlLoop(
                        config: config, readings: readings, state: state, bulletin: bulletin, desk: desk, log: log)
                    loop.run()
                    continuation.resume()
                }
                thread.name = "controls"
                thread.start()
            }
        } onCancel: {
            desk.stop()
        }
    }
}
