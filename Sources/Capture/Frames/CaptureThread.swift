import Handoff
package import State

/// The thread that opens the camera, waits for its frames and publishes readings.
package enum CaptureThread {
    /// Captures and publishes until the task is cancelled. When it returns, the camera is released.
    /// - Parameter tap: Takes the frames that viewers want to see; nil if there are no pictures.
    package static func run(_ shared: SharedState, tap: PictureTap? = nil) async {
        let requests = shared.cameraRequests
        await withTaskGroup { group in
            group.addTask { await shared.directory.follow { requests.waker.wake() } }
            group.addTask { for await _ in shared.config.updates() { requests.waker.wake() } }
            await BlockingThread.run(named: "capture") {
                var loop = CaptureLoop(shared, tap: tap)
                loop.run()
            } onCancel: {
                requests.stop()
            }
            group.cancelAll()
        }
    }
}
