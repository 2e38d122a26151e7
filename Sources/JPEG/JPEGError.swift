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
    /// The image has another size than the negotiated one. The text names both.
    case otherSize(String)
    /// The frame is a JPEG image of a kind that cameras do not send (such as CMYK, RGB or one of 12 bits), or the
    /// picture to encode cannot be a JPEG image. The text names what is not supported.
    case unsupported(String)

    /// A sentence or part of one for a person, without a full stop.
    public var description: String {
        switch self {
        case .notJPEG: "the frame is not a JPEG image"
        case .truncated: "the frame is cut off"
        case .corrupt(let reason): "the frame is damaged: \(reason)"
        case .failed(let reason): "libjpeg-turbo failed: \(reason)"
        case .otherSize(let sizes): "the image has \(sizes)"
        case .unsupported(let kind): "no support for \(kind)"
        }
    }

    /// The error of a header that libjpeg-turbo refuses. Its message says so if a kind of image, such as one of 12
    /// bits, is not supported; any other message means damage.
    static func header(_ message: String) -> JPEGError {
        let isUnsupported = ["Unsupported", "not supported"].contains { message.contains($0) }
        return isUnsupported ? .unsupported(message) : .corrupt(message)
    }

    /// The error if no instance of libjpeg-turbo can be created.
    static let notStarted = JPEGError.failed("it could not be started; there may be too little memory")
}
