/// What can be wrong with a JPEG frame.
public enum JPEGError: Error, Equatable, Sendable {
    /// It does not begin as a JPEG does.
    case notJPEG
    /// It ends before its end: the transfer was cut off.
    case truncated
    /// Its parts contradict each other; the text is libjpeg-turbo's.
    case corrupt(String)
    /// A JPEG, but of a kind that cameras do not send (CMYK, RGB, 12 bits), or of another size than was negotiated.
    case unsupported(String)
}
