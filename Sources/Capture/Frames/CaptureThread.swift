import Handoff
package import Readings

/// The thread that opens the camera, waits for its frames and publishes readings.
package enum CaptureThread {
    /// Captures and publishes until the task is cancelled. When it returns, the camera is released.
    /// - Parameters:
    ///   - tap: Takes the frames that viewers want to see; nil if there are no pictures.
    ///   - history: Keeps the readings; nil if nobody asks for old ones.
    package static func run(_ shared: SharedState, tap: PictureTap? = nil, history: History? = nil) async {
        let requests = shared.cameraRequests
        await withTaskGroup { group in
            group.addTask { await shared.directory.follow { requests.waker.wake() } }
            group.addTask { for await _ in shared.config.updates() { requests.waker.wake() } }
            await BlockingThread.run(named: "capture") {
                var loop = CaptureLoop(shared, tap: tap, history: history)
                loop.run()
            } onCancel: {
                requests.stop()
            }
            group.cancelAll()
        }
    }
}
