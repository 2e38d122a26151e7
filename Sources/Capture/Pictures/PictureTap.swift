import Handoff
import V4L2

/// Where the capture thread hands frames over that somebody wants to see.
package struct PictureTap: Sendable {
    package let hub: PictureHub
    let slot: FrameSlot

    package init(hub: PictureHub, slot: FrameSlot) {
        self.hub = hub
        self.slot = slot
    }

    /// Keeps a copy of the frame if anybody is ready for a picture; else does nothing.
    func offer(_ frame: borrowing Frame, format: FrameFormat, at now: MonotonicTime) {
        let views = hub.demand(at: now)
        if !views.isEmpty { slot.put(frame, format: format, for: views) }
    }
}
