import Handoff
import V4L2

/// A copy of a camera's frame, for those who need longer with it than the camera can wait.
struct FrameCopy: Sendable {
    private(set) var format: FrameFormat
    /// When it was captured.
    private(set) var timestamp: MonotonicTime
    /// The bytes of each memory plane, as many as the driver filled.
    private(set) var planes: [[UInt8]] = []
    /// For whom it was kept.
    var views: Set<Picture.View>

    /// - Parameter memory: Where another frame was: its memory is used again.
    init(_ frame: borrowing Frame, format: FrameFormat, views: Set<Picture.View>, in memory: consuming [[UInt8]]) {
        self.format = format
        self.views = views
        timestamp = frame.info.timestamp
        planes = memory
        while planes.count < frame.planeCount { planes.append([]) }
        for plane in 0..<frame.planeCount { frame.copyBytes(ofPlane: plane, to: &planes[plane]) }
    }

    /// The bytes of a memory plane; those of a plane that is not there are none.
    func plane(_ index: Int) -> [UInt8] { planes.indices.contains(index) ? planes[index] : [] }
}
