/// The versions of the API's documents, which tell clients when to fetch one again. Each change increments a version.
package struct Revisions: Equatable, Sendable {
    /// The version of `GET /api/cameras`.
    package var cameras = 0
    /// The version of `GET /api/controls`.
    package var controls = 0
    /// The version of `remembered` in `GET /api/settings`.
    package var settings = 0
    /// The version of `GET /api/samples`.
    package var samples = 0
    /// The number of changes of the marks in `GET /api/history`.
    package var history = 0

    package init(cameras: Int = 0, controls: Int = 0, settings: Int = 0, samples: Int = 0, history: Int = 0) {
        self.cameras = cameras
        self.controls = controls
        self.settings = settings
        self.samples = samples
        self.history = history
    }
}
