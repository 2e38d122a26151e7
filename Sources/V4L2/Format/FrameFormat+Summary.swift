extension FrameFormat {
    /// A summary for people: `YUYV 640x480 at 15.0 frames a second`.
    public var summary: String {
        let rate = framesPerSecond.map { " at \(($0 * 10).rounded() / 10) frames a second" } ?? ""
        return "\(fourCC) \(width)x\(height)\(rate)"
    }
}
