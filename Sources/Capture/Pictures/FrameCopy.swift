import Handoff
import V4L2

/// A copy of a camera's frame, which can be kept longer than the camera's buffer.
struct FrameCopy: Sendable {
    private(set) var format: FrameFormat
    /// The time of capture.
    private(set) var timestamp: MonotonicTime
    /// The bytes that the driver filled in each memory plane; none in those that only an earlier frame had.
    private(set) var planes: [[UInt8]] = []
    /// The views that the frame was kept for.
    var views: Set<Picture.View>

    /// - Parameter memory: The memory of an earlier frame, which is reused.
    init(_ frame: borrowing Frame, format: FrameFormat, views: Set<Picture.View>, in memory: consuming [[UInt8]]) {
        self.format = format
        self.views = views
        timestamp = frame.info.timestamp
        planes = memory
        while planes.count < frame.planeCount { planes.append([]) }
        // A plane that the frame lacks is emptied, but keeps its memory.
        for plane in planes.indices { frame.copyBytes(ofPlane: plane, to: &planes[plane]) }
    }

    /// Returns the bytes of a memory plane; none if there is no such plane.
    func plane(_ index: Int) -> [UInt8] { planes.indices.contains(index) ? planes[index] : [] }
}
