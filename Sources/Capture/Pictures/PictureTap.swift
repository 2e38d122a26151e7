import Handoff
import V4L2

/// The tap that passes frames from the capture thread to the picture thread while viewers want them.
package struct PictureTap: Sendable {
    /// The hub, which knows the viewers.
    package let hub: PictureHub
    let slot: FrameSlot

    /// Creates a tap that passes frames for the viewers of a hub through a slot.
    package init(hub: PictureHub, slot: FrameSlot) {
        self.hub = hub
        self.slot = slot
    }

    /// Keeps a copy of the frame if a viewer is ready for a picture.
    func offer(_ frame: borrowing Frame, format: FrameFormat, at now: MonotonicTime) {
        let views = hub.demand(at: now)
        if !views.isEmpty { slot.put(frame, format: format, for: views) }
    }
}
