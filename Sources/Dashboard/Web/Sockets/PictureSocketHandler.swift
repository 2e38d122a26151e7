import FlyingFox
import FoundationEssentials
import Handoff
import State
import Synchronization

/// A WebSocket of one client that gets pictures: one each time that the client sends `next`.
///
/// The client decides when it can take another picture, so a slow one gets fewer of them, but recent ones, and nothing
/// queues.
struct PictureSocketHandler: WSHandler {
    let subscription: Subscription
    /// Joins the viewers for one picture, once there is a place for the client; returns nil if there will be no more
    /// pictures.
    let join: @Sendable () async -> PictureSubscription?
    var clocks = Clocks()

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        let outbox = subscription.outbox
        let request = PictureRequest()
        let sender = Sender(joining: join, for: request, into: outbox)
        let reader = SocketReader(
            of: client, into: outbox, clocks: clocks, refusal: "this socket takes only the text next"
        ) { text in
            guard text.elementsEqual("next".utf8) else { return .refused }
            return request.register() ? .expected : .superfluous
        }
        return AsyncStream { [subscription] in
            // The frame that was returned last has been written.
            request.finishWriting()
            if let frame = await outbox.next() {
                if frame.opcode == .binary { request.beginWriting() }
                return frame
            }
            await reader.finish()
            withExtendedLifetime((subscription, sender)) {}
            return nil
        } onCancel: {
            outbox.abort()
        }
    }
}

/// The task that waits for requests of a client, and then for a picture. It is cancelled when the connection ends for any
/// reason.
private final class Sender: Sendable {
    private let task: Task<Void, Never>

    init(
        joining join: @escaping @Sendable () async -> PictureSubscription?, for request: PictureRequest,
        into outbox: Outbox
    ) {
        task = Task {
            while await request.next() {
                guard let viewer = await join(), let picture = await viewer.next() else { break }
                request.pictureFound(by: viewer)
                outbox.offer(WSFrame(fin: true, opcode: .binary, mask: nil, payload: picture.data))
            }
            // There will be no more pictures. After a logout, the outbox already has another close frame.
            outbox.close(.close(code: .goingAway))
        }
    }

    deinit { task.cancel() }
}

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
