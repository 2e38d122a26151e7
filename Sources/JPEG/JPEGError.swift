/// An error in decoding, encoding or rotating a JPEG image.
///
/// libjpeg-turbo's texts are safe to show: it writes nothing but numbers into them, never bytes of an image, and keeps
/// them shorter than 200 bytes (`JMSG_LENGTH_MAX`).
public enum JPEGError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The frame does not begin like a JPEG image.
    case notJPEG
    /// The frame is cut off before the end of its image.
    case truncated
    /// The frame is damaged; the text is usually libjpeg-turbo's.
    case corrupt(String)
    /// libjpeg-turbo failed for another reason, such as a lack of memory; the text is usually its own.
    case failed(String)
    /// The frame is a JPEG image of a kind that cameras do not send (such as CMYK or RGB), or of another size than the
    /// negotiated one; or the picture to encode cannot be a JPEG image. The text names what is not supported.
    case unsupported(String)

    /// A sentence or part of one for a person, without a full stop.
    public var description: String {
        switch self {
        case .notJPEG: "the frame is not a JPEG image"
        case .truncated: "the frame is cut off"
        case .corrupt(let reason): "the frame is damaged: \(reason)"
        case .failed(let reason): "libjpeg-turbo failed: \(reason)"
        case .unsupported(let kind): "no support for \(kind)"
        }
    }

    /// The error if no instance of libjpeg-turbo can be created.
    static let notStarted = JPEGError.failed("it could not be started; there may be too little memory")
}
