import Dispatch
import Synchronization
import V4L2

/// Where the capture thread leaves a frame for the picture thread: room for one, the newest wins.
package final class FrameSlot: Sendable {
    private struct State {
        var frame: FrameCopy?
        /// Memory of frames that were drawn: at most one waits, one is drawn, one is filled.
        var spare: [[[UInt8]]] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let filled = DispatchSemaphore(value: 0)

    package init() {}

    /// Copies a frame into the slot, in place of one that still waits.
    func put(_ frame: borrowing Frame, format: FrameFormat, for views: Set<Picture.View>) {
        let memory = state.withLock { $0.spare.popLast() } ?? []
        let copy = FrameCopy(frame, format: format, views: views, in: memory)
        state.withLock { state in
            if let late = state.frame { state.spare.append(late.planes) }
            state.frame = copy
        }
        filled.signal()
    }

    /// Waits for a frame; nil when the slot is closed.
    func take() -> FrameCopy? {
        while true {
            filled.wait()
            let (frame, isClosed) = state.withLock { state in
                defer { state.frame = nil }
                return (state.frame, state.isClosed)
            }
            if isClosed { return nil }
            // One signal too many: the frame that it was for was replaced.
            if let frame { return frame }
        }
    }

    /// Gives the memory of a frame back.
    func recycle(_ frame: consuming FrameCopy) {
        let memory = frame.planes
        state.withLock { state in
            if state.spare.count < 2 { state.spare.append(memory) }
        }
    }

    /// Ends the wait for frames, for good.
    func close() {
        state.withLock { $0.isClosed = true }
        filled.signal()
    }
}
