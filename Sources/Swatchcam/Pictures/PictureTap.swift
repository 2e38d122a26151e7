import Handoff
import V4L2

/// Where the capture thread hands frames over that somebody wants to see.
struct PictureTap: Sendable {
    let hub: PictureHub
    let slot: FrameSlot

    /// Keeps a copy of the frame if anybody is ready for a picture; else does nothing.
    func offer(_ frame: borrowing Frame, format: FrameFormat, at now: MonotonicTime) {
        let views = hub.demand(at: now)
        if !views.isEmpty { slot.put(frame, format: format, for: views) }
    }
}
