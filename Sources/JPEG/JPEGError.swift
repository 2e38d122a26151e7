/// An error in a JPEG frame.
public enum JPEGError: Error, Equatable, Sendable {
    /// The frame does not begin like a JPEG image.
    case notJPEG
    /// The frame is cut off before the end of its image.
    case truncated
    /// The frame is damaged; the text is usually libjpeg-turbo's.
    case corrupt(String)
    /// The frame is a JPEG image of a kind that cameras do not send (CMYK, RGB, 12 bits), or of another size than the
    /// negotiated one.
    case unsupported(String)
}
