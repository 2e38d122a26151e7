import Capture
import Handoff
import Synchronization

/// A client's request for a picture, of which at most one is open at a time.
///
/// It ends when its picture is written: a client that does not read cannot request another picture, which would be
/// encoded in vain. The client has the picture some time before the server learns that it has been written. A request
/// that arrives in between waits until then.
final class PictureRequest: Sendable {
    private enum Phase: Equatable {
        case none
        /// There is no picture yet.
        case open
        /// There is a picture, which nobody has begun to write.
        case found
        /// The picture is being written. The client may already have requested the next one.
        case writing(isFollowed: Bool)
    }

    private let phase = Mutex(Phase.none)
    private let opened = Slot<Void>()
    /// The viewer whose picture is being written. It keeps its place until then, because the picture takes memory.
    private let viewer = Mutex<PictureSubscription?>(nil)

    /// Registers a request of the client.
    /// - Returns: Whether the request counts; false if another one is outstanding.
    func register() -> Bool {
        let (asks, opens) = phase.withLock { phase in
            switch phase {
            case .none:
                phase = .open
                return (true, true)
            case .writing(isFollowed: false):
                phase = .writing(isFollowed: true)
                return (true, false)
            case .open, .found, .writing(isFollowed: true):
                return (false, false)
            }
        }
        if opens { opened.put(()) }
        return asks
    }

    /// Waits until a picture is requested; returns false when the task is cancelled.
    func next() async -> Bool { await opened.next() != nil }

    /// Registers that there is a picture.
    /// - Parameter viewer: Kept until the picture is written.
    func pictureFound(by viewer: PictureSubscription? = nil) {
        self.viewer.withLock { $0 = viewer }
        phase.withLock { $0 = .found }
    }

    /// Registers that the picture is about to be written.
    func beginWriting() { phase.withLock { $0 = .writing(isFollowed: false) } }

    /// Registers that everything is written.
    func finishWriting() {
        let opens = phase.withLock { phase -> Bool? in
            guard case .writing(let isFollowed) = phase else { return nil }
            phase = isFollowed ? .open : .none
            return isFollowed
        }
        guard let opens else { return }
        // The viewer leaves outside the lock, because its place may wake another client.
        let written = viewer.withLock { viewer in
            defer { viewer = nil }
            return viewer
        }
        withExtendedLifetime(written) {}
        if opens { opened.put(()) }
    }
}
