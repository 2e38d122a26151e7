import Handoff
import Synchronization
import V4L2

/// A slot that passes the newest frame from the capture thread to the picture thread, and keeps the memory of earlier
/// frames for reuse.
package final class FrameSlot: Sendable {
    private let slot = Slot<FrameCopy>()
    /// The memory of earlier frames, of two at most: one frame waits, one is drawn and one is filled.
    private let spare = Mutex<[[[UInt8]]]>([])

    /// Creates an empty slot.
    package init() {}

    /// Copies a frame into the slot, and replaces one that still waits.
    func put(_ frame: borrowing Frame, format: FrameFormat, for views: Set<Picture.View>) {
        let memory = spare.withLock { $0.popLast() } ?? []
        if let late = slot.put(FrameCopy(frame, format: format, views: views, in: memory)) { recycle(late) }
    }

    /// Waits for a frame; returns nil once the slot is closed.
    func take() -> FrameCopy? { slot.wait() }

    /// Takes back the memory of a frame for reuse.
    func recycle(_ frame: consuming FrameCopy) {
        let memory = frame.planes
        spare.withLock { if $0.count < 2 { $0.append(memory) } }
    }

    /// Ends the wait for frames permanently.
    func close() { slot.close() }
}
