/// The versions of the API's documents, so that clients know when to fetch one again. Each counts up with a change.
package struct Revisions: Equatable, Encodable, Sendable {
    /// Of `GET /api/cameras`.
    package var cameras = 0
    /// Of `GET /api/controls`.
    package var controls = 0

    package init(cameras: Int = 0, controls: Int = 0) {
        self.cameras = cameras
        self.controls = controls
    }
}
