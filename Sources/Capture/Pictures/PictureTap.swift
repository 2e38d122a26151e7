import Documents
import Handoff
package import State
import Synchronization
import V4L2

/// The tap that passes the newest frame from the capture thread to the picture thread while viewers want pictures, and
/// keeps the memory of earlier frames for reuse.
package final class PictureTap: Sendable {
    /// The hub, which knows the viewers.
    package let hub: PictureHub
    private let slot = Slot<FrameCopy>()
    /// The memory of earlier frames, of two at most: one frame waits, one is drawn and one is filled.
    private let spare = Mutex<[[[UInt8]]]>([])

    package init(hub: PictureHub) {
        self.hub = hub
    }

    /// Keeps a copy of the frame if a viewer is ready for a picture.
    /// - Parameter isRead: Whether a reading has shown that the frame is not damaged.
    func offer(_ frame: borrowing Frame, format: FrameFormat, isRead: Bool, at now: MonotonicTime) {
        let views = hub.demand(at: now)
        if !views.isEmpty { put(frame, format: format, isRead: isRead, for: views) }
    }

    /// Copies a frame, which replaces one that still waits.
    func put(_ frame: borrowing Frame, format: FrameFormat, isRead: Bool = false, for views: Set<Picture.View>) {
        let memory = spare.withLock { $0.popLast() } ?? []
        var copy = FrameCopy(frame, format: format, views: views, in: memory)
        copy.isRead = isRead
        if let late = slot.put(copy) { recycle(late) }
    }

    /// Waits for a frame; returns nil once the tap is closed.
    func take() -> FrameCopy? { slot.wait() }

    /// Takes back the memory of a frame for reuse.
    func recycle(_ frame: consuming FrameCopy) {
        let memory = frame.planes
        spare.withLock { if $0.count < 2 { $0.append(memory) } }
    }

    func close() { slot.close() }
}

/// A copy of a camera's frame, which can be kept longer than the camera's buffer.
struct FrameCopy: Sendable {
    private(set) var format: FrameFormat
    private(set) var timestamp: MonotonicTime
    /// The bytes that the driver filled in each memory plane; none in those that only an earlier frame had.
    private(set) var planes: [[UInt8]] = []
    /// The views that the frame was kept for.
    var views: Set<Picture.View>
    /// Whether a reading has shown that the frame is not damaged.
    var isRead = false

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
