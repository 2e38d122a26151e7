import Configuration

/// The settings with which a source is opened. Changes of all other settings take effect while it runs.
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
