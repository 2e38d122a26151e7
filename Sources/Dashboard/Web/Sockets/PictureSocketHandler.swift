import Capture
import FlyingFox
import FoundationEssentials

/// A WebSocket of one client that gets pictures: one each time that the client sends `next`.
///
/// The client decides when it can take another picture, so a slow one gets fewer of them, but recent ones, and nothing
/// queues.
struct PictureSocketHandler: WSHandler {
    let subscription: Subscription
    /// Joins the viewers for one picture, once there is a place for the client; returns nil if there will be no more
    /// pictures.
    let join: @Sendable () async -> PictureSubscription?
    /// The clock that limits the frames of a client.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        let outbox = subscription.outbox
        let request = PictureRequest()
        let sender = Sender(joining: join, for: request, into: outbox)
        let reader = SocketReader(
            of: client, into: outbox, now: now, refusal: "this socket takes only the text next"
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
