import FlyingFox
import FoundationEssentials

/// A WebSocket of one client that gets readings. It sends the frames of the client's outbox and answers its control
/// frames.
struct ReadingSocketHandler: WSHandler {
    let subscription: Subscription
    /// The clock that limits the frames of a client.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        let outbox = subscription.outbox
        let reader = SocketReader(of: client, into: outbox, now: now, refusal: "this socket only sends")
        return AsyncStream { [subscription] in
            if let frame = await outbox.next() { return frame }
            await reader.finish()
            withExtendedLifetime(subscription) {}
            return nil
        } onCancel: {
            outbox.abort()
        }
    }
}
