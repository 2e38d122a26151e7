package import Pixels

extension Config.Camera {
    /// The configured orientation of the picture.
    package var orientation: Orientation {
        Orientation(rotation: Orientation.Rotation(rawValue: rotate) ?? .degrees0, isMirrored: mirror)
    }
}
