import Dispatch
import Synchronization
import V4L2

/// A single-place slot that passes the newest frame from the capture thread to the picture thread.
package final class FrameSlot: Sendable {
    private struct State {
        var frame: FrameCopy?
        /// The memory of earlier frames. At most one frame waits, one is drawn and one is filled.
        var spare: [[[UInt8]]] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let filled = DispatchSemaphore(value: 0)

    package init() {}

    /// Copies a frame into the slot, and replaces one that still waits.
    func put(_ frame: borrowing Frame, format: FrameFormat, for views: Set<Picture.View>) {
        let memory = state.withLock { $0.spare.popLast() } ?? []
        let copy = FrameCopy(frame, format: format, views: views, in: memory)
        state.withLock { state in
            if let late = state.frame { state.spare.append(late.planes) }
            state.frame = copy
        }
        filled.signal()
    }

    /// Waits for a frame; returns nil once the slot is closed.
    func take() -> FrameCopy? {
        while true {
            filled.wait()
            let (frame, isClosed) = state.withLock { state in
                defer { state.frame = nil }
                return (state.frame, state.isClosed)
            }
            if isClosed { return nil }
            // If there is none, one of the frames that were announced was replaced before it was taken.
            if let frame { return frame }
        }
    }

    /// Takes back the memory of a frame for reuse.
    func recycle(_ frame: consuming FrameCopy) {
        let memory = frame.planes
        state.withLock { state in
            if state.spare.count < 2 { state.spare.append(memory) }
        }
    }

    /// Ends the wait for frames permanently.
    func close() {
        state.withLock { $0.isClosed = true }
        filled.signal()
    }
}
