import Foundation
import Logging
import Synchronization
import V4L2

/// Runs the capture loop on a thread of its own, so that nothing else ever waits for a camera, nor a camera for
/// anything else.
struct CaptureThread: Sendable {
    private let config: Latest<Config>
    private let readings: Latest<Reading>
    private let bulletin: Bulletin
    private let tap: PictureTap?
    private let log: Logger

    /// - Parameter tap: Takes frames to be seen; nil if nobody can.
    init(
        config: Latest<Config>, readings: Latest<Reading>, bulletin: Bulletin = Bulletin(), tap: PictureTap? = nil,
        log: Logger
    ) {
        self.config = config
        self.readings = readings
        self.bulletin = bulletin
        self.tap = tap
        self.log = log
    }

    /// Captures and publishes until the task is cancelled; when it returns, the camera is released.
    /// - Throws: `V4L2Error.system` if the process has no file descriptor left.
    func run() async throws {
        let stop = try StopSignal()
        let (config, readings, bulletin, tap, log) = (config, readings, bulletin, tap, log)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let thread = Thread {
                    var loop = CaptureLoop(
                        config: config, readings: readings, bulletin: bulletin, tap: tap, stop: stop, log: log)
                    loop.run()
                    continuation.resume()
                }
                thread.name = "capture"
                thread.start()
            }
        } onCancel: {
            stop.raise()
        }
    }
}

/// Tells the capture loop to end, whatever it is waiting for.
final class StopSignal: Sendable {
    let waker: Waker
    private let raised = Atomic(false)

    init() throws(V4L2Error) {
        waker = try Waker()
    }

    var isRaised: Bool { raised.load(ordering: .acquiring) }

    func raise() {
        raised.store(true, ordering: .releasing)
        waker.wake()
    }
}
