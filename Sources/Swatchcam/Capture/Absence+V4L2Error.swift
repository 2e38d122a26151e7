import Glibc
import V4L2

extension ReadingPublisher.Absence {
    /// The state and the sentence for an error of the camera.
    /// - Parameter wasLive: Whether it delivered before.
    init(_ error: V4L2Error, wasLive: Bool) {
        let state: Reading.State =
            switch error.errno {
            case EACCES, EPERM: .denied
            case EBUSY: .busy
            case _ where wasLive: .lost
            case ENOENT, ENXIO, ENODEV: .noCamera
            default: .failed
            }
        self.init(state: state, message: error.description)
    }
}
