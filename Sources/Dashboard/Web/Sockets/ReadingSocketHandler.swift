import FlyingFox
import FoundationEssentials
import Handoff

/// A WebSocket of one client that gets readings or the fleet. It sends the frames of the client's outbox and answers its
/// control frames.
struct ReadingSocketHandler: WSHandler {
    let subscription: Subscription
    /// What is kept up to date for this client.
    var interest: InterestToken?
    var clocks = Clocks()

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        let outbox = subscription.outbox
        let reader = SocketReader(of: client, into: outbox, clocks: clocks, refusal: "this socket only sends")
        return AsyncStream { [subscription, interest] in
            if let frame = await outbox.next() { return frame }
            await reader.finish()
            withExtendedLifetime((subscription, interest)) {}
            return nil
        } onCancel: {
            outbox.abort()
        }
    }
}
