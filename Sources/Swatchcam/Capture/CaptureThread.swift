import Foundation
import Logging
import Synchronization
import V4L2

/// Runs the capture loop on a thread of its own, so that nothing else ever waits for a camera, nor a camera for
/// anything else.
struct CaptureThread: Sendable {
    private let config: Config
    private let readings: Latest<Reading>
    private let settings: Latest<Settings>
    private let tap: PictureTap?
    private let log: Logger

    /// - Parameter tap: Takes frames to be seen; nil if nobody can.
    init(
        config: Config, readings: Latest<Reading>, settings: Latest<Settings>, tap: PictureTap? = nil, log: Logger
    ) {
        self.config = config
        self.readings = readings
        self.settings = settings
        self.tap = tap
        self.log = log
    }

    /// Captures and publishes until the task is cancelled; when it returns, the camera is released.
    /// - Throws: `V4L2Error.system` if the process has no file descriptor left.
    func run() async throws {
        let stop = try StopSignal()
        let (config, readings, settings, tap, log) = (config, readings, settings, tap, log)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let thread = Thread {
                    var loop = CaptureLoop(
                        config: config, readings: readings, settings: settings, tap: tap, stop: stop, log: log)
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
