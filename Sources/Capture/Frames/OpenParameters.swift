import Configuration

/// What the configuration says that a source is opened with. A change of anything else takes effect while it runs.
struct OpenParameters: Equatable {
    var device: String
    var format: String
    var width: Int
    var height: Int
    var fps: Double

    init(_ config: Config) {
        device = config.camera.device
        format = config.camera.format
        width = config.camera.width
        height = config.camera.height
        fps = config.camera.fps
    }
}
