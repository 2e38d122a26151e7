import V4L2

extension FrameFormat {
    /// V4L2's codes for JPEG images. MJPG is a sequence of them.
    static let jpegFourCCs = ["MJPG", "JPEG"]

    /// Whether frames are JPEG images.
    var isJPEG: Bool { Self.jpegFourCCs.contains(fourCC.description) }
}
