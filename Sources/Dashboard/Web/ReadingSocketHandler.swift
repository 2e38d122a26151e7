import FlyingFox
import FlyingSocks
import Foundation
import Handoff

/// One WebSocket: frames from the client's outbox go out, control frames from the client are answered.
struct ReadingSocketHandler: WSHandler {
    /// How long a client has to answer our close frame before the connection ends without it.
    private static let closingTime = Duration.seconds(1)

    /// Frames that a client may send at once, and how often one more. Browsers answer a ping every 15 s; of those that
    /// send millions, a few would keep all threads busy.
    private static let burst = 100.0
    private static let framePeriod = Duration.milliseconds(100)

    let subscription: Subscription

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        let outbox = subscription.outbox
        let reader = Reader(Task { await Self.read(client, into: outbox) })
        return AsyncStream { [subscription] in
            if let frame = await outbox.next() { return frame }
            // The socket is closed as soon as this ends, and its number goes to the next connection: nobody may still
            // be reading it then.
            await reader.finish(within: Self.closingTime)
            withExtendedLifetime(subscription) {}
            return nil
        } onCancel: {
            outbox.finish()
        }
    }

    /// Reads until the client closes or is gone. A client has nothing to say here but control frames.
    private static func read(_ client: AsyncThrowingStream<WSFrame, any Error>, into outbox: Outbox) async {
        var bucket = TokenBucket(capacity: burst, period: framePeriod, at: .now)
        do {
            for try await frame in client {
                guard bucket.take(at: .now) else {
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
                    outbox.pongCame()
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
            // All else that is thrown here is a frame larger than the decoder takes.
            outbox.close(.close(code: .messageTooBig))
            return
        }
        outbox.finish()
    }

    /// RFC 6455, 5.1: clients mask. 5.2: no extension was agreed on. 5.5: control frames are whole and short.
    private static func isWellFormed(_ frame: WSFrame) -> Bool {
        let isMasked = frame.mask != nil || !FlyingFoxPatches.arePresent
        let isControl = [.ping, .pong, .close].contains(frame.opcode)
        return isMasked && !frame.rsv1 && !frame.rsv2 && !frame.rsv3
            && (!isControl || frame.fin && frame.payload.count <= 125)
    }
}

/// The task that reads a client, cancelled when its connection goes whichever way.
private final class Reader: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) {
        self.task = task
    }

    deinit { task.cancel() }

    /// Returns when the task has ended, cancelling it after a while.
    func finish(within limit: Duration) async {
        let timer = Task { [task] in
            try? await Task.sleep(for: limit)
            task.cancel()
        }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        timer.cancel()
    }
}
