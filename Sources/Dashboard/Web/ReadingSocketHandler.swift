import FlyingFox
import FlyingSocks
import FoundationEssentials
import Handoff

/// A WebSocket of one client: sends the frames of its outbox and answers its control frames.
struct ReadingSocketHandler: WSHandler {
    /// The time that a client has to answer a close frame before the connection ends.
    private static let closingTime = Duration.seconds(1)

    /// The number of frames that a client may send at once, and the time until one more is allowed. Browsers answer a ping
    /// every 15 s, but a few clients that send millions of frames would keep all threads busy.
    private static let burst = 100.0
    private static let framePeriod = Duration.milliseconds(100)

    let subscription: Subscription
    /// The clock that limits the frames of a client.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        let outbox = subscription.outbox
        let reader = Reader(Task { [now] in await Self.read(client, into: outbox, now) })
        return AsyncStream { [subscription] in
            if let frame = await outbox.next() { return frame }
            // The socket is closed as soon as this ends, and the next connection may get its number. The reader must have
            // ended before.
            await reader.finish(within: Self.closingTime)
            withExtendedLifetime(subscription) {}
            return nil
        } onCancel: {
            outbox.finish()
        }
    }

    /// Reads until the client closes the connection or is gone. Only control frames are allowed.
    private static func read(
        _ client: AsyncThrowingStream<WSFrame, any Error>, into outbox: Outbox,
        _ now: @Sendable () -> ContinuousClock.Instant
    ) async {
        var bucket = TokenBucket(capacity: burst, period: framePeriod, at: now())
        do {
            for try await frame in client {
                guard bucket.take(at: now()) else {
                    outbox.close(.close(code: WSCloseCode(1008, reason: "too many frames")))
                    return
                }
                guard isWellFormed(frame) else {
                    outbox.close(.close(code: .protocolError))
                    continue
                }
                switch frame.opcode {
                case .ping:
                    outbox.pong(frame.payload)
                case .pong:
                    outbox.pongArrived()
                case .close:
                    outbox.close(.reply(toClose: frame))
                    return
                case .text, .binary, .continuation:
                    outbox.close(.close(code: WSCloseCode(1008, reason: "this socket only sends")))
                default:
                    outbox.close(.close(code: .protocolError))
                }
            }
        } catch is CancellationError {
            // The other direction has ended.
        } catch is SocketError {
            // The connection broke.
        } catch {
            // The only other error is a frame that is too large for the decoder.
            outbox.close(.close(code: .messageTooBig))
            return
        }
        outbox.finish()
    }

    /// Whether a frame conforms to RFC 6455: masked (5.1), without extensions (5.2), control frames whole and short (5.5).
    private static func isWellFormed(_ frame: WSFrame) -> Bool {
        let isMasked = frame.mask != nil || !FlyingFoxPatches.arePresent
        let isControl = [.ping, .pong, .close].contains(frame.opcode)
        return isMasked && !frame.rsv1 && !frame.rsv2 && !frame.rsv3
            && (!isControl || frame.fin && frame.payload.count <= 125)
    }
}

/// The task that reads from a client. It is cancelled when the connection ends for any reason.
private final class Reader: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) {
        self.task = task
    }

    deinit { task.cancel() }

    /// Waits for the task to end, and cancels it after a time limit.
    func finish(within limit: Duration) async {
        await withTimeout(limit) { [task] in
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
}
