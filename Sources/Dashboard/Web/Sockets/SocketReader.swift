import FlyingFox
import FlyingSocks
import FoundationEssentials
import Handoff

/// The task that reads from the client of a WebSocket: it answers control frames through the outbox, and closes the
/// WebSocket after a frame that is not allowed. It is cancelled when the connection ends for any reason.
final class SocketReader: Sendable {
    /// The kind of a client's text message.
    enum Message: Equatable {
        /// A message that the server waits for. It is not counted, because the server limits how many it waits for.
        case expected
        /// A message without effect. It is counted, so clients may send only a few.
        case superfluous
        /// A message that is not allowed on this WebSocket.
        case refused
    }

    /// The number of frames that a client may send in a burst.
    ///
    /// Browsers only answer a ping every 15 s. A few clients that sent millions of frames would keep all threads busy.
    private static let burst = 100.0
    /// The number of frames of a message that count as one, because a client may send a message in several (RFC 6455,
    /// 5.4).
    private static let framesOfMessage = 16
    /// The time until one more frame is allowed.
    private static let framePeriod = Duration.milliseconds(100)
    /// The time that a client has to answer a close frame before the connection ends.
    private static let closingTime = Duration.seconds(1)

    private let task: Task<Void, Never>

    /// - Parameters:
    ///   - refusal: The reason in the close frame after a message that is not allowed.
    ///   - receive: Handles a whole text message, and returns its kind.
    init(
        of client: AsyncThrowingStream<WSFrame, any Error>, into outbox: Outbox, clocks: Clocks, refusal: String,
        receive: @escaping @Sendable (Data) -> Message = { _ in .refused }
    ) {
        task = Task { await Self.read(client, into: outbox, clocks, refusal, receive) }
    }

    deinit { task.cancel() }

    /// Waits for the task to end, and cancels it after the time that a client has to close the connection.
    ///
    /// The socket is closed as soon as the handler's frames end, and the next connection may get its number. By then
    /// the reader must have ended.
    func finish() async {
        await withTimeout(Self.closingTime) { [task] in
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    /// Reads until the client closes the connection, is gone, or breaks the rules.
    private static func read(
        _ client: AsyncThrowingStream<WSFrame, any Error>, into outbox: Outbox,
        _ clocks: Clocks, _ refusal: String, _ receive: @Sendable (Data) -> Message
    ) async {
        var bucket = TokenBucket(capacity: burst, period: framePeriod, at: clocks.now())
        var message = PartialMessage()
        do {
            for try await frame in client {
                let isWellFormed = isWellFormed(frame)
                let content = isWellFormed ? message.add(frame) : .none
                var kind: Message?
                if case .whole(let text) = content { kind = receive(text) }
                if kind == .expected || content == .part && message.frameCount < framesOfMessage { continue }
                guard bucket.take(at: clocks.now()) else {
                    outbox.close(.close(code: WSCloseCode(1008, reason: "too many frames")))
                    return
                }
                guard isWellFormed else {
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
                    switch content {
                    case .none: outbox.close(.close(code: .protocolError))
                    case .part: continue
                    case .invalid: outbox.close(.close(code: WSCloseCode(1007, reason: "the text is not UTF-8")))
                    case .tooLong: outbox.close(.close(code: .messageTooBig))
                    case .whole where kind == .superfluous: continue
                    case .whole, .binary: outbox.close(.close(code: WSCloseCode(1008, reason: refusal)))
                    }
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
        outbox.abort()
    }

    /// Returns whether a frame conforms to RFC 6455: masked (5.1), without extensions (5.2), and a control frame whole
    /// and short (5.5).
    private static func isWellFormed(_ frame: WSFrame) -> Bool {
        let isControl = [.ping, .pong, .close].contains(frame.opcode)
        return FlyingFoxPatches.isMasked(frame) && !frame.rsv1 && !frame.rsv2 && !frame.rsv3
            && (!isControl || frame.fin && frame.payload.count <= 125)
    }
}

/// A text message that a client sends in one frame or in several, with control frames in between (RFC 6455, 5.4).
struct PartialMessage {
    /// What a frame makes of the message.
    enum Content: Equatable {
        /// The frame belongs to no message, or does not follow the one before.
        case none
        /// The message goes on.
        case part
        case whole(Data)
        /// The message is not UTF-8 (8.1).
        case invalid
        case tooLong
        /// A message of bytes, of which no frame is kept.
        case binary
    }

    /// The maximum length of a message in several frames, in bytes: none that has an effect is longer.
    private static let maxLength = 1024

    /// The text so far; nil between two messages.
    private var text: Data?
    /// The number of its frames so far.
    private(set) var frameCount = 0

    /// Adds a well-formed frame.
    mutating func add(_ frame: WSFrame) -> Content {
        switch frame.opcode {
        case .text where text == nil: (text, frameCount) = (Data(), 1)
        case .continuation where text != nil: frameCount += 1
        case .binary where text == nil: return .binary
        default: return .none
        }
        // A long message in one frame has been read already.
        let isLong = (text?.count ?? 0) + frame.payload.count > Self.maxLength && !(frame.fin && frame.opcode == .text)
        guard !isLong else { return .tooLong }
        text?.append(frame.payload)
        guard frame.fin else { return .part }
        defer { text = nil }
        let whole = text ?? Data()
        return String(validating: whole, as: UTF8.self) == nil ? .invalid : .whole(whole)
    }
}
