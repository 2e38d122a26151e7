/// An error in decoding, encoding or rotating a JPEG image.
public enum JPEGError: Error, Equatable, Sendable {
    /// The frame does not begin like a JPEG image.
    case notJPEG
    /// The frame is cut off before the end of its image.
    case truncated
    /// The frame is damaged, or libjpeg-turbo failed; the text is usually libjpeg-turbo's.
    case corrupt(String)
    /// The frame is a JPEG image of a kind that cameras do not send (such as CMYK or RGB), or of another size than the
    /// negotiated one; or the picture to encode cannot be a JPEG image.
    case unsupported(String)
}
