import Glibc
import Readings
import V4L2

extension ReadingPublisher.Unavailable {
    /// Makes the state and the sentence for an error of the camera.
    /// - Parameter loss: The start of the sentence, which says when the camera was lost; nil if it never delivered.
    init(_ error: V4L2Error, loss: String?) {
        let state: Reading.State =
            switch error {
            case .denied, .confined: .denied
            case .busy, .system(_, EBUSY, _): .busy
            case _ where loss != nil: .lost
            case .notACaptureDevice: .unsupported
            case .notACamera, .system(_, ENXIO, _), .system(_, ENODEV, _): .noCamera
            default: .failed
            }
        self.init(state: state, message: (loss ?? "") + error.description)
    }
}
